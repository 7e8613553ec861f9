"""Bad inputs, mutated from valid ones: each is refused in one line, and no file changes.

    python tests/bad_inputs.py --count 500

Command lines, recipes, HDF5, JSON Lines, safetensors, CSV and JSON are mutated. Case ``i`` of a
seed is the same at any time, so that ``--first i --count 1`` shows it again.
"""

import gzip
import random
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).parents[1]))

from hoad.core import cli
from tests import hostile
from tests.hostile import METADATA, NETWORK, Case, Done

COMMANDS: Sequence[tuple[str, ...]] = (
    ("record.py", "play", "play.toml", "--out", "new"),
    ("record.py", "verify", "iggi.h5"),
    ("record.py", "verify", "iggi.jsonl"),
    ("record.py", "info", "iggi.h5"),
    ("record.py", "import", "iggi.jsonl", "new.h5"),
    ("record.py", "import", "iggi.jsonl.gz", "new.h5"),
    ("record.py", "import", "live.json", "new.h5"),
    ("record.py", "export", "iggi.h5", "new.jsonl"),
    ("train_imitator.py", "imitator.toml", "--agent", "iggi", "--data", ".", "--out", "new"),
    ("train_maml.py", "maml.toml", "--held-out", "iggi", "--data", ".", "--out", "new"),
    ("train_rainbow.py", "rainbow.toml", "--out", "new"),
    ("evolve.py", "evolve.toml", "--out", "new"),
    ("evaluate.py", "crossplay", "iggi", "imitator:iggi", "--games", "2"),
    ("evaluate.py", "crossplay", "maml:iggi", "rules:8,13,38", "noisy:0.1:iggi", "--games", "2"),
    ("evaluate.py", "agreement", "--agent", "iggi", "iggi.h5"),
    ("evaluate.py", "agreement", "--agent", "iggi", "iggi.jsonl"),
    ("evaluate.py", "adhoc", "adhoc.toml"),
    ("evaluate.py", "imitators", "imitators.toml", "--data", "."),
    ("evaluate.py", "search", "search.toml"),
    ("evaluate.py", "prediction", "prediction.toml"),
    ("evaluate.py", "predict", "iggi.h5", "--support", "2", "--held-out", "iggi"),
    ("evaluate.py", "populations", "small.json", "--games", "2"),
    ("evaluate.py", "crossplay", "elite:small.json/0,0", "iggi", "--games", "2"),
    ("evaluate.py", "meta-agents", "meta-agents.toml"),
    ("agents.py", "check", "iggi"),
)
"""Valid command lines; their files are in the folder."""

BAD_NUMBERS = ("ten", "-1", "1e3x", "", "1.5", "nan", "1" * 30, "\u0663", "0x10", "[]", "--seed")
BAD_AGENTS = (
    *("igggi", "", ":", "rules:", "rules:9999", "rules:8,,13", "rules:\u0663", "rules:8;13"),
    *("noisy:2:iggi", "noisy:nan:iggi", "noisy:0.1:", "noisy:0.1:" * 1000 + "iggi", "rainbow:x"),
    *("python:no.py:X", "python:play.toml:X", "python:bad.py:X", "python:", "elite:small.json/9,9"),
    *("elite:small.json/x", "elite:absent/0,0", "imitator:absent", "imitator:play.toml", "maml:"),
    *("imitator:iggi.h5.safetensors", "search:maml:iggi", "generalist:iggi+", "risky:2", "\0"),
)


def bad_case(number: int, draw: random.Random) -> Case:
    """Draw a command line; change it, or one of its files in the present folder."""
    words = list(draw.choice(COMMANDS))
    files = [word for word in words if Path(word).is_file()]
    also = {"imitator:iggi": [NETWORK, METADATA], "meta-agents.toml": ["pairs.csv", "small.json"]}
    also["elite:small.json/0,0"] = ["small.json"]
    files += [file for word in words for file in also.get(word, [])]
    if files and draw.random() < 0.6:
        file = draw.choice(files)
        return Case(tuple(words), f"{file}: {bad_file(draw, Path(file))}")
    return _bad_words(draw, words)


def _bad_words(draw: random.Random, words: list[str]) -> Case:
    """Change one word so that the command must be refused."""
    places: dict[str, list[int]] = {"option": [i for i, w in enumerate(words) if w[:2] == "--"]}
    places["agent"] = [i for i, w in enumerate(words) if re.search(r"(^|:)iggi$|^rules:", w)]
    places["number"] = [i for i, word in enumerate(words) if word.isdigit()]
    places["target"] = [i for i, word in enumerate(words) if word.startswith("new")]
    places["file"] = [i for i, word in enumerate(words) if Path(word).is_file()]
    places["new"] = list(range(1, len(words) + 1))
    kind = draw.choice([name for name, found in places.items() if found])
    place = draw.choice(places[kind])
    if kind == "new":
        words.insert(place, "--" + "".join(draw.choices("abcxyz", k=5)))
    else:
        words[place] = _bad_word(draw, kind, words[place])
    return Case(tuple(words), f"{kind} {words[place][:60]!r}")


def _bad_word(draw: random.Random, kind: str, word: str) -> str:
    match kind:
        case "agent":
            return draw.choice(BAD_AGENTS)
        case "number":
            return draw.choice(BAD_NUMBERS)
        case "target":
            return draw.choice(["iggi.h5", "small.json", "play.toml/new"])
        case "file":
            return draw.choice(["absent" + Path(word).suffix, "pairs.csv", ".", ""])
    return word[: draw.randint(3, 4)] + "x" + word[5:]


