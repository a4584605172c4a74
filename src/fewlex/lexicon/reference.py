"""Lexicons that learn nothing, to compare the learners with."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.lexicon.entry import Entry
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example


def learn_identity(examples: Iterable[Example]) -> Lexicon:
    """Each source word that is a target word ↦ itself: the lexical mechanism as a copy mechanism (§3)."""
    sources, targets = _words(examples)
    return Lexicon((word, word, Entry(1.0, "identity")) for word in sources if word in targets)


def learn_uniform(examples: Iterable[Example]) -> Lexicon:
    """Each source word ↦ every target word it was seen with, all alike; meant for temperatures above 0.

    The paper's ablation spreads each row over the whole target vocabulary; pairs that never co-occur are left
    out here, so that memory stays sparse.
    """
    import numpy as np

    from fewlex.lexicon.counts import Counts

    counts = Counts.from_examples(examples)
    ones = np.ones_like(counts.cooccurrence, dtype=np.float64)
    return Lexicon(counts.lines(ones.astype(np.bool_), ones, origin="uniform"))


def learn_random(examples: Iterable[Example], *, seed: int = 0) -> Lexicon:
    """Each source word ↦ one target word drawn at random."""
    sources, targets = _words(examples)
    generator, choices = random.Random(seed), tuple(targets)
    return Lexicon((word, generator.choice(choices), Entry(1.0, "random")) for word in sources)


def _words(examples: Iterable[Example]) -> tuple[dict[str, None], dict[str, None]]:
    """The source and the target words by first appearance."""
    sources: dict[str, None] = {}
    targets: dict[str, None] = {}
    for example in examples:
        sources.update(dict.fromkeys(example.source))
        targets.update(dict.fromkeys(example.target))
    return sources, targets
