"""The registry of augmentation methods, and `augment`, which calls any of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from fewlex.augment.geca import OnProgress, augment_geca
from fewlex.augment.rules_sampling import augment_rules
from fewlex.data.example import Example
from fewlex.errors import ConfigError, did_you_mean

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
    check_parameters(method, parameters or {})
    return AUGMENTERS[method](examples, seed=seed, on_progress=on_progress, **(parameters or {}))


def check_parameters(method: str, parameters: Mapping[str, Any]) -> None:
    """Refuse a method that does not exist, and parameters that it does not have or that have the wrong type."""
    if method not in AUGMENTERS:
        raise ConfigError(f"there is no augmentation method {method!r}. {did_you_mean(method, AUGMENTERS)}")
    defaults = default_parameters(method)
    for name, value in parameters.items():
        if name not in defaults:
            raise ConfigError(f"{method} has no parameter {name!r}. {did_you_mean(name, defaults)}")
        if type(value) is not type(defaults[name]):
            raise ConfigError(
                f"{method}: {name} must be a {type(defaults[name]).__name__}, not {value!r}. "
                f"The default is {defaults[name]!r}."
            )


def default_parameters(method: str) -> dict[str, Any]:
    """The parameters of a method with their defaults."""
    parameters = inspect.signature(AUGMENTERS[method]).parameters.values()
    own = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.name not in ("seed", "on_progress")]
    return {p.name: p.default for p in own}
