"""Imitators, naive networks, the FOMAML meta-model and Rainbow, with their training loops.

Importing this package lets the registry find trained networks by name.
"""

from hoad.learning.names import register_all

register_all()
