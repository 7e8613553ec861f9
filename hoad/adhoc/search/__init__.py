"""Search: the best move with a partner that a model describes."""
