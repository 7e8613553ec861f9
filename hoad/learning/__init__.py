"""Imitators, naive networks and the FOMAML meta-model, with their training loops."""
