"""Tables of meta-agents, which learn from pools and meet the agents of all pools."""
