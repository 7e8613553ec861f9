"""Hanabi itself: state, moves, observation and game logs. No agents and no learning."""
