"""Learn what comes with HOAD of people: weights and losses, no games. About a minute.

python benchmarks/people.py datasets/people.h5    # writes checkpoints/shipped/logit/people.npz
"""

from pathlib import Path
from typing import Annotated

from hoad.core import cli
from hoad.core.files import write_arrays
from hoad.partners.known_people import PATH, learn_people
from hoad.partners.others import read_others


def learn(file: Annotated[Path, cli.Positional("FILE")], out: Path = PATH) -> None:
    """Learn the weights of people, and how well their first games are predicted.

    Args:
        file: Games of people (.h5, .jsonl, .jsonl.gz).
        out: File to write.
    """
    found = learn_people(read_others([file]))
    write_arrays(out, found)
    losses = found["losses"]
    print(f"{out}: {len(losses)} people, {len(found['names'])} of them with weights of their own")
    print(f"first games: {losses.mean():.3f} nats a move, {losses[0]:.3f} to {losses[-1]:.3f}")


if __name__ == "__main__":
    cli.run(cli.Command("benchmarks.people:learn", "Learn what comes with HOAD of people."))
