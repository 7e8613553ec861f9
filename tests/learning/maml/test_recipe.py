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
        ({"statistics_share": 0.5}, "key statistics_share was renamed to bn_momentum"),
        ({"inner_halving": 10}, "key inner_halving was renamed to inner_lr_half_life"),
    ],
)
def test_wrong_keys_and_values_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(HoadError, match=message):
        check_recipe(LEAST | wrong, MamlRecipe, "my.toml")


def test_stored_values_are_those_of_the_first_keys() -> None:
    recipe = MamlRecipe.model_validate(LEAST)
    stored = recipe.stored_values()
    assert {"statistics_share", "averaging", "inner_rates", "inner_halving", "halving"} < {*stored}
    assert MamlRecipe.model_validate(MamlRecipe.current_keys(stored)) == recipe
