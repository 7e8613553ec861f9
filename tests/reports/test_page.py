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


BARS = Figure("bars.png", "Bars.", lambda: new_figure(1, 1))
REPORT = Report(
    "Scores", [Paragraph("a < b"), Table([["partner", "x|y"], ["iggi", "17.2"]])], rows=[], facts={}
)


def with_blocks(*blocks, appendix=()):
    return Report("Scores", blocks, rows=[], facts={}, appendix=appendix)


def test_a_page_is_markdown_text_or_escaped_html():
    assert to_markdown(REPORT) == (
        "# Scores\n\na < b\n\n| partner | x\\|y |\n| --- | ---: |\n| iggi | 17.2 |\n"
    )
    assert to_text(REPORT) == (
        "Scores\n======\n\na < b\n\npartner   x|y\n-------  ----\niggi     17.2"
    )
    page = to_html(REPORT, {})
    assert "<h1>Scores</h1>" in page
    assert "<p>a &lt; b</p>" in page
    assert "<tr><th>partner</th><th>x|y</th></tr>" in page
    assert "<tr><td>iggi</td><td>17.2</td></tr>" in page


def fail():
    pytest.fail("text needs no drawing")


def test_a_terminal_shows_neither_figures_nor_the_appendix():
    figure, appendix = Figure("bars.png", "Bars.", fail), [Paragraph("only in the file")]
    blocks: list[Block] = [Heading("Text"), Paragraph("shown"), Heading("Plots"), figure]
    report = with_blocks(*blocks, appendix=appendix)

    assert to_text(report) == "Scores\n======\n\nText\n====\n\nshown"
    both: list[Block] = [Heading("Plots"), BARS, Paragraph("shown"), Heading("More"), BARS]
    assert blocks_to_text(both) == "Plots\n=====\n\nshown"  # a section with text keeps its heading
    report = with_blocks(Paragraph("first"), appendix=[Paragraph("last")])
    assert to_markdown(report) == "# Scores\n\nfirst\n\nlast\n"


def test_figures_are_linked_or_embedded_and_code_is_shown_as_it_is():
    assert "![Bars.](bars.png)" in to_markdown(with_blocks(BARS))
    assert 'src="data:image/png;base64,UE5H"' in to_html(with_blocks(BARS), {"bars.png": b"PNG"})
    report = with_blocks(CommandLines("python a.py <b"))

    assert "```\npython a.py <b\n```" in to_markdown(report)
    assert "<pre>python a.py &lt;b</pre>" in to_html(report, {})
    assert to_text(report).endswith("\npython a.py <b")


def test_a_name_begins_no_tag_in_markdown():
    tag, blocks = "<img src=x>", [Heading("<!-- a"), Paragraph("</b> a<b"), CommandLines("a <b")]
    table, figure = Table([["p < 0.1", "<?x"], [tag, Strong(tag)]]), Figure("a.png", tag, fail)
    lines = to_markdown(with_blocks(*blocks, table, figure)).splitlines()

    shown = "&lt;img src=x>"
    assert {"## &lt;!-- a", "&lt;/b> a&lt;b", "a <b", "| p < 0.1 | &lt;?x |"} <= {*lines}
    assert {f"| {shown} | **{shown}** |", f"![{shown}](a.png)", f"*{shown}*"} <= {*lines}


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
    of_all = [["partner", "score"], ["iggi", "1"], ["piers", "3"], ["all partners", "2"]]
    path = tmp_path / "report.html"
    path.write_text(to_html(with_blocks(Table(rows), Table(rows), Table(of_all)), {}))
    page = browser.new_page()
    page.goto(path.as_uri())

    def sorted_by(heading: str) -> list[str]:
        """Return the players of the first table after a click; the second one stays as it is."""
        page.locator("th", has_text=heading).first.click()
        first, second, _ = page.locator("table").all()
        assert second.locator("td:first-child").all_inner_texts() == [row[0] for row in rows[1:]]
        return first.locator("td:first-child").all_inner_texts()

    assert sorted_by("strict score") == ["naive", "search", "low-shot"]
    assert page.locator("th[aria-sort=descending]").all_inner_texts() == ["strict score"]
    assert sorted_by("strict score") == ["low-shot", "search", "naive"]
    assert sorted_by("player") == ["low-shot", "naive", "search"]
    page.locator("th", has_text="p").nth(1).press("Enter")
    cells = page.locator("table").first.locator("td:last-child").all_inner_texts()
    assert cells == ["0.0300", "< 0.0001", ""]
    third = page.locator("table").nth(2)
    third.locator("th", has_text="score").click()
    partners = third.locator("td:first-child").all_inner_texts()
    assert partners == ["piers", "iggi", "all partners"]  # rows about all stay at the end
