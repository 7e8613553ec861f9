"""The mixture of partner models: a regression on them, and shares by how well each predicted."""
