import json
from dataclasses import replace
from pathlib import Path

from hoad.reports.output import write_report
from hoad.reports.page import to_text
from hoad.studies.diversity.measure import Diversity, measure_diversity
from hoad.studies.diversity.report import report
from tests.studies.diversity.examples import MUCH


def test_folder_holds_page_figure_json_and_csv(found: Diversity, tmp_path: Path) -> None:
    made = report(replace(found, made_with={"commit": "abc", "command": "x"}))

    page = write_report(made, tmp_path)

    assert "| commit | abc |" in page.read_text()
    assert (tmp_path / "by_distance.png").read_bytes().startswith(b"\x89PNG")
    numbers = json.loads((tmp_path / "results.json").read_text())
    assert numbers["corresponding"][0]["hamming"] == 0.5
    assert numbers["by_distance"]["between"]["hamming"]["0"] == 0.5
    assert numbers["unanimity"]["niches"] == 2
    assert numbers["decisions"] == found.decisions
    lines = (tmp_path / "results.csv").read_text().splitlines()
    assert lines[0] == "pairs,distance,measure,mean"
    assert "between,0,hamming,0.5" in lines
    assert "one – two" in to_text(made)


def test_one_population_alone_is_compared_within(names: list[str]) -> None:
    alone = report(measure_diversity(names[:1], **MUCH, threads=1))

    assert list(alone.facts["by_distance"]) == ["within"]
    assert {row["pairs"] for row in alone.rows} == {"within"}
    [figure] = alone.figures
    assert len(figure.draw().axes) == 3
