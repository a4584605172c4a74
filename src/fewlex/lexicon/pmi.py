"""Pointwise mutual information of words that occur together (§4.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.execution import Execution


def learn_pmi(examples: Iterable[Example], *, execution: Execution | None = None) -> Lexicon:
    """All pairs that co-occur, weighted by log(#(v, w) |D| / (#(v) #(w))) (§4.1, eq. 13)."""
    import numpy as np

    from fewlex.lexicon.counts import Counts

    counts = Counts.from_examples(examples, execution)
    # All but the one division is done in whole numbers. Equal ratios therefore have equal weights, and ties stay ties.
    independent = counts.source_count_of_pair * counts.target_count_of_pair
    weights = np.log(counts.cooccurrence * counts.sentences / independent)
    everything = np.ones_like(weights, dtype=np.bool_)
    return Lexicon(counts.lines(everything, weights, origin="pmi"))
