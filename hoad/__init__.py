"""HOAD: ad-hoc teamwork in Hanabi, from recorded games to partners never met."""

__version__ = "0.1.0"
