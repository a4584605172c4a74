"""Brackets and quotes in targets. A part of a target that a rule yields never breaks a pair of them.

The tokenizer `marks` writes them with the sign for a blank that was not there: `on ￭( ￭"￭ lamp ￭" ￭)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from fewlex.data.brackets import CLOSER_OF, closes_bracket, opens_bracket
from fewlex.data.tokenizers import GLUE

QUOTES = frozenset("\"'")


def opens(token: str) -> bool:
    """True for an opening bracket, and for a quote that a word is glued to."""
    return opens_bracket(token) or (token.strip(GLUE) in QUOTES and token.endswith(GLUE))


def closes(token: str) -> bool:
    """True for a closing bracket, and for a quote that is glued to the word before it and to none after it."""
    is_quote = token.strip(GLUE) in QUOTES and token.startswith(GLUE) and not token.endswith(GLUE)
    return is_quote or closes_bracket(token)


def is_bracket(token: str) -> bool:
    """True for brackets and quotes that open or close."""
    return opens(token) or closes(token)


def closed(target: Sequence[str]) -> tuple[str, ...]:
    """The target with the closing brackets that it leaves out at its end."""
    missing: list[str] = []
    for token in target:
        if opens_bracket(token):
            missing.append(CLOSER_OF[token.strip(GLUE)])
        elif closes_bracket(token) and missing:
            missing.pop()
    return (*target, *reversed(missing))


def are_open_ended(targets: Sequence[Sequence[str]]) -> bool:
    """True if most of the targets with brackets leave out those at their end. If few do, these are mistakes."""
    bracketed = [target for target in targets if any(map(opens_bracket, target))]
    return 2 * sum(len(closed(target)) > len(target) for target in bracketed) > len(bracketed)


def open_ended(target: Sequence[str]) -> tuple[str, ...]:
    """The target without the closing brackets at its end."""
    end = len(target)
    while end and closes_bracket(target[end - 1]):
        end -= 1
    return tuple(target[:end])


def common_edges(targets: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What all targets begin and end with, as much of it as holds whole pairs of brackets: `answer (` and `)`."""
    if not targets:
        return (), ()
    shortest = min(map(len, targets))
    first = _same_start(targets, shortest)
    last = _same_start([target[::-1] for target in targets], shortest)[::-1]
    found = [
        (first[:before], last[len(last) - after :])
        for before in range(len(first) + 1)
        for after in range(len(last) + 1)
        if before + after < shortest
    ]
    whole = [(before, after) for before, after in found if _is_whole((*before, *after))]
    return max(whole, key=lambda edges: len(edges[0]) + len(edges[1]))


def _same_start(targets: Sequence[Sequence[str]], shortest: int) -> tuple[str, ...]:
    same = 0
    while same < shortest and all(target[same] == targets[0][same] for target in targets):
        same += 1
    return tuple(targets[0][:same])


def _is_whole(tokens: Sequence[str]) -> bool:
    """True if each bracket has its fellow."""
    depth = 0
    for token in tokens:
        depth += opens(token) - closes(token)
        if depth < 0:
            return False
    return depth == 0


def is_mark(token: str) -> bool:
    """True for brackets, separators and other tokens without a letter or digit."""
    return not any(character.isalnum() for character in token)
