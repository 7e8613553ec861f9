import json
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.paths import METADATA, SHIPPED_CHECKPOINTS
from hoad.core.recipe import Recipe, check_recipe
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.old_keys import current_keys


@pytest.mark.parametrize(
    ("folder", "old", "model"),
    [
        ("imitator/iggi", {"warm_up", "second_moment"}, ImitatorRecipe),
        ("maml/iggi", {"statistics_share", "averaging", "inner_rates"}, MamlRecipe),
        ("rainbow/1", {"n_step", "noisy", "dueling", "lowest"}, RainbowRecipe),
    ],
)
def test_the_recipes_of_shipped_networks_are_read(
    folder: str, old: set[str], model: type[Recipe]
) -> None:
    path = SHIPPED_CHECKPOINTS / folder / METADATA
    stored = json.loads(Path(path).read_text())["recipe"]
    assert old < stored.keys()

    recipe = check_recipe(current_keys(stored), model, str(path))

    values = recipe.model_dump(mode="json")
    kept = stored.keys() & values.keys()
    assert {key: stored[key] for key in kept} == {key: values[key] for key in kept}
    assert values.get("v_min", -25) == -25 and values.get("ema", 0) != 1


def test_a_recipe_with_a_key_that_is_gone_is_refused_if_it_had_an_effect() -> None:
    stored = current_keys({"steps": 1, "validate_every": 1, "n_step": 3, "noisy": False})

    assert "noisy" not in stored
    with pytest.raises(HoadError, match="unknown key n_step"):
        check_recipe(stored, RainbowRecipe, "model.safetensors")
