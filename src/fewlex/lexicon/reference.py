"""Learners that learn nothing, as a reference for the others."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.lexicon.entry import Entry
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.pmi import MAX_ENTRIES

if TYPE_CHECKING:
    from fewlex.data.example import Example


def learn_identity(examples: Iterable[Example]) -> Lexicon:
    """Map each source word that is also a target word to itself, which makes a copy mechanism of the lexicon (§3)."""
    sources, targets = _words(examples)
    return Lexicon((word, word, Entry(1.0, "identity")) for word in sources if word in targets)


def learn_uniform(examples: Iterable[Example]) -> Lexicon:
    """Map each source word to every target word that it was seen with, all with the same weight.

    This is meant for temperatures above 0. The paper's ablation spreads each row over the whole target vocabulary; here
    pairs that never co-occur are left out, so that the lexicon stays sparse. Of more than MAX_ENTRIES pairs, each word
    keeps those with the highest Dice coefficients.
    """
    import numpy as np

    from fewlex.lexicon.counts import Counts

    counts = Counts.from_examples(examples)
    ones = np.ones_like(counts.cooccurrence, dtype=np.float64)
    return Lexicon(counts.lines(counts.heaviest(ones, MAX_ENTRIES), ones, origin="uniform"))


def learn_random(examples: Iterable[Example], *, seed: int = 0) -> Lexicon:
    """Map each source word to one target word, drawn at random."""
    sources, targets = _words(examples)
    generator, choices = random.Random(seed), tuple(targets)
    return Lexicon((word, generator.choice(choices), Entry(1.0, "random")) for word in sources)


def _words(examples: Iterable[Example]) -> tuple[dict[str, None], dict[str, None]]:
    """The source words and the target words, by first appearance."""
    sources: dict[str, None] = {}
    targets: dict[str, None] = {}
    for example in examples:
        sources.update(dict.fromkeys(example.source))
        targets.update(dict.fromkeys(example.target))
    return sources, targets
