import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hoad.core.errors import HoadError
from hoad.learning.maml.learn2learn import _import_maml, import_maml


def test_missing_learn2learn_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    _import_maml.cache_clear()
    with pytest.raises(HoadError, match=r"make setup.*pip install --no-deps.*learn2learn==0\.2\.0"):
        import_maml()


def test_a_later_import_gets_all_of_learn2learn() -> None:
    _import_maml.cache_clear()
    import_maml()
    assert not [module for module in sys.modules if module.startswith("learn2learn")]


def test_several_threads_may_be_the_first_to_ask_for_learn2learn() -> None:
    for _ in range(5):
        _import_maml.cache_clear()
        at_once = Barrier(4)

        def ask(at_once: Barrier) -> type:
            at_once.wait()
            return import_maml()

        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(ask, [at_once] * 4))

        assert len(set(found)) == 1
