"""Tables of players with partners: one engine plays and keeps the cells of all of them.

The way to a cell, such as "low-shot, strict, simplebot" of ``results/demo.toml``, in eight
modules: 1 lists the cells, 2 to 7 play one, and 8 has the scores. ``evaluate.py adhoc``
(:mod:`hoad.commands.evaluate.adhoc`) reads the recipe, calls 1 and prints. Its ``--help`` describes
the keys of the recipe, also those that it leaves out: one meta-model, and both seats in turn. The
key ``score`` is what other players maximise; lenient and strict scores are shown in any case.

1. :mod:`hoad.tables.adhoc.table`: ``run_adhoc`` lists the cells, here the partner ``simplebot``
   with the player ``low-shot``; what ``rosters_of`` returns comes in 5. ``knows`` is empty, as
   this player has no elites. All games are an ``AdhocResult``. Its table has a row for each partner
   and, if there are several, one for all; ``table_rows`` shows the cells, in the terminal and in
   the report.
2. :mod:`hoad.tables.engine`: ``play_table`` finds the cells that are kept, and
   ``play_cell`` plays the others: it makes the player (3 to 5), then it plays the games (6 and 7).
   Cells are divided among workers; those of players that search are also split by trial.
   A cell has the scores, and the trial of each episode (its *repetition*).
3. :mod:`hoad.players.registry`: ``KINDS`` gives the class of ``low-shot``.
4. :mod:`hoad.players.networks`: this class, ``LowShotKind``, knows roster and partner.
   It makes a ``LowShotPlayer`` with a support and the meta-models, both from 5. ``learn`` is
   called by 6, and calls 7.
5. :mod:`hoad.players.roster`: the support (``support_of``) consists of self-play games of
   ``simplebot``; the meta-model is named ``simplebot`` after the agent that it was trained without.
6. :mod:`hoad.adhoc_player`: ``play_episodes`` begins the player, plays, and keeps the scores.
   ``begin`` of ``TrialPlayer`` plays the support of each trial, and lets the player ``learn`` from
   it. Low-shot does not watch its episodes, so all games of a trial's agent are played in one call
   for each seat (``play_numbered`` of :mod:`hoad.agents.games`; ``replay`` of :mod:`hoad.game.log`
   has the scores).
7. :mod:`hoad.learning.maml.inner_loop`: a copy of the meta-model takes inner steps on the support.
   Its meta-training chose how many (``play_steps`` of the checkpoint's metadata): here one step,
   with a rate of 0.03, as ``models/demo/maml.toml`` leaves no choice. It plays as a
   ``PolicyAgent``: the legal move with its highest output.
8. :mod:`hoad.tables.scores`: ``over_repetitions`` takes the strict scores of the row's cells, and
   their mean in each trial: here ten values, each of 4 episodes of 10 games. Their mean and its
   interval, Student's t times the standard error (:func:`~hoad.reports.statistics.estimate`), are
   the number in the cell.

`kept_cells` keeps the cells in one file, ``games.sqlite`` in the folder of the table (or in the
recipe's folder of ``games``); this one is its entry ``low-shot-IDENTITY`` in the folder
``simplebot``. `recipe` has the keys that all tables share.
Tables of meta-agents have the same modules in :mod:`hoad.tables.meta_agents`.
"""
