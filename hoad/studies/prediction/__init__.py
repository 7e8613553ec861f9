"""How well partner models predict a stranger: in recorded games, and in a study."""
