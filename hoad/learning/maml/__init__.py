"""Meta-training with first-order MAML.

- `recipe`: the keys of ``models/maml*.toml``.
- `tasks`: the games of each agent, drawn as episodes of support and query.
- `inner_step`: the inner step in training, by learn2learn.
- `inner_loop`: the same step in play, and adapting to games.
- `task_models`: copies of the meta-model, one for each task, which are computed together.
- `meta_gradient`: the gradient of the outer step.
- `learner`: the outer loop: steps, validation, games with the held-out agent, the inner rate.
- `choice`: the choice of the inner steps for play.
- `all_colours`: adapting to games in all colours, to predict a partner's moves.
"""
