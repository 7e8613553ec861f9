"""Agents at tables of a server of hanab.live's open-source program (hanabi-live)."""
