"""Imitators, naive networks, the FOMAML meta-model and Rainbow, and the loop that trains them."""

import os

# torch reads this when it first allocates: large tensors in huge pages, where Linux has them. With
# small ones a third of a meta-step is spent on page faults.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
