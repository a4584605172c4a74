"""How like an output is to what was wanted: BLEU of a corpus, and the tokens that two sequences share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

Tokens = Sequence[Hashable]
"""Words, or the ids of words."""


def corpus_bleu(
    references: Sequence[Sequence[Tokens]], outputs: Sequence[Tokens], max_order: int = 4
) -> float:
    """BLEU (Papineni et al. 2002) like NLTK's default: clipped counts are pooled over the corpus, without smoothing."""
    matched, total = [0] * max_order, [0] * max_order
    output_length = reference_length = 0
    for options, output in zip(references, outputs, strict=True):
        output_length += len(output)
        reference_length += min((abs(len(r) - len(output)), len(r)) for r in options)[1]
        for order in range(1, max_order + 1):
            ngrams = _ngrams(output, order)
            allowed: Counter[tuple[Hashable, ...]] = Counter()
            for reference in options:
                allowed |= _ngrams(reference, order)
            matched[order - 1] += (ngrams & allowed).total()
            total[order - 1] += max(1, ngrams.total())
    if not output_length or not all(matched):
        return 0.0
    precision = math.fsum(math.log(m / t) for m, t in zip(matched, total, strict=True)) / max_order
    brevity = min(0.0, 1 - reference_length / output_length)
    return math.exp(brevity + precision)


def token_f1(target: Tokens, output: Tokens) -> float:
    """The harmonic mean of precision and recall of tokens, without regard to their order."""
    if not target and not output:
        return 1.0
    return 2 * (Counter(target) & Counter(output)).total() / (len(target) + len(output))


def _ngrams(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))
