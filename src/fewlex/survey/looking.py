"""All that is known about data before training, in one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fewlex.data.corpus import Corpus
from fewlex.data.scripts import SideGuess
from fewlex.lexicon import learn_lexicon
from fewlex.survey.advice import expectations, next_command
from fewlex.survey.counts import (
    Contradiction,
    Side,
    count_duplicates,
    find_contradictions,
    highest_exact_match,
    looks_like_header,
)


@dataclass(frozen=True)
class Coverage:
    """How many source words the lexicon has a row for."""

    words: int
    with_row: int
    once: int
    """Words that occur in one sentence only."""
    once_with_row: int


@dataclass(frozen=True)
class Survey:
    """What fewlex sees in the training split, and what follows from it."""

    name: str
    splits: Mapping[str, int]
    notes: tuple[str, ...]
    """What the reader has decided, such as that a line is a header."""
    may_have_header: bool
    """True if the first pair looks like the names of columns, and was read as a pair."""
    source: Side
    target: Side
    guesses: tuple[SideGuess, ...]
    duplicates: int
    contradictions: tuple[Contradiction, ...]
    highest_exact_match: float
    in_other_splits: int
    """How many pairs of the other splits are training pairs too."""
    coverage: Coverage
    expectations: tuple[str, ...]
    command: str


def look_at(
    corpus: Corpus,
    split: str = "train",
    guesses: tuple[SideGuess, ...] = (),
    *,
    explained: float | None = None,
) -> Survey:
    """Look at one split, which was cut as `guesses` say.

    `explained` is the share of its pairs that rules derive, where somebody has found it out.
    """
    examples = corpus[split]
    sides = Side.of([e.source for e in examples]), Side.of([e.target for e in examples])
    coverage = _coverage(corpus, split)
    ceiling = highest_exact_match(examples)
    known = {(e.source, e.target) for e in examples}
    others = [e for name, others in corpus.splits.items() if name != split for e in others]
    return Survey(
        name=corpus.name,
        splits={name: len(members) for name, members in corpus.splits.items()},
        notes=corpus.notes,
        may_have_header=looks_like_header(examples),
        source=sides[0],
        target=sides[1],
        guesses=guesses,
        duplicates=count_duplicates(examples),
        contradictions=tuple(find_contradictions(examples)),
        highest_exact_match=ceiling,
        in_other_splits=sum((e.source, e.target) in known for e in others),
        coverage=coverage,
        expectations=tuple(
            expectations(len(examples), explained, ceiling, coverage.once, coverage.once_with_row)
        ),
        command=next_command(corpus, guesses),
    )


def _coverage(corpus: Corpus, split: str) -> Coverage:
    examples = corpus[split]
    lexicon = learn_lexicon(examples, "simple")
    sentences: dict[str, int] = {}
    for example in examples:
        for word in set(example.source):
            sentences[word] = sentences.get(word, 0) + 1
    once = [word for word, count in sentences.items() if count == 1]
    return Coverage(
        len(sentences),
        sum(word in lexicon for word in sentences),
        len(once),
        sum(word in lexicon for word in once),
    )
