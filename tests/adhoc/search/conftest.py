"""What tests of searching players share."""

from collections.abc import Iterator

import pytest

from hoad.adhoc.search import partner


@pytest.fixture(scope="module")
def few_games() -> Iterator[None]:
    """Let players choose how far to trust search by a few games with their models."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partner, "TRIAL_GAMES", 2)
        yield
