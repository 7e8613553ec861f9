from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.learning.rainbow.recipe import RainbowRecipe

LEAST = {"steps": 1, "validate_every": 1}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"v_min": 25.0}, "v_min = 25.0 is not below v_max = 25"),
    ],
)
def test_wrong_keys_and_values_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(HoadError, match=message):
        check_recipe(LEAST | wrong, RainbowRecipe, "my.toml")
