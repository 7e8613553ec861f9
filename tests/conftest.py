"""What many tests need."""

import importlib
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from hoad.bayes.matchups import Matchups, read_published
from hoad.bayes.pool import make_pool
from hoad.core.provenance import forget_networks

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["tests.meta_models"]

ROOT = Path(__file__).parents[1]

# The first example may compile, which takes seconds.
settings.register_profile("hoad", deadline=None)
settings.load_profile("hoad")

# Before torch is loaded: matrices this small gain nothing from more threads, which wait busily.
os.environ["OMP_NUM_THREADS"] = "1"


def pytest_configure() -> None:
    """Let programs that tests start take Ctrl-C and hang-ups, even if the tests run under nohup.

    Programs inherit signals that are ignored, but no handlers.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that no worker is alone with them in the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True)
def no_networks_yet() -> None:
    """Forget the networks of earlier tests, as a command does when it begins."""
    forget_networks()


@pytest.fixture(scope="session")
def reference() -> Path:
    """Games recorded by other programs, in JSON Lines."""
    folder = Path(os.environ.get("HOAD_REFERENCE", ROOT / ".." / "shared" / "reference")).resolve()
    if not folder.is_dir():
        pytest.skip(f"no reference games in {folder} (name their folder in HOAD_REFERENCE)")
    return folder


@pytest.fixture(scope="session")
def published(reference: Path) -> Callable[[int], Matchups]:
    """Their matchups by number of the population; agents are named by niche, as ``23``."""

    def matchups(number: int) -> Matchups:
        pool = make_pool(population=str(reference / f"canaan_5x5_population_{number}.json"))
        matchups = read_published(reference / "canaan_5x5_matchups.csv", number, pool)
        names = tuple(f"{niche[0]}{niche[1]}" for niche in pool.niches if niche)
        return Matchups(names, matchups.lenient, matchups.strict, matchups.features)

    return matchups


@pytest.fixture(scope="session")
def hle() -> ModuleType:
    """The Hanabi Learning Environment's Python module, `pyhanabi`."""
    try:
        return importlib.import_module("hanabi_learning_environment.pyhanabi")
    except ImportError as error:
        if os.environ.get("HOAD_REQUIRE_HLE") == "1":
            raise
        pytest.skip(f"the Hanabi Learning Environment is not installed: {error}")


@pytest.fixture(scope="module")  # its event loop would keep other tests from having theirs
def browser() -> Iterator["Browser"]:
    """The system's Chromium, without a window."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
