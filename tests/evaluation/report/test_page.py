from pathlib import Path

from hoad.evaluation.report.page import (
    Block,
    Figure,
    Heading,
    Paragraph,
    Table,
    to_html,
    to_markdown,
    to_text,
)

BLOCKS: list[Block] = [
    Heading("Scores", level=1),
    Paragraph("a < b"),
    Table([["partner", "x|y"], ["iggi", "17.2"]]),
]


def test_markdown():
    assert to_markdown(BLOCKS) == (
        "# Scores\n\na < b\n\n| partner | x\\|y |\n| --- | ---: |\n| iggi | 17.2 |\n"
    )


def test_a_terminal_shows_all_but_figures():
    blocks = [*BLOCKS, Figure(Path("bars.png"), "Bars.")]

    assert to_text(blocks) == (
        "Scores\n======\n\na < b\n\npartner   x|y\n-------  ----\niggi     17.2"
    )


def test_html_is_escaped():
    page = to_html("Scores", BLOCKS)

    assert "<h1>Scores</h1>" in page
    assert "<p>a &lt; b</p>" in page
    assert "<tr><th>partner</th><th>x|y</th></tr>" in page
    assert "<tr><td>iggi</td><td>17.2</td></tr>" in page


def test_figures_are_linked_in_markdown_and_embedded_in_html(tmp_path):
    path = tmp_path / "bars.png"
    path.write_bytes(b"PNG")
    block = Figure(path, "Bars.")

    assert "![Bars.](bars.png)" in to_markdown([block])
    assert 'src="data:image/png;base64,UE5H"' in to_html("", [block])
