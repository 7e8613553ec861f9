"""Rainbow, trained in self-play."""
