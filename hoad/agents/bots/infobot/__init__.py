"""O'Dwyer's InfoBot."""
