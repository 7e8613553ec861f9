"""A person at the table, on a page in the browser: ``hoad play``, ``play.py``.

- `server`: the servers of a person's table, and of games that a person watches.
- `door`: lets in those who have the token of the page's address.
- `room`: the open tabs, what they ask for, and what they are shown.
- `lobby`: all agents, and what a person's games tell of the person.
- `session`: a person's games with agents, and the agent at the table.
- `journal`: these games and the person's notes on disk.
- `warm_up`, `preparing`: what is compiled before the page is served, and what it shows meanwhile.
- `beliefs`: those about the agent and about the person, which the page shows.
- `review`: a finished game that is shown again.

``page/`` is the page. It shows the cards and the log with ``table.js`` of
:mod:`hoad.watch`, as pages of watched games do.
"""
