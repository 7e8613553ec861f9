"""A bot that plays its oldest card, and misbehaves when it is asked for a move the n-th time.

``misbehaving.py HOW N``; HOW is a key of WAYS.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

PLAY = '{"type": "play", "position": 0}'


def answer(text: str) -> None:
    print(text, flush=True)


def end(status: int) -> None:
    print("out of cards", file=sys.stderr, flush=True)
    os._exit(status)


def hang() -> None:
    sys.stdout.write('{"type": "pl')
    sys.stdout.flush()
    time.sleep(100)


def write(file: int, content: bytes) -> None:
    while True:
        os.write(file, content)


def complain() -> None:
    print("x" * 200_000, file=sys.stderr)
    answer(PLAY)


def start_a_child(leaves: bool = False) -> None:
    """Start a child, which may leave this process's session and group."""
    words = [sys.executable, "-c", "import time; time.sleep(100)", sys.argv[-1]]
    subprocess.Popen(words, start_new_session=leaves)


def leave_a_child() -> None:
    start_a_child()
    os._exit(0)


def hang_with_a_daemon() -> None:
    start_a_child(leaves=True)
    hang()


def close_the_output() -> None:
    os.close(1)
    time.sleep(100)


WAYS: dict[str, Callable[[], object]] = {
    "dies": lambda: end(3),
    "is killed": lambda: os.kill(os.getpid(), 9),
    "hangs": hang,
    "closes its output": close_the_output,
    "talks": lambda: answer("I think"),
    "answers a list": lambda: answer("[1, 2]"),
    "leaves the hand": lambda: answer('{"type": "play", "position": 7}'),
    "discards with all tokens": lambda: answer('{"type": "discard", "position": 0}'),
    "writes bytes": lambda: os.write(1, b"\xff\xfe\n"),
    "nests": lambda: answer("[" * 50_000),
    "writes without end": lambda: write(1, b"x" * 10_000),
    "answers without end": lambda: write(1, f"{PLAY}\n".encode()),
    "complains without end": lambda: write(2, b"oh no"),
    "complains": complain,
    "leaves a child": leave_a_child,
    "hangs with a daemon": hang_with_a_daemon,
}


def main() -> None:
    how, left = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        told = json.loads(line)
        if "hello" in told:
            answer('{"name": "misbehaving", "version": "1"}')
        elif "act" in told:
            left -= 1
            if left == 0:
                WAYS[how]()
            else:
                answer(PLAY)


if __name__ == "__main__":
    main()
