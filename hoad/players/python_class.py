"""Your own agent, or your own ad-hoc player, in a file: ``python:FILE.py:CLASS``."""

from typing import Any

from hoad.adhoc_player import AdhocPlayer
from hoad.agents.families import name_in
from hoad.agents.own_code import source_identity
from hoad.agents.python_agent import load_class
from hoad.agents.registry import get_fair_agent, note_title
from hoad.players.fixed import AgentKind
from hoad.players.python_learner import AdhocLearner, PythonLearner
from hoad.players.registry import PYTHON


class PythonKind(AgentKind):
    """A class of your own."""

    def make(self) -> AdhocPlayer:
        kind = self._class()
        if not issubclass(kind, AdhocLearner):
            return super().make()
        support = self.support if self.roster.support_games else None
        return PythonLearner(self.name, kind, support, self._usable())

    def check(self) -> None:
        """Raise a HoadError if there is no such class, or its support has games with others.

        Or if it is an agent that has met the partner.
        """
        if not issubclass(self._class(), AdhocLearner):
            super().check()
        elif self.roster.support_games:
            self.support.refuse_games_with_others()

    def identity(self) -> list[Any]:
        kind = self._class()
        if not issubclass(kind, AdhocLearner):
            return super().identity()
        usable = [repr(get_fair_agent(name).identity) for name in self._usable()]
        return [kind.__qualname__, source_identity(kind), usable, *self.support_identity]

    def _class(self) -> type:
        kind = load_class(self.name.removeprefix(PYTHON))
        if issubclass(kind, AdhocLearner):
            note_title(self.name, kind.name)
        return kind

    def _usable(self) -> tuple[str, ...]:
        drawn = [name_in(self.roster.source, name) for name in self.roster.agents]
        return self.roster.without(self.roster.pool.agents or drawn, self.partner)
