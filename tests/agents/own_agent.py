"""An agent in a file of its user's own."""

from pathlib import Path


def write_agent(folder: Path, move: int = -1) -> str:
    """Write an agent that makes the legal move of this index; return its name."""
    file = folder / "mine.py"
    file.write_text(
        "from hoad.agents import PlainAgent\n"
        "class Mine(PlainAgent):\n"
        "    name = 'mine'\n"
        "    def choose(self, view):\n"
        f"        return view.legal_moves[{move}]\n"
    )
    return f"python:{file}:Mine"
