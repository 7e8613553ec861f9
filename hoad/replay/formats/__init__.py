"""Game logs in the formats of other programs; :mod:`.jsonl` holds what all formats share."""
