"""The one exception that HOAD raises on purpose."""


class HoadError(Exception):
    """A failure that its user can mend.

    The message is one line: it names the file, game, turn, key or agent at fault and says
    what to do. Scripts print it after ``error:`` and end with exit status 2.
    """
