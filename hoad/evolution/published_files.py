"""The data that Canaan et al. published, as it lies in their repository, in the formats of HOAD.

Their repository, rocanaan/Hanabi-Map-Elites, holds in a clone:

- ``starter/2P``, ``2P2``, ``2P3``: the populations of 2020, on a 20 x 20 grid. A line is the
  chromosome of a niche, communicativeness first; an empty niche is a line of zeros.
- ``Analyses/Chromosomes/Population 1.html`` to ``3``: those of 2022, on a 5 x 5 grid, as pages of a
  spreadsheet with the score and the names of the rules of each elite; ``Rulebase.html`` has their
  numbers.
- ``starter/FinalTOG5by5/Bayes1Matchups`` to ``3``: matchups of the latter, a line for each pair:
  niches of response and hypothesis; communicativeness, IPP and score.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from itertools import pairwise, product
from pathlib import Path
from typing import Final

from hoad.core.errors import HoadError
from hoad.core.files import check_target, make_folder, reporting, write_file
from hoad.core.recipe import check_recipe
from hoad.evolution.population import Elite, Population, save_population

GRID_2020: Final = (20, 20)
GRID_2022: Final = (5, 5)

RULES: Final = "published-105"

_PAGES: Final = Path("Analyses", "Chromosomes")
_RULE_NAMES: Final = _PAGES / "Rulebase.html"

MATCHUP_COLUMNS: Final = (
    *("population", "r_comm_idx", "r_ipp_idx", "h_comm_idx", "h_ipp_idx"),
    *("h_comm", "h_ipp", "score"),
)
"""Of the table that meta-agents read (`hoad.bayes.matchups.read_published`)."""

_NUMBERS: Final = (1, 2, 3)


def is_published_clone(folder: Path) -> bool:
    """Return whether a folder seems to be a clone of that repository."""
    return (folder / _RULE_NAMES).is_file()


def import_published(clone: Path, target: Path) -> list[Path]:
    """Write the published populations and matchups to a folder; return the files.

    These are ``canaan_20x20_population_1.json`` to ``3``, ``canaan_5x5_population_1.json`` to ``3``
    and ``canaan_5x5_matchups.csv``, the names that the recipes of ``results/`` look for in
    ``$HOAD_REFERENCE``.

    Raises:
        HoadError: a file of the clone is missing or not as described above, or one to write exists.
    """
    populations = {
        **{f"canaan_20x20_population_{n}.json": read_2020(clone, n) for n in _NUMBERS},
        **{f"canaan_5x5_population_{n}.json": read_2022(clone, n) for n in _NUMBERS},
    }
    table = read_matchups(clone).encode()
    paths = [target / name for name in (*populations, "canaan_5x5_matchups.csv")]
    for path in paths:
        check_target(path, (path.suffix,))
    make_folder(target)
    for path, population in zip(paths, populations.values(), strict=False):
        save_population(path, population)
    write_file(paths[-1], table)
    return paths


def read_2020(clone: Path, number: int) -> Population:
    """Return a population of Canaan et al. 2020; fitness is not published by elite."""
    path = clone / "starter" / ("2P" if number == 1 else f"2P{number}")
    lines = _text(path).splitlines()
    if len(lines) != GRID_2020[0] * GRID_2020[1]:
        raise HoadError(f"{path}: {len(lines)} lines; expected a chromosome for each of 400 niches")
    niches = product(range(GRID_2020[0]), range(GRID_2020[1]))
    elites = []
    for line, (niche, text) in enumerate(zip(niches, lines, strict=True), start=1):
        if not re.fullmatch(r"\d+(,\d+)*", text):
            raise HoadError(f"{path}: line {line}: expected rules with commas, got {text[:40]!r}")
        chromosome = tuple(map(int, text.split(",")))
        if any(chromosome):
            elites.append(_elite(path, niche, chromosome, None))
    return Population(
        name=f"canaan-2020-population-{number}", grid=GRID_2020, rules=RULES, elites=tuple(elites)
    )


def read_2022(clone: Path, number: int) -> Population:
    """Return a population of Canaan et al. 2022, with the scores that are published."""
    path = clone / _PAGES / f"Population {number}.html"
    numbers = _rule_numbers(clone / _RULE_NAMES)
    elites = []
    for row, (scores, chromosomes) in enumerate(_rows_of_niches(path)):
        for information, (score, names) in enumerate(zip(scores, chromosomes, strict=True)):
            if names.strip() not in ("", "N/A"):
                rules = tuple(_rule(path, name, numbers) for name in names.split("\n") if name)
                niche = (GRID_2022[0] - 1 - row, information)
                elites.append(_elite(path, niche, rules, _number(path, score)))
    return Population(
        name=f"canaan-2022-population-{number}",
        grid=GRID_2022,
        rules=RULES,
        elites=tuple(sorted(elites, key=lambda elite: elite.niche)),
    )


def _rows_of_niches(path: Path) -> list[tuple[list[str], list[str]]]:
    """Return the scores and the chromosomes of each row of a page's grid, from the top.

    The top row has the highest communicativeness. The pages of populations 2 and 3 label it
    ``0 to 0.2``, but their own matchups and empty niches say that it is 0.8 to 1.
    """
    size = GRID_2022[1]
    rows = [
        (scores[-size:], chromosomes[-size:])
        for scores, chromosomes in pairwise(_rows(path))
        if any(re.fullmatch(r"0(\.\d)? to (0\.\d|1)", cell) for cell in scores[:-size])
    ]
    if len(rows) != GRID_2022[0] or any(len(chromosomes) != size for _, chromosomes in rows):
        raise HoadError(f"{path}: expected the page of a population, with 5 rows of 5 niches")
    return rows


def read_matchups(clone: Path) -> str:
    """Return the published matchups of all three populations of 2022 as one table (CSV)."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(MATCHUP_COLUMNS)
    for number in _NUMBERS:
        path = clone / "starter" / "FinalTOG5by5" / f"Bayes{number}Matchups"
        rows = dict(_matchup_rows(path))
        niches = {response for response, _ in rows}
        if not rows or rows.keys() != set(product(niches, niches)):
            raise HoadError(f"{path}: not all pairs of its {len(niches)} niches")
        for (response, hypothesis), values in sorted(rows.items()):
            writer.writerow([number, *response, *hypothesis, *values])
    return table.getvalue()


