"""The training loop, checkpoints and their metadata."""
