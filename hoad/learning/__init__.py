"""Imitators, naive networks, the FOMAML meta-model and Rainbow, with their training loops.

Importing this package lets the registry find trained networks by name.
"""

import os

from hoad.learning.names import register_all

# torch reads this when it first allocates: large tensors in huge pages, where Linux has them. With
# small ones a third of a meta-step is spent on page faults.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

register_all()
