"""Agents in other programs, which talk to HOAD over standard input and output."""
