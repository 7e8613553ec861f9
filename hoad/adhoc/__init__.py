"""Playing with a partner never met.

Importing this package lets the registry find meta-agents by name.
"""

from hoad.adhoc.bayes.in_game import make_adaptive, make_bayes_moves
from hoad.adhoc.bayes.meta_agent import make_generalist
from hoad.agents.registry import register_prefix

_POOL = "a population, or AGENT+AGENT"

register_prefix("generalist", make_generalist, f"the agent of a pool that does best in it: {_POOL}")
register_prefix("bayes-moves", make_bayes_moves, f"adapts to its partner, move by move: {_POOL}")
register_prefix("adaptive", make_adaptive, "old name of bayes-moves:")
