"""Tables of players with partners: one engine plays and keeps the cells of all of them.

From a recipe to a cell: `recipes` reads the recipe, `adhoc` or `meta_agents` lists its cells,
`engine` plays those that are not kept (with the players of :mod:`hoad.adhoc.roster`) and adds
provenance, wall time and meta-training, `cells` keeps them, `statistics` computes means, intervals
and tests, and the report is in `hoad.evaluation.adhoc` or `hoad.evaluation.meta_agents`.
"""
