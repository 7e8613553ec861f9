"""How well partner models predict people after a few of their games."""
