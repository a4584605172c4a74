"""Brackets in targets. A part of a target that a rule yields never breaks a pair of brackets."""

from __future__ import annotations

from collections.abc import Sequence

from fewlex.data.brackets import CLOSER_OF, CLOSERS

__all__ = ["CLOSERS", "CLOSER_OF", "are_open_ended", "closed", "is_mark", "open_ended"]


def closed(target: Sequence[str]) -> tuple[str, ...]:
    """The target with the closing brackets that it leaves out at its end."""
    missing: list[str] = []
    for token in target:
        if token in CLOSER_OF:
            missing.append(CLOSER_OF[token])
        elif token in CLOSERS and missing:
            missing.pop()
    return (*target, *reversed(missing))


def are_open_ended(targets: Sequence[Sequence[str]]) -> bool:
    """True if most of the targets with brackets leave out those at their end. If few do, these are mistakes."""
    bracketed = [target for target in targets if any(token in CLOSER_OF for token in target)]
    return 2 * sum(len(closed(target)) > len(target) for target in bracketed) > len(bracketed)


def open_ended(target: Sequence[str]) -> tuple[str, ...]:
    """The target without the closing brackets at its end."""
    end = len(target)
    while end and target[end - 1] in CLOSERS:
        end -= 1
    return tuple(target[:end])


def is_mark(token: str) -> bool:
    """True for brackets, separators and other tokens without a letter or digit."""
    return not any(character.isalnum() for character in token)
