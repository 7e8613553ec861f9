"""A person at the table, on a page in the browser: ``hoad play``, ``play.py``."""
