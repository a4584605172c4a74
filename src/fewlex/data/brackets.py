"""Brackets in targets: which tokens they are, and whether all that is opened is closed in the right order.

The tokenizer `marks` writes a bracket with a sign for each blank that was not there: `￭(` is an opening bracket, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fewlex.data.tokenizers import GLUE

CLOSER_OF = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(CLOSER_OF.values())


def opens_bracket(token: str) -> bool:
    return token.strip(GLUE) in CLOSER_OF


def closes_bracket(token: str) -> bool:
    return token.strip(GLUE) in CLOSERS


def is_balanced(target: Sequence[str]) -> bool:
    """True if every bracket is closed by its fellow, in the right order."""
    missing: list[str] = []
    for token in target:
        if opens_bracket(token):
            missing.append(CLOSER_OF[token.strip(GLUE)])
        elif closes_bracket(token) and (not missing or missing.pop() != token.strip(GLUE)):
            return False
    return not missing


def uses_brackets(targets: Iterable[Sequence[str]]) -> bool:
    return any(opens_bracket(token) or closes_bracket(token) for target in targets for token in target)
