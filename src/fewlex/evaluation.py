"""How good outputs are: exact match, BLEU, token F1. Works on tokens; knows nothing of models."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fewlex.data.example import Corpus, Example

Tokens = Sequence[str]


@dataclass(frozen=True)
class Scores:
    """Figures of one output set, each between 0 and 1."""

    examples: int
    exact_match: float
    by_category: Mapping[str, float]
    bleu: float
    token_f1: float


def score(examples: Sequence[Example], outputs: Sequence[Tokens], corpus: Corpus | None = None) -> Scores:
    """Score outputs against the examples they answer; `corpus` adds further references for BLEU."""
    if len(examples) != len(outputs):
        raise ValueError(f"{len(outputs)} outputs for {len(examples)} examples")
    references = references_of(examples, corpus)
    return Scores(
        examples=len(examples),
        exact_match=mean(is_exact(examples, outputs)),
        by_category=exact_match_by_category(examples, outputs),
        bleu=corpus_bleu(references, outputs),
        token_f1=mean(token_f1(e.target, output) for e, output in zip(examples, outputs, strict=True)),
    )


def is_exact(examples: Sequence[Example], outputs: Sequence[Tokens]) -> list[bool]:
    return [example.target == tuple(output) for example, output in zip(examples, outputs, strict=True)]


def exact_match_by_category(examples: Sequence[Example], outputs: Sequence[Tokens]) -> dict[str, float]:
    """Exact match of each category, in alphabetical order; nothing where examples have none."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for example, hit in zip(examples, is_exact(examples, outputs), strict=True):
        if example.category:
            hits[example.category].append(hit)
    return {category: mean(hits[category]) for category in sorted(hits)}


def exact_match_by_example(
    examples: Sequence[Example], outputs_of_seeds: Sequence[Sequence[Tokens]]
) -> list[tuple[Example, float]]:
    """For each example, the share of seeds that got it right (appendix, table 7)."""
    hits_of_seeds = [is_exact(examples, outputs) for outputs in outputs_of_seeds]
    return [
        (example, mean(hits))
        for example, hits in zip(examples, zip(*hits_of_seeds, strict=True), strict=True)
    ]


def references_of(examples: Sequence[Example], corpus: Corpus | None) -> list[list[Tokens]]:
    """All targets that the corpus pairs with the same source, in any split (NOTES: multi-reference BLEU)."""
    targets: dict[tuple[str, ...], dict[Tokens, None]] = defaultdict(dict)
    for split in (examples, *(corpus.splits.values() if corpus else ())):
        for example in split:
            targets[example.source][example.target] = None
    return [list(targets[example.source]) for example in examples]


def corpus_bleu(
    references: Sequence[Sequence[Tokens]], outputs: Sequence[Tokens], max_order: int = 4
) -> float:
    """BLEU (Papineni et al. 2002) as NLTK's default: clipped counts pooled over the corpus, no smoothing."""
    matched, total = [0] * max_order, [0] * max_order
    output_length = reference_length = 0
    for options, output in zip(references, outputs, strict=True):
        output_length += len(output)
        reference_length += min((abs(len(r) - len(output)), len(r)) for r in options)[1]
        for order in range(1, max_order + 1):
            ngrams = _ngrams(output, order)
            allowed: Counter[tuple[str, ...]] = Counter()
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
    """Harmonic mean of precision and recall of tokens as bags."""
    if not target and not output:
        return 1.0
    return 2 * (Counter(target) & Counter(output)).total() / (len(target) + len(output))


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values) if values else 0.0


def _ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))
