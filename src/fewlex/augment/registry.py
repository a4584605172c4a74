"""The registry of augmentation methods, and `augment`, which calls any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from fewlex.augment.geca import OnProgress, augment_geca
from fewlex.augment.rules_sampling import augment_rules
from fewlex.data.example import Example
from fewlex.errors import ConfigError, did_you_mean
from fewlex.parameters import checked_parameters, defaults_of

Augmenter: TypeAlias = Callable[..., tuple[Example, ...]]
"""A function from examples to new examples. It takes the seed, its parameters and the progress function by name."""

AUGMENTERS: dict[str, Augmenter] = {"geca": augment_geca, "rules": augment_rules}


def augment(
    examples: Iterable[Example],
    method: str = "geca",
    parameters: Mapping[str, Any] | None = None,
    *,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> tuple[Example, ...]:
    """Make new examples that are not among the old ones. The same seed makes the same examples.

    `parameters` are those of the method.
    """
    made = check_parameters(method, parameters or {})
    return AUGMENTERS[method](examples, seed=seed, on_progress=on_progress, **made)


def check_parameters(method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, if there is such a method and they are its own and of the right type."""
    if method not in AUGMENTERS:
        raise ConfigError(f"there is no augmentation method {method!r}. {did_you_mean(method, AUGMENTERS)}")
    return checked_parameters(method, default_parameters(method), parameters, ConfigError)


def default_parameters(method: str) -> dict[str, Any]:
    """The parameters of a method with their defaults."""
    return defaults_of(AUGMENTERS[method], besides=("seed", "on_progress"))
