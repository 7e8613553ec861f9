"""Where networks are computed, and in which precision."""

import ctypes
from contextlib import AbstractContextManager
from typing import Final

import torch

from hoad.learning.recipes import Precision

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def autocast(device: torch.device, precision: Precision) -> AbstractContextManager[None]:
    """Return a context in which matrices are multiplied in this precision.

    Weights, losses and optimisers stay in float32. ``auto`` is bfloat16 on hardware that
    multiplies it natively (four times as fast as float32 on a CPU with AVX-512), else float32.
    """
    return torch.autocast(device.type, torch.bfloat16, enabled=is_bfloat16(device, precision))


def is_bfloat16(device: torch.device, precision: Precision) -> bool:
    """Return whether matrices are multiplied in bfloat16 on this device."""
    return multiplies_bfloat16(device) if precision == "auto" else precision == "bfloat16"


def multiplies_bfloat16(device: torch.device) -> bool:
    """Return whether the device has instructions for products of bfloat16 matrices."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # Older versions of torch do not tell.
    capabilities: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))


def keep_freed_memory() -> None:
    """Let this process keep the memory that it frees, for its next use; on Linux with glibc only.

    Large tensors are otherwise given back to the system and come back as new pages, which takes a
    sixth of a meta-step.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt:
        mallopt(_M_MMAP_THRESHOLD, 2**25)  # the largest that glibc takes
        mallopt(_M_TRIM_THRESHOLD, 2**31 - 1)
