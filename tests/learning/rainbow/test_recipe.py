import json
from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED_CHECKPOINTS, find_metadata
from hoad.core.recipe import check_recipe
from hoad.learning.rainbow.recipe import RainbowRecipe

LEAST = {"steps": 1, "validate_every": 1}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"v_min": 25.0}, "v_min = 25.0 is not below v_max = 25"),
        ({"lowest": -5}, "key lowest was renamed to v_min"),
        ({"n_step": 1}, "key n_step was removed"),
        ({"noisy": True}, "key noisy was removed"),
        ({"dueling": False}, "key dueling was removed"),
    ],
)
def test_wrong_keys_and_values_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(HoadError, match=message):
        check_recipe(LEAST | wrong, RainbowRecipe, "my.toml")


def test_the_recipes_of_shipped_networks_are_read_whatever_their_keys() -> None:
    path = find_metadata(SHIPPED_CHECKPOINTS / "rainbow" / "1" / "model.safetensors")
    assert path is not None
    stored = json.loads(path.read_text())["recipe"]
    assert {"n_step", "noisy", "dueling", "lowest"} < stored.keys()

    recipe = check_recipe(RainbowRecipe.current_keys(stored), RainbowRecipe, str(path))

    assert (recipe.v_min, recipe.own_cards_weight, recipe.seed) == (-25, 0.5, 1)


def test_a_stored_recipe_with_a_removed_option_set_is_refused() -> None:
    stored = RainbowRecipe.current_keys(LEAST | {"n_step": 3})
    with pytest.raises(HoadError, match="key n_step was removed"):
        check_recipe(stored, RainbowRecipe, "model.safetensors")
