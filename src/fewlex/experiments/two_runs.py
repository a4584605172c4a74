"""Two runs on the same examples: is one of them better, or may it be chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewlex.bleu import corpus_bleu
from fewlex.evaluation import mean
from fewlex.experiments.statistics import bleu_counts, compare_bleu, mcnemar


@dataclass(frozen=True)
class Figure:
    """One figure of both runs, and how likely a difference as large is by chance."""

    first: float
    second: float
    p: float


@dataclass(frozen=True)
class TwoRuns:
    examples: int
    exact_match: Figure
    """Compared by McNemar's exact test."""
    bleu: Figure
    """Of the words between blanks, one reference each; compared by a paired bootstrap."""
    only_first: int
    """How many examples only the first run has right."""
    only_second: int


def compare_outputs(targets: Sequence[str], first: Sequence[str], second: Sequence[str]) -> TwoRuns:
    """Compare what two runs say, as text, so that runs with different tokenizers can be compared too."""
    hits = [
        [target == output for target, output in zip(targets, outputs, strict=True)]
        for outputs in (first, second)
    ]
    only_first = sum(mine > theirs for mine, theirs in zip(*hits, strict=True))
    only_second = sum(mine < theirs for mine, theirs in zip(*hits, strict=True))
    references = [[target.split()] for target in targets]
    words = [[output.split() for output in outputs] for outputs in (first, second)]
    counts = [bleu_counts(references, outputs) for outputs in words]
    by_bleu = compare_bleu({0: counts[0]}, {0: counts[1]})
    return TwoRuns(
        len(targets),
        Figure(mean(hits[0]), mean(hits[1]), mcnemar(only_first, only_second)),
        Figure(
            corpus_bleu(references, words[0]),
            corpus_bleu(references, words[1]),
            by_bleu.p if by_bleu else 1.0,
        ),
        only_first,
        only_second,
    )
