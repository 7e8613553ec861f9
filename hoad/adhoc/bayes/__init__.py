"""The Bayesian meta-agent: beliefs about the partner, and responses to them."""
