from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import check_recipe
from hoad.learning.maml.recipe import MamlRecipe

LEAST = {"steps": 1, "validate_every": 1, "agents": ["iggi", "piers"]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"inner_lr_half_life": 0}, "inner_lr_half_life = 0"),
        ({"query_gradient": "last"}, "query_gradient has no effect"),
        ({"batches": 2}, "batches has no effect"),
        ({"episode": "transitions", "games": 5}, "games has no effect"),
        ({"batch_norm": "frozen", "bn_momentum": 0.1}, "bn_momentum has no effect"),
        ({"agents": ["iggi", "outer", "outer"]}, "agents has duplicates: outer"),
    ],
)
def test_wrong_keys_and_values_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(HoadError, match=message):
        check_recipe(LEAST | wrong, MamlRecipe, "my.toml")