_Niche = tuple[int, int]


def _matchup_rows(path: Path) -> Iterator[tuple[tuple[_Niche, _Niche], list[str]]]:
    niche, value = r"\[(\d+),(\d+)\]", r"(\d+\.\d+|NaN)"
    pattern = re.compile(f"{niche};{niche}: {value} {value} {value}")
    for line, text in enumerate(_text(path).splitlines(), start=1):
        match = pattern.fullmatch(text)
        if match:
            first_x, first_y, second_x, second_y = map(int, match.groups()[:4])
            yield (
                ((first_x, first_y), (second_x, second_y)),
                [v.lower() for v in match.groups()[4:]],
            )
        elif line > 1:  # the first says how they were made
            raise HoadError(
                f"{path}: line {line}: expected [c,i];[c,i]: and three numbers, got {text[:40]!r}"
            )


def _rule_numbers(path: Path) -> dict[str, int]:
    numbers = {row[-1]: int(row[-2]) for row in _rows(path) if len(row) > 1 and row[-2].isdecimal()}
    if not numbers:
        raise HoadError(f"{path}: no rules; expected their numbers and names")
    return numbers


def _rule(path: Path, name: str, numbers: Mapping[str, int]) -> int:
    if name.strip() not in numbers:
        raise HoadError(f"{path}: rule {name.strip()!r} is not in {_RULE_NAMES.name}")
    return numbers[name.strip()]


def _number(path: Path, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise HoadError(f"{path}: score {text!r} of an elite is no number") from None


def _elite(path: Path, niche: _Niche, rules: tuple[int, ...], fitness: float | None) -> Elite:
    values = {"niche": niche, "chromosome": rules, "fitness": fitness}
    return check_recipe(values, Elite, source=f"{path}: niche {niche[0]},{niche[1]}")


def _text(path: Path) -> str:
    try:
        with reporting(path):
            return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise HoadError(f"{path}: not a text file: {error}") from error


def _rows(path: Path) -> list[list[str]]:
    """Return the texts of the cells of a page's table, by row; lines of a cell stay lines."""
    page = _Table()
    page.feed(_text(path))
    return page.rows


class _Table(HTMLParser):
    """Collects the cells of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in_cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag == "td" and self.rows:
            self.rows[-1].append("")
            self._in_cell = True
        elif tag == "br" and self._in_cell:
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag == "td":
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data
