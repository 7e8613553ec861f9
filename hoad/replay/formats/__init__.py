"""Game logs in the formats of other programs; :mod:`.jsonl` holds what all formats share.

To add a format, write a file here whose ``sources`` yields the games of a file or a folder, and
choose it in ``_sources`` of :mod:`.convert`.
"""
