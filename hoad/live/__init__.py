"""Agents at tables of a server of hanab.live's open-source program: `hoad live`, `hanab_live.py`."""
