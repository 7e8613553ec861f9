from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.learning.training.clock import Clock


def test_a_clock_goes_on_from_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "clock.json"
    path.write_text('{"seconds": 100.0, "processor_seconds": 200.0}')

    Clock(path).save()
    clock = Clock(path)

    assert clock.seconds() == pytest.approx(100, abs=5)
    assert clock.processor_seconds() == pytest.approx(200, abs=5)


@pytest.mark.parametrize("text", ["", "[]", '{"seconds": "long"}'])
def test_a_damaged_clock_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "clock.json"
    path.write_text(text)

    with pytest.raises(HoadError, match=r"clock\.json: cannot read .* remove this file"):
        Clock(path)
