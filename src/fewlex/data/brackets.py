"""Brackets in targets: which tokens they are, and whether all that is opened is closed in the right order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

CLOSER_OF = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(CLOSER_OF.values())


def is_balanced(target: Sequence[str]) -> bool:
    """True if every bracket is closed by its fellow, in the right order."""
    missing: list[str] = []
    for token in target:
        if token in CLOSER_OF:
            missing.append(CLOSER_OF[token])
        elif token in CLOSERS and (not missing or missing.pop() != token):
            return False
    return not missing


def uses_brackets(targets: Iterable[Sequence[str]]) -> bool:
    return any(token in CLOSER_OF or token in CLOSERS for target in targets for token in target)
