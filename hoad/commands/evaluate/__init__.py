"""Commands that compare agents with each other, with recorded games, and with unknown partners."""

import os

# Before torch is loaded. Networks play in batches of tens of rows, for which more threads cost
# more than they bring, a hundred times more on a busy machine; cores share games instead.
os.environ.setdefault("OMP_NUM_THREADS", "1")
