"""What is measured besides tables of players: cross-play, agreement, behaviour, prediction.

A module or folder holds each study. Its page is made with :mod:`hoad.reports`.
"""
