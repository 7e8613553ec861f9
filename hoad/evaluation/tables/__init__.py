"""Tables of players with partners: one engine plays and keeps the cells of all of them.

From a recipe to a cell, such as "low-shot, strict, iggi" of ``results/demo.toml``:

1. `hoad.evaluation.adhoc.recipe` reads the recipe; its ``rosters`` hold what players are made from
   (:mod:`hoad.adhoc.players.roster`).
2. `hoad.evaluation.adhoc.table` lists the cells, here the player ``low-shot`` with ``iggi``.
3. `engine` finds the cells that are kept, and plays the others.
4. :mod:`hoad.adhoc.players.column` finds the class of ``low-shot`` in ``KINDS``, and
   :mod:`hoad.adhoc.players.kinds.networks` makes the player.
5. :mod:`hoad.adhoc.learned` plays the support, :mod:`hoad.learning.policies` loads the meta-model
   ``maml:iggi``, and :mod:`hoad.learning.maml.adapt` takes the inner steps.
6. :mod:`hoad.adhoc.session` plays the episodes, and scores each game strictly and leniently.

Then `cells` keeps the cell in the recipe's folder, as ``games/iggi/low-shot-FINGERPRINT.npz``;
`scores` computes means, intervals and tests; and `hoad.evaluation.adhoc.report` writes the page.
Tables of meta-agents have the same modules in `hoad.evaluation.meta_agents`.
"""
