"""HOAD: ad-hoc teamwork in Hanabi, from recorded games to partners never met."""

__version__ = "0.1.0"

from hoad.core.numba_cache import keep_compiled_code_current

keep_compiled_code_current()
