"""Partner models: distributions over a partner's moves, learned from its games.

To add a model, write a subclass of :class:`~hoad.partners.model.PartnerModel` in a file here, and
its name in :mod:`.kinds`: in ``KINDS`` for tables of predictions, in ``MIXED`` for mixtures, in
``FOR_SEVERAL`` if it predicts games of three to five players. It needs a style in
:mod:`hoad.reports.styles`. Folders hold the models of several files: posteriors of rule lists
(`program`), conditional logits (`logit`), regressions over legal moves (`regression`).
"""
