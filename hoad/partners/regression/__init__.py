"""A regression over the moves of a partner: inputs, weights, priors learned from strangers."""
