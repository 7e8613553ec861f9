"""Search for the best move with models of the partner (Lerer et al. 2020, SPARTA).

From a player of a table to a rollout, each module with the next ones:

1. :mod:`.player`: learns from the support, plays the episode, and watches each game of it.
2. :mod:`.strategy`: models of one partner, and ways to play with it: as the models expect, search
   that is held to what they expect, free search, and the best agent of the pool
   (:mod:`.blueprint`). What the models explain, rehearsals, and games with the partner
   choose among them.
3. :mod:`.agent`: an agent that searches at each turn; ``search:MODEL`` is one too.
4. :mod:`.decision`: the search of one turn. Moves are tried in rollouts, and the worse drop out.
5. :mod:`.past` and :mod:`.belief`: what the player saw, and hands that it may hold given that.
6. :mod:`.rollouts`, or :mod:`.lockstep` where the partner is a network: games played to the end.

:mod:`.effort` says how much each kind of search computes.
"""
