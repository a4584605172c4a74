"""What can be counted: lengths, vocabularies, pairs that repeat or contradict each other."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fewlex.data.example import Example


@dataclass(frozen=True)
class Side:
    """One side of the pairs: how long its sentences are, and how many different words they have."""

    shortest: int
    median: float
    longest: int
    words: int
    seen_once: int
    """The number of words that occur in one sentence only."""
    example_once: tuple[str, ...]
    """A few of them."""

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> Side:
        lengths = [len(tokens) for tokens in sentences]
        in_sentences = Counter(word for tokens in sentences for word in set(tokens))
        once = [word for word, count in in_sentences.items() if count == 1]
        return cls(
            min(lengths),
            statistics.median(lengths),
            max(lengths),
            len(in_sentences),
            len(once),
            tuple(sorted(once)[:5]),
        )


@dataclass(frozen=True)
class Contradiction:
    """A source with several targets."""

    source: str
    targets: tuple[str, ...]


def count_duplicates(examples: Iterable[Example]) -> int:
    """How many pairs say again what an earlier pair has said."""
    return sum(count - 1 for count in Counter((e.source, e.target) for e in examples).values())


def find_contradictions(examples: Iterable[Example]) -> list[Contradiction]:
    """The sources that have more than one target."""
    targets = _targets(examples)
    return [
        Contradiction(" ".join(source), tuple(" ".join(target) for target in found))
        for source, found in targets.items()
        if len(found) > 1
    ]


def highest_exact_match(examples: Sequence[Example]) -> float:
    """The share of these pairs that somebody could get right who always says the commonest target of a source."""
    best = sum(max(found.values()) for found in _targets(examples).values())
    return best / len(examples)


def looks_like_header(examples: Sequence[Example]) -> bool:
    """Whether the first pair may be the names of the columns: a word or two on each side that no other pair has."""
    first, rest = examples[0], examples[1:]
    others = {word for example in rest for word in (*example.source, *example.target)}
    words = (*first.source, *first.target)
    is_short = max(len(first.source), len(first.target)) <= 2
    return len(rest) >= 5 and is_short and others.isdisjoint(words) and all(w.isalpha() for w in words)


def _targets(examples: Iterable[Example]) -> dict[tuple[str, ...], Counter[tuple[str, ...]]]:
    found: dict[tuple[str, ...], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for example in examples:
        found[example.source][example.target] += 1
    return found
