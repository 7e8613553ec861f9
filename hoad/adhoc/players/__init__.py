"""The players of a table: from the name of a column to the player of a cell.

`column` takes a name such as ``low-shot@500:iggi`` apart and finds its kind in ``KINDS``; `kinds`
have a class for each kind of player, by what they learn; `roster` holds what all of them share:
the agents, the pool, the match-ups and the support of a table, and what is held out with a partner.
"""
