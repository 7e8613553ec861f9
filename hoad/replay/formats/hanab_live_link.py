"""Links that open a replay on hanab.live: the whole game is in the address.

This is how the site's own program packs it (``hypoCompress.ts`` of Hanabi-Live/hanabi-live).
The code is ``<players><lowest rank><highest rank>``, one character a card; a comma; ``<lowest
type><highest type>``, two characters an action; a comma; the number of the variant. A hyphen
every 20 characters lets it wrap.
"""

from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, Final

ADDRESS: Final = "https://hanab.live/shared-replay-json/"

_BASE_62: Final = ascii_lowercase + digits + ascii_uppercase
_NO_VARIANT: Final = 0
_WRAP: Final = 20


def link_of(game: Mapping[str, Any]) -> str:
    """Return the link for a game in the site's form (:func:`.hanab_live.game_of`)."""
    code = f"{len(game['players'])}{_pack_deck(game)},{_pack_actions(game)},{_NO_VARIANT}"
    return ADDRESS + "-".join(code[start : start + _WRAP] for start in range(0, len(code), _WRAP))


def _pack_deck(game: Mapping[str, Any]) -> str:
    ranks = [card["rank"] for card in game["deck"]]
    low, high = min(ranks), max(ranks)
    cards = (
        _BASE_62[card["suitIndex"] * (high - low + 1) + card["rank"] - low] for card in game["deck"]
    )
    return f"{low}{high}{''.join(cards)}"


def _pack_actions(game: Mapping[str, Any]) -> str:
    types = [action["type"] for action in game["actions"]]
    low, high = min(types, default=0), max(types, default=0)
    packed = [f"{low}{high}"]
    for action in game["actions"]:
        value = action["value"] + 1 if "value" in action else 0
        packed.append(_BASE_62[value * (high - low + 1) + action["type"] - low])
        packed.append(_BASE_62[action["target"]])
    return "".join(packed)
