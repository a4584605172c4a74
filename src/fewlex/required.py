"""Decoding with required terms: the output must contain them, each at the place where its source word is attended.

First the model decodes freely. If a term is missing, the output is kept up to the step that looked most at the term's
source word. The term is put there, and decoding continues after it. This is repeated for each missing term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from fewlex.decoding import Hypothesis

Required = Mapping[int, int]
"""Maps a position in the source (with boundaries) to the target id that must appear for it."""

Decode = Callable[[Sequence[int], Sequence[Sequence[int]]], list[list[Hypothesis]]]
"""A function from the numbers of some sentences, with a prefix for each, to their hypotheses, best first."""


def require_terms(
    hypotheses: list[list[Hypothesis]], required: Sequence[Required], decode: Decode
) -> list[list[Hypothesis]]:
    """The same hypotheses, but sentences whose best hypothesis lacks a required term are decoded again."""
    found = list(hypotheses)
    prefixes: list[tuple[int, ...]] = [()] * len(found)
    for _ in range(max(map(len, required), default=0)):
        missing = [i for i, n_best in enumerate(found) if _missing(n_best[0], required[i])]
        if not missing:
            break
        for i in missing:
            prefixes[i] = _extended_prefix(found[i][0], required[i], len(prefixes[i]))
        again = decode(missing, [prefixes[i] for i in missing])
        for i, n_best in zip(missing, again, strict=True):
            found[i] = n_best
    return found


def _missing(hypothesis: Hypothesis, required: Required) -> dict[int, int]:
    return {position: target for position, target in required.items() if target not in hypothesis.ids}


def _extended_prefix(hypothesis: Hypothesis, required: Required, settled: int) -> tuple[int, ...]:
    """The tokens before the first place where a missing term belongs, then the term. Settled tokens are kept."""
    places = {}
    for position, target in _missing(hypothesis, required).items():
        looked = hypothesis.attention[settled:, position]
        places[settled + int(looked.argmax())] = target
    first = min(places)
    return (*hypothesis.ids[:first], places[first])
