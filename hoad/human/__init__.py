"""A person at the table: games of a person with an agent, on a page in the browser: `hoad play`, `play.py`."""
