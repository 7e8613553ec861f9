"""Tables of players with partners: one engine plays and keeps the cells of all of them.

The way to a cell, such as "low-shot, strict, iggi" of ``results/demo.toml``, in ten modules, to be
read in this order:

1. `hoad.evaluation.adhoc.recipe`: the keys of the recipe.
2. `hoad.evaluation.adhoc.table`: ``run_adhoc`` lists the cells, here ``iggi`` with ``low-shot``.
3. :mod:`hoad.adhoc.players.roster`: from what the recipe says, the agent that plays ``iggi``, its
   support, and the name of the meta-model that was trained without it.
4. `engine`: ``play_table`` finds the cells that are kept, and ``play_cell`` plays the others.
5. :mod:`hoad.adhoc.players.column`: ``low-shot`` is a name in ``KINDS``, which gives its class.
6. :mod:`hoad.adhoc.player`: what a player is; ``TrialPlayer`` learns from the support of a trial.
7. :mod:`hoad.adhoc.players.kinds.networks`: this class, ``LowShotKind``, makes such a player.
8. :mod:`hoad.learning.maml.inner_loop`: the meta-model takes inner steps on the support.
9. :mod:`hoad.adhoc.session`: the episodes are played, and each game is scored.
10. :mod:`hoad.evaluation.statistics`: the mean of the games' scores, and its interval over trials.

`scores` holds the scores of all cells and applies these statistics; `recipe` has the keys that all
tables share (``seed``, ``out``).

`kept_cells` are the files of cells, as ``games/iggi/low-shot-DIGEST.npz`` in the folder of the
table (or in the recipe's folder of ``games``). `hoad.evaluation.adhoc.report` writes the page.
Tables of meta-agents have the same modules in `hoad.evaluation.meta_agents`.
"""