def bad_file(draw: random.Random, path: Path) -> str:
    """Damage a file so that whatever reads it must refuse it; return what was done."""
    content = path.read_bytes()
    if path.suffix == ".toml":
        new, what = _bad_recipe(draw, content.decode())
    elif draw.random() < 0.4:
        new, what = _bad_bytes(draw, content)
    else:
        new, what = _SPOILERS[path.suffix](draw, path, content)
    path.write_bytes(new)
    return what


Bad = tuple[bytes, str]


def _bad_bytes(draw: random.Random, content: bytes) -> Bad:
    """Damage any file."""
    cut = draw.randrange(1, len(content) // 2)
    return draw.choice(
        [
            (content[:cut], f"cut to {cut} bytes"),
            (b"", "emptied"),
            (b"\xff\x00garbage" + content, "garbage before it"),
            (draw.randbytes(len(content)), "random bytes"),
            (b"A text.\n", "another text"),
        ]
    )


def _bad_recipe(draw: random.Random, text: str) -> Bad:
    line = draw.choice([line for line in text.splitlines() if not line.startswith("[")])
    key = line.partition(" =")[0]
    new, what = draw.choice(
        [
            (text.replace(line, f"{key}x{line[len(key) :]}"), f"key {key}x"),
            (text.replace(line, f"{key} = -7"), f"{key} = -7"),
            (text.replace(line, f"{key} = {{ a = 1 }}"), f"{key} is a table"),
            (text.replace(line, f"{key} = nan"), f"{key} = nan"),
            (text.replace(line, f"{line}\n{line}"), f"{key} twice"),
            (text.replace(line, f"{key} ="), f"{key} without a value"),
            (text + "\n[[\n", "an open bracket"),
            (text + "\udcff", "no text"),
        ]
    )
    return new.encode(errors="surrogateescape"), what


def _bad_json(draw: random.Random, path: Path, content: bytes) -> Bad:
    """Remove a mark of JSON, or give a value that is out of range."""
    if draw.random() < 0.4:
        place = draw.choice([i for i, byte in enumerate(content) if chr(byte) in '{}[]":'])
        return content[:place] + content[place + 1 :], f"byte {place} is missing"
    bad = {
        "small.json": [(b"[0, 0]", b"[7, 7]"), (b"[8, 13]", b"[8, 9999]"), (b'"grid"', b'"gird"')],
        "metadata.json": [
            (b'"imitator"', b'"maml"'),
            (b'"iggi"', b'"piers"'),
            (b'"measures"', b'"measured"'),
            (b"0.25", b"0.26"),
        ],
        "live.json": [(b'"deck"', b'"dock"'), (b'"type"', b'"tpye"'), (b'"rank": ', b'"rank": 9')],
    }
    of_games = [(b'"deck":[', b'"deck":[49,'), (b'"actions":[', b'"actions":[77,')]
    old, new = draw.choice(bad.get(path.name, of_games))
    assert old in content, (path, old)
    return content.replace(old, new, 1), f"{old!r} is {new!r}"


def _bad_gzip(draw: random.Random, path: Path, content: bytes) -> Bad:
    changed, what = _bad_json(draw, path, gzip.decompress(content))
    return gzip.compress(changed), what


def _bad_tensors(draw: random.Random, path: Path, content: bytes) -> Bad:
    if draw.random() < 0.4:
        old, new = draw.choice([(b"[4]", b"[5]"), (rb"\"step\": 1", rb"\"step\": 2")])
        assert old in content, (path, old)
        return content.replace(old, new), f"{old!r} is {new!r}"
    return _flipped(content, len(content) - 1 - draw.randrange(len(content) // 4))


def _bad_hdf5(draw: random.Random, path: Path, content: bytes) -> Bad:
    """Change a byte of a chunk, which has a checksum."""
    with h5py.File(path) as file:
        array = file[draw.choice(sorted(file))]
        chunk = array.id.get_chunk_info(draw.randrange(array.id.get_num_chunks()))
    return _flipped(content, chunk.byte_offset + draw.randrange(chunk.size))


def _bad_table(draw: random.Random, path: Path, content: bytes) -> Bad:
    lines = content.decode().splitlines()
    place = draw.randrange(len(lines))
    lines[place] = draw.choice(["x,y", "\0", "9,9,9,9,1,0,0,1", ",,,,,,,", "0,0,0,0,1,0,0,three"])
    return "\n".join(lines).encode(), f"line {place} is {lines[place]!r}"


def _flipped(content: bytes, place: int) -> Bad:
    changed = bytearray(content)
    changed[place] ^= 0x55
    return bytes(changed), f"byte {place} is changed"


_SPOILERS: dict[str, Callable[[random.Random, Path, bytes], Bad]] = {
    ".json": _bad_json,
    ".jsonl": _bad_json,
    ".gz": _bad_gzip,
    ".safetensors": _bad_tensors,
    ".h5": _bad_hdf5,
    ".csv": _bad_table,
}


def _problem(case: Case, done: Done, unchanged: bool) -> str:
    """Return what is wrong about the end of a command; empty if it was refused as it should be."""
    lines = done.errors.splitlines()
    several = "verify" in case.words  # it names each faulty game
    if done.status == 0:
        return "status 0"
    if not unchanged:
        return "a file has changed"
    if not lines or "Traceback" in done.errors or (len(lines) > 1 and not several):
        return f"{len(lines)} lines"
    return ""


wrong_ends = partial(hostile.wrong_ends, bad_case, _problem)

if __name__ == "__main__":
    cli.run(hostile.program(wrong_ends))
