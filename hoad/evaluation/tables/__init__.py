"""Tables of players with partners: one engine plays and keeps the cells of all of them.

The way to a cell, such as "low-shot, strict, iggi" of ``results/demo.toml``, in ten modules, to be
read in this order (``evaluate.py adhoc --help`` describes the keys of the recipe):

1. `hoad.evaluation.adhoc.table`: ``run_adhoc`` lists the cells, here ``iggi`` with ``low-shot``;
   ``rosters_of`` passes on the keys of the recipe.
2. :mod:`hoad.adhoc.players.roster`: from what the recipe says, the agent that plays ``iggi``, its
   support, and the name of the meta-model that was trained without it.
3. `engine`: ``play_table`` finds the cells that are kept, and ``play_cell`` plays the others.
4. :mod:`hoad.adhoc.players.kinds.registry`: ``low-shot`` is a name in ``KINDS``, which gives its
   class.
5. :mod:`hoad.adhoc.players.kinds.networks`: this class, ``LowShotKind``, makes a ``LowShot``.
6. :mod:`hoad.adhoc.player`: as a ``TrialPlayer``, it learns from the support of each trial.
7. :mod:`hoad.learning.maml.inner_loop`: to learn, a copy of the meta-model takes inner steps on
   the support; as a ``PolicyAgent``, it makes the legal move with its highest output.
8. :mod:`hoad.adhoc.episodes`: calls ``begin`` of the player (6, 7), plays, and scores each game.
9. `scores`: ``over_repetitions`` takes the cell from the scores of its games; the report shows
   mean and half width with two decimals.
10. :mod:`hoad.evaluation.statistics`: the mean over trials, and its interval.

`kept_cells` are the files of cells, as ``games/iggi/low-shot-DIGEST.npz`` in the folder of the
table (or in the recipe's folder of ``games``), and `recipe` has the keys that all tables share.
Tables of meta-agents have the same modules in `hoad.evaluation.meta_agents`.
"""
