"""What search gains with a known partner, and what it costs."""
