"""The kinds of players: what a player is made of, and what its games depend on.

To add a kind, write a subclass of :class:`~hoad.adhoc.players.kinds.kind.Kind` and name it in
:data:`~hoad.adhoc.players.kinds.registry.KINDS`.
"""
