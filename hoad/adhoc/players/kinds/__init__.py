"""The kinds of players: what a player is made of, and what its games depend on.

A player of one's own needs no change here (README, Your own ad-hoc player). To add a kind to HOAD:

1. Write a subclass of :class:`~hoad.adhoc.players.kinds.player_kind.PlayerKind`, or of
   ``PoolKind`` if it chooses among the agents of a pool. ``make`` returns an
   :class:`~hoad.adhoc.player.AdhocPlayer`; ``identity`` returns what its moves depend on besides
   the partner and HOAD's own code: networks, options, and constants that one may want to compare.
   Kept games are found by it. After a change of anything else, play into a new folder (``--out``
   and ``--games``).
2. Name it in ``kinds.toml``, with what a recipe must have for it. One that needs match-ups but no
   support is also a meta-agent of ``evaluate.py meta-agents``.
3. Name it in results/README.md.
4. An option is a key of ``AdhocRecipe`` and a field of ``Roster``, which ``rosters_of`` fills.
5. Its tests are in ``tests/adhoc/players/kinds``.
"""
