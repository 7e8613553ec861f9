"""Device and precision of the computations of networks."""

import ctypes
import threading
from contextlib import AbstractContextManager
from typing import Any, Final

import torch

from hoad.learning.recipes import Precision

TORCH_RANDOM: Final = threading.Lock()
"""Held while a thread draws from torch's random generator, which all threads share."""

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def autocast(device: torch.device, precision: Precision) -> AbstractContextManager[None]:
    """Return a context in which matrices are multiplied in this precision.

    Weights, losses and optimisers stay in float32. ``auto`` is bfloat16 on hardware that
    multiplies it faster than float32, else float32.
    """
    return torch.autocast(device.type, torch.bfloat16, enabled=is_bfloat16(device, precision))


def is_bfloat16(device: torch.device, precision: Precision) -> bool:
    """Return whether matrices are multiplied in bfloat16 on this device."""
    return multiplies_bfloat16(device) if precision == "auto" else precision == "bfloat16"


def multiplies_bfloat16(device: torch.device) -> bool:
    """Return whether the device multiplies bfloat16 matrices faster than float32 ones.

    AMD's processors with AVX-512 do, about four times as fast. Intel's need AMX for it, which
    virtual machines may hide; without it they take nearly twice as long as for float32.
    """
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # Older versions of torch do not have it.
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    if str(capabilities.get("cpu_name")).startswith("Intel"):
        return bool(capabilities.get("amx_bf16"))
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def keep_freed_memory() -> None:
    """Let this process keep freed memory for its next allocation; on Linux with glibc only.

    Otherwise large tensors are returned to the system and allocated as new pages, which takes a
    sixth of a meta-step.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_MMAP_THRESHOLD, 2**25)  # the largest value that glibc accepts
        mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)
