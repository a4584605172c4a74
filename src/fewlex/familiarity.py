"""What training has shown of each lexicon word, which decides who is read as *anonymous* (docs/fast_mapping.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fewlex.data.example import Example
from fewlex.data.vocabulary import BOS, EOS, PAD, SPECIALS

LEXICON_WORD = SPECIALS[PAD]
"""This symbol represents any neighbour that is a lexicon word. It is the padding, which no sentence contains."""


@dataclass(frozen=True)
class Familiarity:
    """For each lexicon word: its number of distinct training sentences, its neighbours there, and its class.

    All neighbours that are lexicon words themselves count as the same one, so that *jump* beside *left* is known from
    *walk* beside *right*. Everything is collected from the training split alone.
    """

    sentences: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, Sequence[str]] = field(default_factory=dict)
    right: Mapping[str, Sequence[str]] = field(default_factory=dict)
    classes: Mapping[str, int] = field(default_factory=dict)
    stand_ins: Mapping[str, int] = field(default_factory=dict)
    """Words that are not in the lexicon but occur in the same places as the words of a class. For instance, *the*
    occurs where names do. Training hides them from the encoder as if they belonged to that class; translating never
    hides them."""

    @classmethod
    def collect(
        cls, examples: Iterable[Example], lexicon_words: Iterable[str], classes: Mapping[str, int]
    ) -> Familiarity:
        known = set(lexicon_words)
        left: dict[str, set[str]] = {word: set() for word in known}
        right: dict[str, set[str]] = {word: set() for word in known}
        sentences = dict.fromkeys(known, 0)
        for source in {example.source for example in examples}:
            abstract = [LEXICON_WORD if word in known else word for word in source]
            before = [SPECIALS[BOS], *abstract]
            after = [*abstract[1:], SPECIALS[EOS]]
            for word, previous, following in zip(source, before, after, strict=False):
                if word in known:
                    left[word].add(previous)
                    right[word].add(following)
            for word in known.intersection(source):
                sentences[word] += 1
        return cls(
            dict(sorted(sentences.items())),
            {word: tuple(sorted(seen)) for word, seen in sorted(left.items())},
            {word: tuple(sorted(seen)) for word, seen in sorted(right.items())},
            dict(classes),
        )

    @property
    def class_count(self) -> int:
        return max(self.classes.values(), default=0) + 1
