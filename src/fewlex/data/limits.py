"""How long a line may be. Time and memory of every later step are bounded by these two numbers and the vocabulary.

A network looks at every source word for every target word, and lexicon learners count every pair of them, so a pair of
lines of n words costs n² steps. Sentences have tens of words. Whoever has a line of thousands has forgotten to cut a
text into sentences, or has lost the line ends, and should hear of it at once and not after an hour.
"""

from __future__ import annotations

from collections.abc import Sequence

MAX_LINE_BYTES = 1 << 24
"""Longer lines are not even read to their end."""

MAX_TOKENS = 5_000
"""A source or a target has at most this many tokens."""

CUT = "Cut the text into sentences, one a line."


def too_long(side: str, tokens: Sequence[str]) -> str:
    """What is wrong with a side that has too many tokens; empty if it has not."""
    if len(tokens) <= MAX_TOKENS:
        return ""
    return f"the {side} has {len(tokens):,} tokens, and at most {MAX_TOKENS:,} are read"
