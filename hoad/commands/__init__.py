"""All commands by name: those of the program ``hoad``, and of the scripts at the top.

The module of a command is imported when the command is chosen. A summary here is the first line
of the function's docstring.
"""

from typing import Final

from hoad.core.cli import Command, Group

RECORD: Final = Group(
    "Record games, check recorded games, exchange them with other programs.",
    {
        "play": Command(
            "hoad.commands.record:play", "Play games between agents and write them to HDF5 files."
        ),
        "verify": Command(
            "hoad.commands.record:verify",
            "Replay recorded games under the rules and check everything recorded about them.",
        ),
        "info": Command(
            "hoad.commands.record:info",
            "Show the metadata of recorded files and the distribution of their scores.",
        ),
        "import": Command(
            "hoad.commands.record:import_games",
            "Convert games of other programs to HDF5, after replaying them under the rules.",
        ),
        "export": Command(
            "hoad.commands.record:export_games",
            "Convert games from HDF5 to JSON Lines or to hanab.live's JSON.",
        ),
    },
)

AGENTS: Final = Group(
    "List agents and rules; check an agent of your own.",
    {
        "list": Command("hoad.commands.agents:list_agents", "List the names of all agents."),
        "rules": Command(
            "hoad.commands.agents:list_rules", "List the rules that rule lists are made of."
        ),
        "check": Command(
            "hoad.commands.agents:check",
            "Check an agent for illegal moves, peeking and state that outlives a game.",
        ),
    },
)

EVALUATE: Final = Group(
    "Compare agents with each other, with recorded games, and with partners never met.",
    {
        "crossplay": Command(
            "hoad.commands.evaluate:crossplay",
            "Play every ordered pair of agents and print the mean scores.",
        ),
        "behaviour": Command(
            "hoad.commands.evaluate:behaviour",
            "Measure how agents behave and score with every partner.",
        ),
        "agreement": Command(
            "hoad.commands.evaluate:agreement",
            "Measure how often an agent agrees with recorded moves of two-player games.",
        ),
        "adhoc": Command(
            "hoad.commands.evaluate:adhoc",
            "Make the ad-hoc table: held-out partners by players, on the same decks.",
        ),
        "populations": Command(
            "hoad.commands.evaluate:populations",
            "Evaluate the elites of populations and compare them with published runs.",
        ),
        "diversity": Command(
            "hoad.commands.evaluate:diversity",
            "Measure how rules, moves and scores of elites differ within and between populations.",
        ),
        "matchups": Command(
            "hoad.commands.evaluate:matchups",
            "Play every ordered pair of a pool; meta-agents use the scores and the behaviour.",
            renamed={"--beside": "--compare-with"},
        ),
        "meta-agents": Command(
            "hoad.commands.evaluate:meta_agents",
            "Train meta-agents on pools and evaluate them with the agents of the pools.",
        ),
        "imitators": Command(
            "hoad.commands.evaluate:imitators",
            "Compare imitators with their agents: accuracy, self-play and cross-play.",
        ),
        "rainbow": Command(
            "hoad.commands.evaluate:rainbow",
            "Evaluate Rainbow agents: learning curves, self-play, cross-play, conventions.",
        ),
    },
    former={**AGENTS.commands, "agents": AGENTS.commands["list"]},
)

TRAIN: Final = Group(
    "Train networks.",
    {
        "imitator": Command(
            "hoad.commands.train:imitator", "Train an imitator of an agent from its recorded games."
        ),
        "maml": Command(
            "hoad.commands.train:maml", "Meta-train a model with FOMAML on all agents but one."
        ),
        "rainbow": Command("hoad.commands.train:rainbow", "Train Rainbow in self-play."),
    },
)

EVOLVE: Final = Command(
    "hoad.commands.evolve:evolve",
    "Evolve a population with MAP-Elites: the best rule list for each way to behave.",
)

HOAD: Final = Group(
    "Ad-hoc teamwork in Hanabi, from recorded games to partners never met.",
    {"record": RECORD, "train": TRAIN, "evolve": EVOLVE, "evaluate": EVALUATE, "agents": AGENTS},
)
