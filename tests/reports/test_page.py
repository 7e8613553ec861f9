from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hoad.core.figure_files import new_figure
from hoad.reports.page import (
    Block,
    CommandLines,
    Figure,
    Heading,
    Paragraph,
    Report,
    Strong,
    Table,
    blocks_to_text,
    to_html,
    to_markdown,
    to_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def draw_nothing():
    return new_figure(1, 1)


BARS = Figure("bars.png", "Bars.", draw_nothing)
REPORT = Report(
    "Scores", [Paragraph("a < b"), Table([["partner", "x|y"], ["iggi", "17.2"]])], rows=[], facts={}
)


def with_blocks(*blocks, appendix=()):
    return Report("Scores", blocks, rows=[], facts={}, appendix=appendix)


def test_markdown():
    assert to_markdown(REPORT) == (
        "# Scores\n\na < b\n\n| partner | x\\|y |\n| --- | ---: |\n| iggi | 17.2 |\n"
    )


def test_text():
    assert to_text(REPORT) == (
        "Scores\n======\n\na < b\n\npartner   x|y\n-------  ----\niggi     17.2"
    )


def test_a_terminal_shows_neither_figures_nor_the_appendix():
    def fail():
        pytest.fail("a terminal draws nothing")

    report = with_blocks(
        Heading("Text"),
        Paragraph("shown"),
        Heading("Plots"),
        Figure("bars.png", "Bars.", fail),
        appendix=[Paragraph("only in the file")],
    )

    assert to_text(report) == "Scores\n======\n\nText\n====\n\nshown"


def test_a_section_with_a_figure_and_text_keeps_its_heading():
    blocks: list[Block] = [Heading("Plots"), BARS, Paragraph("shown"), Heading("More"), BARS]

    assert blocks_to_text(blocks) == "Plots\n=====\n\nshown"


def test_the_appendix_follows_the_blocks_in_a_file():
    report = with_blocks(Paragraph("first"), appendix=[Paragraph("last")])

    assert to_markdown(report) == "# Scores\n\nfirst\n\nlast\n"


def test_html_is_escaped():
    page = to_html(REPORT, {})

    assert "<h1>Scores</h1>" in page
    assert "<p>a &lt; b</p>" in page
    assert "<tr><th>partner</th><th>x|y</th></tr>" in page
    assert "<tr><td>iggi</td><td>17.2</td></tr>" in page


def test_figures_are_linked_in_markdown_and_embedded_in_html():
    report = with_blocks(BARS)

    assert "![Bars.](bars.png)" in to_markdown(report)
    assert 'src="data:image/png;base64,UE5H"' in to_html(report, {"bars.png": b"PNG"})


def test_code_is_shown_as_it_is():
    report = with_blocks(CommandLines("python a.py <b"))

    assert "```\npython a.py <b\n```" in to_markdown(report)
    assert "<pre>python a.py &lt;b</pre>" in to_html(report, {})
    assert to_text(report).endswith("\npython a.py <b")


def test_strong_cells_and_intervals_stay_together():
    report = Report(
        "t", [Table([["a", "b"], ["c", Strong("1.0 ± 0.1")], ["d", "1 ± 0 †"]])], [], {}
    )

    assert "| c | **1.0\u00a0±\u00a00.1** |" in to_markdown(report)
    assert "| d | 1\u00a0±\u00a00\u00a0† |" in to_markdown(report)
    assert "<td><strong>1.0\u00a0±\u00a00.1</strong></td>" in to_html(report, {})
    assert "1.0 ± 0.1" in to_text(report)


def test_a_click_on_a_heading_sorts_a_table(browser: "Browser", tmp_path: Path) -> None:
    rows = [
        ["player", "strict score", "p"],
        ["search", "9.17 ± 0.59 †", "< 0.0001"],
        ["naive", Strong("2,100.54 ± 0.24"), ""],
        ["low-shot", "-1.57", "0.0300"],
    ]
    path = tmp_path / "report.html"
    path.write_text(to_html(with_blocks(Table(rows), Table(rows)), {}))
    page = browser.new_page()
    page.goto(path.as_uri())

    def sorted_by(heading: str) -> list[str]:
        """Return the players of the first table after a click; the second one stays as it is."""
        page.locator("th", has_text=heading).first.click()
        first, second = page.locator("table").all()
        assert second.locator("td:first-child").all_inner_texts() == [row[0] for row in rows[1:]]
        return first.locator("td:first-child").all_inner_texts()

    assert sorted_by("strict score") == ["naive", "search", "low-shot"]
    assert page.locator("th[aria-sort=descending]").all_inner_texts() == ["strict score"]
    assert sorted_by("strict score") == ["low-shot", "search", "naive"]
    assert sorted_by("player") == ["low-shot", "naive", "search"]
    page.locator("th", has_text="p").nth(1).press("Enter")
    assert page.locator("table").first.locator("td:last-child").all_inner_texts() == [
        "0.0300",
        "< 0.0001",
        "",
    ]


def test_rows_about_all_stay_at_the_end(browser: "Browser", tmp_path: Path) -> None:
    rows = [["partner", "score"], ["iggi", "1"], ["piers", "3"], ["all partners", "2"]]
    path = tmp_path / "report.html"
    path.write_text(to_html(with_blocks(Table(rows)), {}))
    page = browser.new_page()
    page.goto(path.as_uri())

    page.locator("th", has_text="score").click()

    assert page.locator("td:first-child").all_inner_texts() == ["piers", "iggi", "all partners"]
