"""Imitators, naive networks and the FOMAML meta-model, with their training loops.

Importing this package lets the registry find trained networks by name.
"""

from hoad.learning.names import register_all

register_all()
