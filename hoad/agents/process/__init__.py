"""Agents in other programs, which talk to HOAD over standard input and output.

Their prefix ``process:`` is in ``hoad/agents/agents.toml``, as are all names of agents.
"""
