"""Environments for other people's learners: Gymnasium (single and vectorised) and PettingZoo.

They need the extra ``environments``. Each name is loaded when it is first used. The import of this
package registers ``hoad/Hanabi-v0`` for ``gymnasium.make`` and ``gymnasium.make_vec``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError

if TYPE_CHECKING:
    from hoad.environments.aec import HanabiAECEnv, aec_env
    from hoad.environments.sb3 import SB3VecEnv
    from hoad.environments.single import HanabiEnv
    from hoad.environments.vector import HanabiVectorEnv

__all__ = ["HanabiAECEnv", "HanabiEnv", "HanabiVectorEnv", "SB3VecEnv", "aec_env"]

_HOMES: Final = {
    "HanabiAECEnv": "aec",
    "HanabiEnv": "single",
    "HanabiVectorEnv": "vector",
    "SB3VecEnv": "sb3",
    "aec_env": "aec",
}
_REMEDIES: Final = {
    "gymnasium": "'hoad[environments]'",
    "pettingzoo": "'hoad[environments]'",
    "stable_baselines3": "'hoad[environments]' sb3-contrib",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _REMEDIES:
            raise
        remedy = f"run pip install {_REMEDIES[package]}"
        raise HoadError(f"{name}: {package} is not installed; {remedy}") from missing


def _register() -> None:
    """Let Gymnasium find the environments by name, if it is installed."""
    try:
        from gymnasium.envs.registration import register
    except ModuleNotFoundError:
        return
    register(
        "hoad/Hanabi-v0",
        entry_point="hoad.environments.single:HanabiEnv",
        vector_entry_point="hoad.environments.vector:HanabiVectorEnv",
    )


_register()
