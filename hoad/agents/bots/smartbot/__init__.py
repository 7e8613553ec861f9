"""O'Dwyer's SmartBot."""
