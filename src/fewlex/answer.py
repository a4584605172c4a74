"""An answer to a source: its tokens, where each of them comes from, who gave it and how sure they are.

This module needs no torch.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal

from fewlex.data.copies import Copied
from fewlex.rules import Derivation
from fewlex.rules.view import derivation_json

How = Literal["written", "translated", "remembered", "rule"]
"""`translated` if the token is the translation of a lexicon word; for a network, if most of the token's probability
came through the lexicon. `remembered` if most of it came from training sentences like this one. `rule` if the token is
part of a rule. `written` otherwise."""


@dataclass(frozen=True)
class Origin:
    """Where one output token comes from."""

    token: str
    how: How
    source: str
    """The source term that was translated, or the term that was attended most while the token was written."""
    source_index: int
    """The position of that term among the source terms."""
    attention: float
    write_gate: float


@dataclass(frozen=True)
class Answer:
    """One output. Row i of `attention`, `write_gate[i]` and `origins[i]` belong to `tokens[i]`."""

    text: str
    source: tuple[str, ...]
    """The source terms. Most are single tokens; a term of several tokens that the lexicon knows is one source term."""
    tokens: tuple[str, ...]
    """The tokens as they were emitted, in the notation of the run."""
    published: tuple[str, ...]
    """The output in the published notation. In most runs these are the same tokens."""
    log_prob: float
    attention: tuple[tuple[float, ...], ...]
    """The attention over the source terms. If a row sums to less than 1, the rest went to the sentence boundaries."""
    write_gate: tuple[float, ...]
    """p_gate of eq. 6: 1 = written, 0 = translated by the lexicon."""
    origins: tuple[Origin, ...]
    by: Literal["network", "rules", "nobody"] = "network"
    """Who gave the answer. It is nobody if a run has no network and its rules derive nothing."""
    confidence: float | None = None
    """The estimated probability that the answer is right; None if it was not estimated."""
    derivation: Derivation | None = None
    """The tree of rules and words behind an answer of the rules."""
    unknown: tuple[str, ...] = ()
    """The source words that the run has never seen: in no training sentence, no row of the lexicon and no rule. The
    answer is a guess where there are some; `fewlex teach` makes such a word known."""

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Pairs of source and target token positions. A term of several tokens is linked with each of its tokens."""
        starts = first_tokens(self.source)
        return tuple(
            (starts[origin.source_index] + offset, i)
            for i, origin in enumerate(self.origins)
            for offset in range(len(origin.source.split()))
        )

    @property
    def pharaoh(self) -> str:
        """The alignment in the notation of word aligners, such as `0-0 2-1`."""
        return " ".join(f"{source}-{target}" for source, target in sorted(self.alignment))

    def to_json(self) -> dict[str, Any]:
        """Everything about this answer as lists and dictionaries that JSON can hold."""
        fields = dataclasses.asdict(dataclasses.replace(self, derivation=None))
        return fields | {
            "log_prob": self.log_prob if math.isfinite(self.log_prob) else None,
            "derivation": None if self.derivation is None else derivation_json(self.derivation),
            "alignment": self.alignment,
        }


def restored(answer: Answer, copied: Copied, text: Callable[[Sequence[str]], str]) -> Answer:
    """The answer with what its slots stand for; `text` joins tokens."""
    whole = [copied.restored(token) for token in answer.tokens]
    published = tuple(token for slot in answer.published for token in copied.restored(slot))

    def each(values: Sequence[Any]) -> tuple[Any, ...]:
        """What belongs to a token belongs to all tokens that its slot stands for."""
        return tuple(value for value, tokens in zip(values, whole, strict=False) for _ in range(len(tokens)))

    def term(unit: str) -> str:
        return " ".join(token for slot in unit.split(" ") for token in copied.restored(slot))

    tokens = tuple(token for found in whole for token in found)
    origins = [
        dataclasses.replace(origin, token=token, source=term(origin.source))
        for origin, token in zip(each(answer.origins), tokens, strict=False)
    ]
    return dataclasses.replace(
        answer,
        text=text(published),
        source=tuple(map(term, answer.source)),
        tokens=tokens,
        published=published,
        attention=each(answer.attention),
        write_gate=each(answer.write_gate),
        origins=tuple(origins),
        unknown=tuple(map(term, answer.unknown)),
    )


def first_tokens(terms: Sequence[str]) -> list[int]:
    """The position of the first token of each source term."""
    lengths = [len(term.split()) for term in terms]
    return [0, *accumulate(lengths)][: len(terms)]
