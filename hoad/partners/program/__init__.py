"""A partner as a program: a posterior over ordered lists of rules, from its games."""
