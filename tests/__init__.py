"""Tests of HOAD, in folders named as the packages are."""

import os

# Before torch is loaded: the matrices of these tests gain nothing from a second thread.
os.environ.setdefault("OMP_NUM_THREADS", "1")
