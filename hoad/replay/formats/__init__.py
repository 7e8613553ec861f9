"""Game logs in the formats of other programs."""
