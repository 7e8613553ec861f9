"""Diversity of populations."""
