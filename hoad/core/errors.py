"""The exception that HOAD raises for mistakes that the user can correct."""


class HoadError(Exception):
    """A failure that the user can correct.

    The message is one line: it names the file, game, turn, key or agent at fault and says
    what to do. Commands print it after ``error:`` and end with exit status 2.
    """


class AbsentError(HoadError):
    """A network or a population is not on this machine."""


def refuse_outside(name: str, value: int, least: int, most: int | None = None) -> None:
    """Raise a HoadError if a number is below ``least`` or, if there is a limit, above ``most``."""
    if value < least or (most is not None and value > most):
        limit = "" if most is None else f" and at most {most}"
        raise HoadError(f"{name} is {value}, expected at least {least}{limit}")
