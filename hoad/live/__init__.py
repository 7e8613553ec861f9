"""Agents at tables of a server of hanab.live's program: ``hoad live``, ``hanab_live.py``."""
