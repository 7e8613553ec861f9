"""The Bayesian meta-agent: a pool, beliefs about the partner, and responses to them."""
