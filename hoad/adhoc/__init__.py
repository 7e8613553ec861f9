"""Playing with a partner never met."""
