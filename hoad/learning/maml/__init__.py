"""Meta-training with first-order MAML.

- `recipe`: the keys of ``models/maml*.toml``.
- `tasks`: the games of each agent, drawn as episodes of support and query.
- `learner`: the outer loop: steps, validation, the choice of the inner learning rate.
- `gradient`: the meta-gradient of a step, with the inner loop of training.
- `adapt`: the inner loop outside the step, in validation and in low-shot play, by `learn2learn`.
- `choice`: the choice of the inner steps for play.
- `adhoc_scores`: games with the held-out agent in validation.
- `recoloured`: adapting to games in all colours, to predict a partner's moves.
"""
