"""Everyone who can sit at the table."""
