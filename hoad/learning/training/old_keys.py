"""Keys of recipes in the metadata of networks that were trained under their old names."""

from collections.abc import Mapping
from typing import Any, Final

_CURRENT: Final = {
    "warm_up": "warmup_steps",
    "second_moment": "adam_beta2",
    "statistics_share": "bn_momentum",
    "averaging": "ema",
    "inner_rates": "inner_lrs",
    "inner_halving": "inner_lr_half_life",
    "halving": "lr_half_life",
    "lowest": "v_min",
    "highest": "v_max",
    "status_weight": "own_cards_weight",
    "aided_steps": "auxiliary_steps",
    "first_update": "learning_starts",
    "unaided_rate": "late_learning_rate",
    "unaided_halving": "late_lr_half_life",
    "priority": "per_alpha",
    "importance": "per_beta",
}

_WITHOUT_EFFECT: Final = {"dueling": False, "noisy": False, "n_step": 1}
"""Keys that are gone, with the value of the present code."""


def current_keys(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recipe in a network's metadata by the current names of its keys.

    A key that is gone stays if its value was another one than the present code has.
    """
    kept = {key: value for key, value in stored.items() if _WITHOUT_EFFECT.get(key, ...) != value}
    return {_CURRENT.get(key, key): value for key, value in kept.items()}
