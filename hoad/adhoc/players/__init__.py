"""The players of a table: from the name of a column to the player of a cell.

`kinds` have a class for each kind of player, and a registry, which takes a name such as
``low-shot@500:iggi`` apart and finds its class; `roster` holds what all of them share: the agents,
the pool, the match-ups and the support of a table, and what is held out with a partner.

The players themselves are with their methods: :mod:`hoad.adhoc.bayes`, `hoad.adhoc.partner_models`
and `hoad.adhoc.search`. Those that need little besides `hoad.adhoc.player` are beside their kind.
"""
