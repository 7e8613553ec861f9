"""Figures as files: PNG, and the formats that the user asks for."""

from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.core.figure_files import new_figure, png, write_figure


def test_a_figure_is_a_png_file(tmp_path: Path) -> None:
    written = write_figure(tmp_path / "a.png", new_figure(1, 1))

    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    assert (tmp_path / "a.png").read_bytes() == written == png(new_figure(1, 1))


def test_formats_for_papers_stand_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOAD_FIGURES", "pdf svg")

    write_figure(tmp_path / "a.png", new_figure(1, 1))

    assert {path.name for path in tmp_path.iterdir()} == {"a.png", "a.pdf", "a.svg"}
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_an_unknown_format_is_refused_when_the_png_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOAD_FIGURES", "pdff")

    with pytest.raises(HoadError, match=r"HOAD_FIGURES: no format 'pdff'.*pdf svg"):
        write_figure(tmp_path / "a.png", new_figure(1, 1))

    assert (tmp_path / "a.png").is_file()
