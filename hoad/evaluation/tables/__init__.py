"""Tables of players with partners: one engine plays and keeps the cells of all of them.

The way to a cell, such as "low-shot, strict, iggi" of ``results/demo.toml``:

1. `hoad.evaluation.adhoc.table` lists the cells of the recipe, here ``low-shot`` with ``iggi``.
2. `engine` finds those that are kept, and plays the others (``play_cell``).
3. `cells` keeps a cell as ``games/iggi/low-shot-FINGERPRINT.npz`` in the folder of the table (or in
   the recipe's folder of ``games``), and returns its strict scores.
4. :mod:`hoad.adhoc.players.column` finds the class of ``low-shot`` in ``KINDS``.
5. :mod:`hoad.adhoc.players.kinds.networks` makes the player.
6. :mod:`hoad.adhoc.learned` learns from the support of each trial,
7. for which :mod:`hoad.learning.policies` loads the meta-model ``maml:iggi``,
8. and :mod:`hoad.learning.maml.inner_loop` takes the inner steps.

:mod:`hoad.adhoc.session` plays the episodes and scores each game. `scores` computes means,
intervals and tests; `hoad.evaluation.adhoc.report` writes the page. The keys of recipes are in
`recipe` and `hoad.evaluation.adhoc.recipe`. Tables of meta-agents have the same modules in
`hoad.evaluation.meta_agents`.
"""
