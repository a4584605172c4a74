"""The first word of a sentence as it is written elsewhere: *A* as *a*, but *Emma* as *Emma*.

A network takes *A* and *a* for two words that have nothing to do with each other. Which capitals are due to the
beginning of a sentence alone is learned from the training sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence


def learn_truecase(sources: Iterable[Sequence[str]]) -> dict[str, str]:
    """For words that begin a sentence, how they are written most often within sentences, where that is different.

    A word that is never seen within a sentence stays as it is. Of two ways equally often, the alphabetically first.
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
    """A sentence with its first word as elsewhere."""
    return (*(truecase.get(word, word) for word in source[:1]), *source[1:])
