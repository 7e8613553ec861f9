"""The first start says that it compiles."""

import io
from pathlib import Path

import numpy as np
from numba import int64, njit

from hoad.core.program import compiling
from tests.scripts import run

SLOW = """
import sys, time
from numba import njit
import hoad.core.program.compiling as compiling
from numba.core import event

compiling._PATIENCE = 0.0
event.register("numba:compile", compiling._Listener())

@njit
def add(a, b):
    return a + b

for a in (1, 1.0, 1j):
    time.sleep(0.01)
    add(a, a)
"""


def test_a_long_compilation_is_one_line_where_there_is_no_terminal(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLOW)

    done = run(str(script))

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("compiling ") and done.stderr.count("\n") == 1
    with compiling.tqdm(total=1, file=io.StringIO(), disable=False):
        assert compiling.tqdm.monitor is None  # bars need no thread of their own


def test_compiled_code_starts_without_a_word() -> None:
    for _ in range(2):  # the first may compile
        done = run("evaluate.py", "crossplay", "forgiving", "--games", "2")

    assert (done.returncode, done.stderr) == (0, "")


def test_constants_and_bytes_need_no_further_compilation_and_callees_can_be_called() -> None:
    @njit
    def add(first, second):
        return first + second

    @njit
    def total(byte):
        return add(1, 2) + add(byte, 3)

    add.py_func.__module__ = f"{compiling.__package__}.example"  # it is about functions of HOAD

    assert total(np.uint8(4)) == 10
    assert add.signatures == [(int64, int64)]
    assert vars(add)["_hidden_from_python"] == {(int64, int64)}
    assert add(3, 3) == 6
    assert not vars(add)["_hidden_from_python"]
    assert total(np.uint8(5)) == 11
