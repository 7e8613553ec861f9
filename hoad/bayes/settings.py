"""What recipes can set about pools and meta-agents. Imports no numba: command lines read it."""

from typing import Annotated, Final, Literal

from pydantic import Field

Score = Literal["lenient", "strict"]
"""Which score responses maximise."""

Evidence = Literal["last_game", "cumulative", "as_published", "histograms"]
"""What a meta-agent observes when it updates its belief: the partner's behaviour in the last game
(the paper), or in all games so far, which counts old evidence again at every update.

The published program (``as_published``) observes all games so far, but no moves of the partner
before the first and after the last move of the meta-agent in a game; a feature not defined yet
counts as 0, and a feature that was never defined in a matchup rules the hypothesis out.

``histograms`` is the last game too, but its probability is the share of such games in the matchup,
not a Gaussian density: future work of the paper.
"""

AdaptAfter = Literal["game", "mistake"] | Annotated[int, Field(ge=1)]
"""When a meta-agent updates its belief: after each game, at each card of either player that does
not fit, or after so many turns of its partner."""

MATCHUP_GAMES: Final = 400
"""Games of each ordered pair of a pool in the papers."""
