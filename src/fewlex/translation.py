"""One output and how it came about, token by token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from fewlex.data.codec import Pointed
from fewlex.decoding import Hypothesis

Row = Mapping[str, float]
"""Translation probabilities of one source term."""


@dataclass(frozen=True)
class Origin:
    """Where one output token comes from."""

    token: str
    how: Literal["written", "translated"]
    """`translated` where most of the token's probability came through the lexicon."""
    source: str
    """The source term: the one that was translated, or the one most looked at while writing."""
    source_index: int
    """Its number among the source terms."""
    attention: float
    write_gate: float


@dataclass(frozen=True)
class Translation:
    """One output. Row i of `attention`, `write_gate[i]` and `origins[i]` belong to `tokens[i]`."""

    text: str
    source: tuple[str, ...]
    """Source terms: tokens, but for terms of several tokens that the lexicon knows as one."""
    tokens: tuple[str, ...]
    """As the network emitted them, in the notation of the run."""
    published: tuple[str, ...]
    """The output in the published notation; the same tokens in most runs."""
    log_prob: float
    attention: tuple[tuple[float, ...], ...]
    """Over the source terms; what is missing to 1 went to the sentence boundaries."""
    write_gate: tuple[float, ...]
    """p_gate of eq. 6: 1 = written, 0 = translated by the lexicon."""
    origins: tuple[Origin, ...]

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Pairs of source and target token positions; a term of several tokens is linked with all of them."""
        starts = first_tokens(self.source)
        return tuple(
            (starts[origin.source_index] + offset, i)
            for i, origin in enumerate(self.origins)
            for offset in range(len(origin.source.split()))
        )

    @property
    def pharaoh(self) -> str:
        """The alignment as aligners write it: `0-0 2-1`."""
        return " ".join(f"{source}-{target}" for source, target in sorted(self.alignment))


def first_tokens(terms: Sequence[str]) -> list[int]:
    """For each source term, the number of its first token."""
    lengths = [len(term.split()) for term in terms]
    return [0, *accumulate(lengths)][: len(terms)]


def pointed(
    hypothesis: Hypothesis, words: Sequence[str], source: tuple[str, ...], rows: Mapping[str, Row]
) -> Pointed:
    """The tokens of a hypothesis, each with the source token it is about (docs/notations.md).

    That is the most attended of the terms that translate to the token, or of all where none does; of a term of several
    tokens, the first.
    """
    starts = first_tokens(source)
    tokens: list[str] = []
    positions: list[int | None] = []
    for word, looked in zip(words, _looks(hypothesis, source), strict=False):
        able = [i for i, term in enumerate(source) if word in rows.get(term, ())]
        best = max(able or range(len(source)), key=looked.__getitem__, default=None)
        for token in word.split(" "):
            tokens.append(token)
            positions.append(None if best is None else starts[best])
    return Pointed(tuple(tokens), tuple(positions))


def explained(
    hypothesis: Hypothesis, words: Sequence[str], source: tuple[str, ...], rows: Mapping[str, Row]
) -> tuple[list[str], list[list[float]], list[float], list[Origin]]:
    """Tokens, attention, gates and origins of a hypothesis; a word of several tokens is written out."""
    tokens, attention, gates, origins = [], [], [], []
    gate_and_share = zip(hypothesis.write_gate.tolist(), hypothesis.lexical_share.tolist(), strict=True)
    for word, looked, (gate, share) in zip(words, _looks(hypothesis, source), gate_and_share, strict=False):
        for token in word.split(" "):
            tokens.append(token)
            attention.append(looked)
            gates.append(gate)
            if source:
                origins.append(_origin(token, word, looked, gate, share, source, rows))
    return tokens, attention, gates, origins


def _looks(hypothesis: Hypothesis, source: tuple[str, ...]) -> list[list[float]]:
    """Attention of each step over the source terms, without the sentence boundaries."""
    rows: list[list[float]] = hypothesis.attention[:, 1 : len(source) + 1].tolist()
    return rows


def _origin(
    token: str,
    word: str,
    looked: Sequence[float],
    gate: float,
    share: float,
    source: tuple[str, ...],
    rows: Mapping[str, Row],
) -> Origin:
    is_translated = share > 0.5
    weights = [a * rows.get(term, {}).get(word, 0.0) for a, term in zip(looked, source, strict=True)]
    evidence = weights if is_translated and max(weights) > 0 else looked
    index = max(range(len(source)), key=evidence.__getitem__)
    return Origin(
        token, "translated" if is_translated else "written", source[index], index, looked[index], gate
    )
