"""The clock of a training that may be stopped."""

import pytest

from hoad.core.errors import HoadError
from hoad.learning.training.clock import Clock


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, '{"seconds": "long"}'])
def test_a_clock_goes_on_from_what_was_saved_and_a_damaged_one_is_refused(text, tmp_path):
    path = tmp_path / "clock.json"
    path.write_text('{"seconds": 100.0, "processor_seconds": 200.0}')
    Clock(path).save()
    clock = Clock(path)
    assert [clock.seconds(), clock.processor_seconds()] == pytest.approx([100, 200], abs=5)

    path.write_text(text)
    with pytest.raises(HoadError, match=r"clock\.json: cannot read .* remove this file"):
        Clock(path)
