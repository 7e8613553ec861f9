"""Agents that play as a network: HOAD's own (agents), or one in another library's file (files)."""

from hoad.learning.policies.agents import (
    NetworkAgent,
    PolicyAgent,
    inner_rate,
    load_imitator,
    load_meta_model,
    load_rainbow,
    load_zero_shot,
    network_file,
)

__all__ = [
    "NetworkAgent",
    "PolicyAgent",
    "inner_rate",
    "load_imitator",
    "load_meta_model",
    "load_rainbow",
    "load_zero_shot",
    "network_file",
]
