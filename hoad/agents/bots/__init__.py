"""O'Dwyer's bots."""
