"""Game logs in the formats of other programs; :mod:`.jsonl` holds what all formats share.

To add a format, write a module with a function ``sources``, which yields the games of a file or a
folder. ``_sources`` of :mod:`.convert` calls it; a format whose files end as another's do must be
recognised there by its content.
"""
