"""Partner models: distributions over a partner's moves, learned from its games.

To add a model, write a subclass of :class:`~hoad.partners.model.PartnerModel` in a file here, and
a line in ``KINDS`` of :mod:`.kinds`: tables of predictions and mixtures take it from there. Folders
hold the models of several files: posteriors of rule lists (`program`), conditional logits
(`logit`), and the regression of the mixture (`regression`).
"""
