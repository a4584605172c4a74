"""Which groups of letters the words of a vocabulary share: *walk* and *walked* have `<wal` and `alk` in common.

A word that training has seen once is then not a stranger: its letters have been seen in other words. Scripts that are
written without blanks, such as Chinese, have words of one to three characters, and there each character is a group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fewlex.data.scripts import is_unspaced

LENGTHS = (3, 4)
"""The lengths of the groups of an alphabet, with the marks of where a word begins and ends."""

MAX_GROUPS = 16
"""The groups of a word that are kept, those that the fewest words share first: they tell the most."""

MIN_WORDS = 2
"""A group of letters that fewer words have says nothing that the word itself does not say."""


@dataclass(frozen=True)
class Spelling:
    """The groups of each word of a vocabulary, by the word's id."""

    count: int
    """The number of different groups."""
    groups: tuple[tuple[int, ...], ...]
    """Numbers of groups from 1 on; 0 is none."""


def spelling_of(words: Sequence[str]) -> Spelling:
    """The shared letter groups of a vocabulary's words, in the order of their ids."""
    own = [tuple(dict.fromkeys(letter_groups(word))) for word in words]
    shared_by = Counter(group for groups in own for group in groups)
    number = {g: i for i, g in enumerate(sorted(g for g, n in shared_by.items() if n >= MIN_WORDS), start=1)}
    kept = (sorted((g for g in groups if g in number), key=lambda g: (shared_by[g], g)) for groups in own)
    return Spelling(len(number), tuple(tuple(number[g] for g in groups[:MAX_GROUPS]) for groups in kept))


def letter_groups(word: str) -> Iterator[str]:
    """The groups of one word: characters of a script without blanks, else runs of letters with the word's ends."""
    if any(is_unspaced(character) for character in word):
        yield from (character for character in word if is_unspaced(character))
    elif any(character.isalpha() for character in word):
        marked = f"<{word.lower()}>"
        for length in LENGTHS:
            yield from (marked[i : i + length] for i in range(len(marked) - length + 1))
