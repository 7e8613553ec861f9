"""Partner models: distributions over a partner's moves, learned from its games."""
