"""Pointwise mutual information of words that occur together (§4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.errors import LexiconError
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.execution import Execution


MAX_ENTRIES = 1_000_000
"""A lexicon of so many entries takes about 1 GB; every pair of a large corpus would take many times as much."""


def learn_pmi(
    examples: Iterable[Example], *, max_entries: int = MAX_ENTRIES, execution: Execution | None = None
) -> Lexicon:
    """All pairs that co-occur, weighted by log(#(v, w) |D| / (#(v) #(w))) (§4.1, eq. 13).

    Where more than `max_entries` pairs co-occur, each source word keeps its heaviest ones, the same number for all.
    """
    import numpy as np

    from fewlex.lexicon.counts import Counts

    if max_entries < 1:
        raise LexiconError(f"max_entries = {max_entries} leaves no entry. Give at least 1.")
    counts = Counts.from_examples(examples, execution)
    # All but the one division is done in whole numbers. Equal ratios therefore have equal weights, and ties stay ties.
    independent = counts.source_count_of_pair * counts.target_count_of_pair
    weights = np.log(counts.cooccurrence * counts.sentences / independent)
    return Lexicon(counts.lines(counts.heaviest(weights, max_entries), weights, origin="pmi"))
