from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.learning.rainbow.curve import CPU_HOURS, HOURS, STEPS, LearningCurve, read_curve
from hoad.learning.training.clock import Clock


def test_a_curve_grows_by_a_line_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "new" / "curve.csv"
    curve = LearningCurve(path, Clock(tmp_path / "clock.json"))
    curve.add(1000, {"strict": 3.25})
    curve.add(2000, {"strict": 4.5})
    lines = read_curve(path)
    assert [(line[STEPS], line["strict"]) for line in lines] == [(1000, 3.25), (2000, 4.5)]
    assert 0 <= lines[0][HOURS] <= lines[1][HOURS] < 0.1
    assert 0 <= lines[0][CPU_HOURS] <= lines[1][CPU_HOURS] < 0.1


def test_it_goes_on_with_the_hours_of_earlier_runs(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    path.write_text(
        f"{STEPS},{HOURS},{CPU_HOURS},strict\n1000,1.5,2.5,3\n2000,2.5,4.0,4\n3000,3.5,6.0,5\n"
    )
    clock = tmp_path / "clock.json"
    clock.write_text('{"seconds": 9000.0, "processor_seconds": 14400.0}')
    curve = LearningCurve(path, Clock(clock))
    curve.resume(2000)
    curve.add(3000, {"strict": 6})
    lines = read_curve(path)
    assert [line["strict"] for line in lines] == [3, 4, 6]
    assert lines[-1][HOURS] == pytest.approx(2.5, abs=0.1)
    assert lines[-1][CPU_HOURS] == pytest.approx(4.0, abs=0.1)


def test_a_curve_reads_the_same_after_going_on(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    LearningCurve(path, Clock(tmp_path / "clock.json")).add(1000, {"strict": 3.25})
    (line,) = path.read_text().splitlines()[1:]
    curve = LearningCurve(path, Clock(tmp_path / "clock.json"))
    curve.resume(1000)
    curve.add(2000, {"strict": 4.5})
    assert path.read_text().splitlines()[1].split(",")[0] == line.split(",")[0] == "1000"


def test_a_curve_with_other_columns_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "curve.csv"
    LearningCurve(path, Clock(tmp_path / "clock.json")).add(1000, {"score": 3.25})
    curve = LearningCurve(path, Clock(tmp_path / "clock.json"))
    curve.resume(1000)
    with pytest.raises(HoadError, match=r"curve\.csv: a learning curve with other columns"):
        curve.add(2000, {"strict": 4.5})


def test_going_on_without_a_file_begins_one(tmp_path: Path) -> None:
    curve = LearningCurve(tmp_path / "curve.csv", Clock(tmp_path / "clock.json"))
    curve.resume(0)
    curve.add(1000, {"strict": 1})
    assert len(read_curve(tmp_path / "curve.csv")) == 1


@pytest.mark.parametrize("text", ["a,b\n1,2\n", f"{STEPS},{HOURS},{CPU_HOURS}\n1,2,x\n"])
def test_what_is_no_curve_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "curve.csv"
    path.write_text(text)
    with pytest.raises(HoadError, match=r"curve\.csv"):
        read_curve(path)
