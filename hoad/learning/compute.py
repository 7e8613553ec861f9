"""Device, precision and random seeds of the computations of networks."""

import ctypes
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import numpy as np
import torch

from hoad.learning.recipes import Precision

TORCH_RANDOM: Final = threading.Lock()
"""Held while a thread draws from torch's random generator, which all threads share."""


def derive_seed(*numbers: int) -> int:
    """Return a seed that depends on all ``numbers`` (each at least 0) except zeros at their end."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> np.uint64(1))


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU.

    On a GPU, torch is told to add up in the same order each time, so that a seed gives the same
    bits there too (bits of its own: other devices give others). It warns where it cannot, which
    code of HOAD does not need.
    """
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # torch asks for it
    torch.use_deterministic_algorithms(True, warn_only=True)
    return torch.device("cuda")


def autocast(device: torch.device, precision: Precision) -> AbstractContextManager[None]:
    """Return a context in which matrices are multiplied in this precision.

    Weights, losses and optimisers stay in float32.
    """
    return torch.autocast(device.type, torch.bfloat16, enabled=is_bfloat16(device, precision))


def is_bfloat16(device: torch.device, precision: Precision) -> bool:
    """Return whether matrices are multiplied in bfloat16; ``auto`` is what the device does faster.

    AMD's processors with AVX-512 multiply bfloat16 about four times as fast as float32. Intel's
    need AMX for it, which virtual machines may hide; without it they take nearly twice as long.
    """
    if precision != "auto":
        return precision == "bfloat16"
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # Older versions of torch do not have it.
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    is_intel = str(capabilities.get("cpu_name")).startswith("Intel")
    has_avx = not is_intel and bool(capabilities.get("avx512_bf16"))
    return has_avx or bool(capabilities.get("amx_bf16"))


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute with one thread: several add up gradients in an order of their own."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def keep_freed_memory() -> None:
    """Let this process keep freed memory for its next allocation; on Linux with glibc only.

    Otherwise large tensors are allocated as new pages, which takes a sixth of a meta-step.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(-3, 2**25)  # M_MMAP_THRESHOLD: the largest value that glibc accepts
        mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD
