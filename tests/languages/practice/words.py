"""How the word lists of the practice languages are written down."""

from __future__ import annotations


def meant(words: str) -> list[tuple[str, str]]:
    """`a_b:c d:e` is *a b* for *c* and *d* for *e*; a word without a colon means itself in capitals."""
    found = []
    for word in words.split():
        source, colon, target = word.partition(":")
        found.append((source.replace("_", " "), target.replace("_", " ") if colon else source.upper()))
    return found
