"""Rules, and the agents that play by lists of them."""
