"""Commands about agents: list them and the rules they are made of, check one."""

from typing import Annotated

from hoad.agents.registry import AgentName, agent_descriptions, get_agent
from hoad.core import cli
from hoad.core.recipe import Several


def list_() -> None:
    """List the names of all agents.

    A name that ends with a colon needs an argument, as in rules:8,13,38.
    """
    _print_list(("agent", "what it is"), list(agent_descriptions().items()))


def rules() -> None:
    """List the rules that rule lists are made of.

    An agent is a list of their numbers, as in rules:8,13,38. Rules 0 to 49, 105 to 112, 116 to 134
    and 420 to 430 are for games of 2 to 5 players, all others for two players only.
    """
    from hoad.agents.rules.catalogue import CATALOGUE

    rows = [(f"{rule.number} {rule.name}", rule.words) for rule in CATALOGUE.values()]
    _print_list(("rule", "what it does"), rows)


def check(agent: Annotated[AgentName, cli.Positional("AGENT")], *, games: Several = 40) -> int:
    """Check an agent, or an ad-hoc player, for illegal moves, peeking and state that outlives it.

    The exit status is 2 if something is wrong.

    Args:
        agent: Name of the agent; your own is python:FILE.py:CLASS, as is your own ad-hoc player.
        games: Games that the agent plays with itself; those of an ad-hoc player are few.
    """
    from hoad.agents.check import check_agent
    from hoad.agents.python_agent import load_class
    from hoad.agents.registry import shown_name
    from hoad.players.python_learner import AdhocLearner, check_learner

    prefix, _, argument = agent.partition(":")
    if prefix == "python" and issubclass(found := load_class(argument), AdhocLearner):
        complaints = check_learner(agent, found)
        print("\n".join(complaints) or f"player {agent}: nothing found wrong")
        return cli.USAGE_ERROR if complaints else 0
    checked = get_agent(agent)
    complaints = check_agent(checked, games)
    print("\n".join(complaints) or f"agent {shown_name(agent)}: nothing found wrong")
    if not checked.fair:
        print("It is declared to see its own cards, so peeking was not checked.")
    return cli.USAGE_ERROR if complaints else 0


def _print_list(heading: tuple[str, str], rows: list[tuple[str, str]]) -> None:
    from hoad.reports.page import text_table

    width = max(len(words) for _, words in rows)
    print(text_table([(name, words.ljust(width)) for name, words in (heading, *rows)]))
