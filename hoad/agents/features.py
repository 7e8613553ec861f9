"""Names of behavioural features, for recipes; :mod:`hoad.agents.behaviour` measures them."""

from typing import Annotated, Final, Literal

from pydantic import Field

OBSERVABLE: Final = ("communicativeness", "information_per_play")
"""The features that a partner can compute, in the order of the columns of ``features_of``."""

Feature = Literal["communicativeness", "information_per_play", "risk_aversion"]
"""Any feature, as an axis of a grid of niches."""

Niches = Annotated[int, Field(ge=1, le=100)]
"""A number of niches into which the values of a feature are divided."""
