"""Hanabi itself: state, moves, observation. No agents, no learning."""
