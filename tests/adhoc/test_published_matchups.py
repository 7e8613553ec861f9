import pytest
from hoad.adhoc.published_matchups import read_published

from hoad.adhoc.pool import Pool
from hoad.core.errors import HoadError

POOL = Pool(("low", "high"), ((0, 0), (1, 2)), (5, 5))
HEADING = "population,r_comm_idx,r_ipp_idx,h_comm_idx,h_ipp_idx,h_comm,h_ipp,score"
ROWS = (
    "1,0,0,0,0,0.1,0.2,3",
    "1,0,0,1,2,0.3,0.4,5",
    "1,1,2,0,0,0.5,NaN,7",
    "1,1,2,1,2,0.7,0.8,9",
    "2,0,0,0,0,0,0,99",
)


def written(path, *lines):
    path.write_text("\n".join(lines))
    return path


def test_rows_are_responses_in_the_first_seat(tmp_path):
    found = read_published(written(tmp_path / "published.csv", HEADING, *ROWS), 1, POOL)

    assert found.agents == POOL.agents
    assert found.scores(0).tolist() == [[3, 5], [7, 9]]
    shown = found.expected_features(0)
    assert shown[0].tolist() == [[0.1, 0.2], [0.3, 0.4]]
    assert shown[1, 0, 0] == 0.5
    assert shown[1, 0, 1] != shown[1, 0, 1]  # not a number


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (("a,b", "1,2"), "not the table"),
        ((HEADING,), "not the table"),
        ((HEADING, *ROWS[:3]), "does not have all pairs"),
        ((HEADING, *ROWS[:4], "1,4,4,0,0,0,0,1"), r"niche \(4, 4\) is not in the pool"),
        ((HEADING, *ROWS[:2], "one,0,0,0,0,0,0,1"), "line 4: .*'one'"),
        ((HEADING, "1,0,0,0,0,0.1"), "line 2: "),
    ],
)
def test_other_tables_are_refused(lines, complaint, tmp_path):
    with pytest.raises(HoadError, match=rf"published\.csv: .*{complaint}"):
        read_published(written(tmp_path / "published.csv", *lines), 1, POOL)


def test_missing_table_is_refused(tmp_path):
    with pytest.raises(HoadError, match=r"absent\.csv: cannot read"):
        read_published(tmp_path / "absent.csv", 1, POOL)
