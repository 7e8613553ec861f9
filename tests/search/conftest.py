"""What tests of searching players share."""

from collections.abc import Iterator

import pytest

from hoad.search import strategy


@pytest.fixture(scope="module")
def quick_choices() -> Iterator[None]:
    """Let players search with few hypotheses."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strategy, "HYPOTHESES", 6)
        yield
