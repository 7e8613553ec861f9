"""How well one can play with an agent: self-play, best response, search."""
