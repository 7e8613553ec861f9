"""Playing with a partner never met.

- :mod:`.player`: what a player is, and the simplest ones; :mod:`.episodes` plays some games in a
  row with a partner.
- :mod:`.bayes`, :mod:`.partner_models`, :mod:`.search`: methods, each with its players.
- :mod:`.pool`, :mod:`.matchups`: agents that players know, and how they score with each other.
- :mod:`.players`: from the name of a table's column to its player.
- :mod:`.python_learner`: a player of one's own, a class in a file.
"""
