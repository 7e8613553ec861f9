"""All commands by name: those of the program ``hoad``, and of the scripts at the top.

The module of a command is imported when the command is chosen. A summary here is the first line
of the function's docstring.
"""

from typing import Final

from hoad.core.cli import Command, Group


def _commands(module: str, **summaries: str) -> dict[str, Command]:
    """Return the commands of a module by the names of their functions.

    ``meta_agents`` is the command ``meta-agents``; ``import_`` is ``import``.
    """
    return {
        name.strip("_").replace("_", "-"): Command(f"hoad.commands.{module}:{name}", summary)
        for name, summary in summaries.items()
    }


RECORD: Final = Group(
    "Record games, check recorded games, exchange them with other programs.",
    _commands(
        "record",
        play="Play games between agents and write them to HDF5 files.",
        verify="Replay recorded games under the rules and check everything recorded about them.",
        info="Show the metadata of recorded files and the distribution of their scores.",
        import_="Convert games of other programs to HDF5, after replaying them under the rules.",
        export="Convert games from HDF5 to JSON Lines or to hanab.live's JSON.",
    ),
)

AGENTS: Final = Group(
    "List agents and rules; check an agent of your own.",
    _commands(
        "agents",
        list_="List the names of all agents.",
        rules="List the rules that rule lists are made of.",
        check="Check an agent for illegal moves, peeking and state that outlives a game.",
    ),
)

EVALUATE: Final = Group(
    "Compare agents with each other, with recorded games, and with partners never met.",
    _commands(
        "evaluate",
        crossplay="Play every ordered pair of agents and print the mean scores.",
        behaviour="Measure how agents behave and score with every partner.",
        agreement="Measure how often an agent agrees with recorded moves of two-player games.",
        adhoc="Make the ad-hoc table: held-out partners by players, on the same decks.",
        populations="Evaluate the elites of populations and compare them with published runs.",
        diversity="Measure how elites differ within and between populations.",
        matchups="Play every ordered pair of a pool; meta-agents use the scores and the behaviour.",
        meta_agents="Train meta-agents on pools and evaluate them with the agents of the pools.",
        imitators="Compare imitators with their agents: accuracy, self-play and cross-play.",
        rainbow="Evaluate Rainbow agents: learning curves, self-play, cross-play, conventions.",
    ),
    former={**AGENTS.commands, "agents": AGENTS.commands["list"]},
)

TRAIN: Final = Group(
    "Train networks.",
    _commands(
        "train",
        imitator="Train an imitator of an agent from its recorded games.",
        maml="Meta-train a model with FOMAML on all agents but one.",
        rainbow="Train Rainbow in self-play.",
    ),
)

EVOLVE: Final = Command(
    "hoad.commands.evolve:evolve",
    "Evolve a population with MAP-Elites: the best rule list for each way to behave.",
)

HOAD: Final = Group(
    "Ad-hoc teamwork in Hanabi, from recorded games to partners never met.",
    {"record": RECORD, "train": TRAIN, "evolve": EVOLVE, "evaluate": EVALUATE, "agents": AGENTS},
)
