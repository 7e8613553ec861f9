"""The decks on which a part of the code has had games played."""

from types import ModuleType

import pytest


def note_decks(monkeypatch: pytest.MonkeyPatch, module: ModuleType, function: str) -> set[bytes]:
    """Return a set that will hold all decks of the games that a module plays from now on.

    Args:
        monkeypatch: for how long.
        module: whose games.
        function: the name by which it knows `play` or `play_numbered`.
    """
    decks: set[bytes] = set()
    original = getattr(module, function)

    def noted(*arguments, **named):
        logs = original(*arguments, **named)
        decks.update(deck.tobytes() for deck in logs.decks)
        return logs

    monkeypatch.setattr(module, function, noted)
    return decks
