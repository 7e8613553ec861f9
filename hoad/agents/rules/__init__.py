"""Rules, and the agents that play by lists of them.

A rule is a function of `play`, `tell`, `discard` or `by_convention`, and a line in
``catalogue.csv``, which gives it its number.
"""

# First, to say that the other imports compile.
import hoad.core.program.compiling  # noqa: F401
