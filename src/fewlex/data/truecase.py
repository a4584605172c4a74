"""Truecasing: the first word of a sentence is read as it is written in the middle of others. *A* becomes *a*, but
*Emma* stays *Emma*.

Without it, a network takes *A* and *a* for two unrelated words. The training sentences tell which words have a capital
only because they begin a sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence


def learn_truecase(sources: Iterable[Sequence[str]]) -> dict[str, str]:
    """For each word that begins a sentence the form in which it occurs most often within sentences, if it is another.

    A word that never occurs within a sentence stays as it is. If two forms are equally frequent, the one that comes
    first in the alphabet wins.
    """
    first: set[str] = set()
    within: dict[str, Counter[str]] = {}
    for source in sources:
        first.update(source[:1])
        for word in source[1:]:
            within.setdefault(word.lower(), Counter())[word] += 1
    usual = {
        word: min(forms, key=lambda form: (-forms[form], form))
        for word in sorted(first)
        if (forms := within.get(word.lower()))
    }
    return {word: form for word, form in usual.items() if word != form}


def truecased(source: Sequence[str], truecase: Mapping[str, str]) -> tuple[str, ...]:
    """The sentence with its first word written as within sentences."""
    return (*(truecase.get(word, word) for word in source[:1]), *source[1:])
