"""A partner as a conditional logit that is asked in compiled code, from its games."""
