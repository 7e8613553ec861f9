"""The exception that HOAD raises for mistakes that the user can correct."""


class HoadError(Exception):
    """A failure that the user can correct.

    The message is one line: it names the file, game, turn, key or agent at fault and says
    what to do. Commands print it after ``error:`` and end with exit status 2.
    """


class AbsentError(HoadError):
    """A network or a population is not on this machine."""
