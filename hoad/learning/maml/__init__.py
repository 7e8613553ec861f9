"""Meta-training with first-order MAML."""
