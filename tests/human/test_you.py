"""What the page tells a person about the person."""

from pathlib import Path

import pytest

from hoad.human.session import Session
from hoad.human.you import describe_person
from hoad.partners.known_people import known_people
from tests.human.tables import Table


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Three games in which piers plays as the person."""
    table = Table(tmp_path_factory.mktemp("three"))
    for _ in range(3):
        table.begin("iggi", person="piers")
        table.finish()
    return table.session


def test_after_three_games_the_person_is_placed_among_others(session: Session) -> None:
    found = describe_person(session.games)

    assert describe_person(session.games[:2]) is None  # which say too little
    assert found is not None
    known = known_people()
    assert found["most_alike"] in known.names
    assert found["people"] == len(known.losses) > 100
    assert found["harder"] == (known.losses > found["loss"]).mean()
    assert found["games"] == 3
    assert any("play" in rule.lower() for rule in found["rules"])


def test_whether_the_person_had_played_before_is_kept_once(tmp_path: Path) -> None:
    session = Session(tmp_path)
    unasked = session.played_before

    session.note_experience(True)
    session.note_experience(False)

    assert (unasked, session.played_before, Session(tmp_path).played_before) == (None, True, True)
    assert [path.name for path in tmp_path.iterdir()] == ["experience.json"]
