"""Notations: other ways to write targets. They are undone before anything is scored.

A data set may bring notations (`DataSet.notations`). A network then learns and emits targets in such a notation, and
whatever is shown or scored is turned back into the published form. `flat` is the name of the published form itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from fewlex.errors import NotationError

Tokens: TypeAlias = tuple[str, ...]

PUBLISHED = "flat"
"""The notation that every data set has: its targets as they are published."""


@dataclass(frozen=True, slots=True)
class Pointed:
    """A target in a notation. `positions[i]` is the number of the source token that `tokens[i]` is about."""

    tokens: Tokens
    positions: tuple[int | None, ...]
    """None where a token is about no source token in particular."""


@dataclass(frozen=True)
class Codec:
    """A notation: `decode(encode(target)) == target` for every published target.

    Both raise `NotationError` if what they read is not in the notation that they expect. A network gives `decode` a
    position for every token, also for tokens for which `encode` gives None; `decode` must ignore these.
    """

    encode: Callable[[Tokens], Pointed]
    decode: Callable[[Pointed], Tokens]


def published_form(codec: Codec, output: Pointed) -> Tokens:
    """The published form of an output. An output that cannot be turned back stays as it is and is scored as wrong."""
    try:
        return codec.decode(output)
    except NotationError:
        return output.tokens
