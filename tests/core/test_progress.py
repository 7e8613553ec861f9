import pytest

from hoad.core.progress import counted


def test_counted_items_are_those_given() -> None:
    assert list(counted(iter("ab"), [3, 4], "letters", "games")) == ["a", "b"]


def test_each_item_has_a_size() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(counted(iter("ab"), [3], "letters", "games"))
