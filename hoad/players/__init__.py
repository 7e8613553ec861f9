"""The players of a table: from the name of a column to the player of a cell.

:mod:`.registry` takes a name such as ``low-shot@500:iggi`` apart and finds the class of its kind;
there is a file for each family of kinds. :mod:`.roster` holds what all of them share: the agents,
the pool, the matchups and the support of a table, and what is held out. What a player is, the
simplest ones, and how they play some games in a row with a partner, are in
:mod:`hoad.adhoc_player`; others are with their methods in :mod:`hoad.bayes`,
:mod:`hoad.partners` and :mod:`hoad.search`, or beside their kind.

A player of one's own is a class in a file (:mod:`.python_learner`). To add a kind to HOAD:

1. Write a subclass of :class:`~hoad.players.player_kind.PlayerKind`, or of ``PoolKind`` beside it
   if it chooses among the agents of a pool. ``make`` returns an
   :class:`~hoad.adhoc_player.AdhocPlayer`; ``identity`` returns what its moves depend on besides
   the partner and HOAD's own code: networks, options, and constants that one may want to compare.
   Kept games are found by it. After a change of anything else, play into a new folder (``--out``
   and ``--games``).
2. Name it in ``KINDS`` of :mod:`.registry`, with its class and what a recipe must have for it. A
   kind that needs matchups but no support is also a meta-agent of ``evaluate.py meta-agents``.
3. Add a row to the table of players in results/adhoc/README.md.
4. An option is a key of ``AdhocRecipe`` and a field of ``Roster``, which ``rosters_of`` fills.
5. Its tests are in ``tests/players``.
"""
