"""What is measured and reported: tables of players, cross-play, behaviour, prediction.

A folder or module holds each of them; `statistics` and `report` serve all.
"""
