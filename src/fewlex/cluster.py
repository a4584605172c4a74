"""Ray, started or joined in one place for all that can be spread over several machines."""

from __future__ import annotations

import os
from typing import Any

from fewlex.errors import ConfigError

ENVIRONMENT = ("FEWLEX_DATA", "FEWLEX_CACHE", "FEWLEX_MIRROR", "FEWLEX_CHECKPOINT_SECONDS")
"""The variables of this process that the workers of a cluster are given too."""


def connected_ray(cores: int, address: str = "") -> Any:
    """The module `ray`, connected to a cluster.

    The cluster is the one at `address`, or else the one that the variable RAY_ADDRESS names. If neither is given, Ray
    is started on this machine with so many `cores`. If this process is connected already, it stays with its cluster.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise ConfigError(
            "the backend 'ray' needs Ray, which is not installed. Run: pip install \"fewlex[cluster]\""
        ) from error
    if ray.is_initialized():
        return ray
    address = address or os.environ.get("RAY_ADDRESS", "")
    # Without "local", Ray looks for a cluster that someone else has started on this machine, and if it finds one, it
    # refuses `num_cpus`.
    place: dict[str, Any] = {"address": address} if address else {"address": "local", "num_cpus": cores}
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    try:
        ray.init(**place, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": environment})
    except ConnectionError as error:
        raise ConfigError(f"no Ray cluster at {address}. Start one with `ray start --head`.") from error
    except ValueError as error:
        said = " ".join(str(error).split())
        raise ConfigError(
            f"Ray does not take the address {address!r} ({said}). "
            "Give the host and port of the cluster's head, such as ray-head:6379, on a machine of the cluster."
        ) from error
    return ray
