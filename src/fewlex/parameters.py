"""Parameters of learners and augmenters, checked against the signature of the function that takes them.

A parameter is a keyword with a default, and the default says what it may be: a whole number, a finite number,
true or false, a text. So a new learner needs no check of types of its own, and no wrong type gets as far as its code.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping
from typing import Any

from fewlex.errors import FewlexError, did_you_mean
from fewlex.strict import StrictError, checked


def defaults_of(function: Callable[..., object], besides: Container[str] = ()) -> dict[str, Any]:
    """The parameters of a function with their defaults, but for those that its caller gives."""
    keywords = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return {p.name: p.default for p in keywords if p.name not in besides}


def checked_parameters(
    who: str, defaults: Mapping[str, Any], given: Mapping[str, Any], error: type[FewlexError]
) -> dict[str, Any]:
    """The given parameters, each with the type of its default; the error names the parameter and what it may be."""
    made = {}
    for name, value in given.items():
        if name not in defaults:
            known = did_you_mean(name, defaults) if defaults else "It has no parameters."
            raise error(f"{who} has no parameter {name!r}. {known}")
        try:
            made[name] = checked(value, type(defaults[name]), name)
        except StrictError as wrong:
            raise error(f"{who}: {wrong}. The default is {defaults[name]!r}.") from None
    return made
