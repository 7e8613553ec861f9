"""The rules that rule lists are made of, and the agents that play by them."""
