"""Environments for other people's learners: Gymnasium (single and vectorised) and PettingZoo.

They need the extra ``environments``. Each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError

if TYPE_CHECKING:
    from hoad.environments.aec import HanabiAECEnv, aec_env
    from hoad.environments.single import HanabiEnv
    from hoad.environments.vector import HanabiVectorEnv

__all__ = ["HanabiAECEnv", "HanabiEnv", "HanabiVectorEnv", "aec_env"]

_HOMES: Final = {
    "HanabiAECEnv": "aec",
    "HanabiEnv": "single",
    "HanabiVectorEnv": "vector",
    "aec_env": "aec",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in ("gymnasium", "pettingzoo"):
            raise
        raise HoadError(
            f"{name}: {package} is not installed; run pip install 'hoad[environments]'"
        ) from missing
