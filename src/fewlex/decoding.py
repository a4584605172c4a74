"""Greedy and beam search, batched, over the `start / step / reorder` interface that every model has.

Sentences that are finished leave the batch, so that one long output does not keep a hundred short ones waiting.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from fewlex.config import DecodingConfig
from fewlex.data.batching import bucketed_batches
from fewlex.data.vocabulary import BOS, EOS, PAD, UNK
from fewlex.model.batch import pad

BATCH_EXAMPLES, BATCH_TOKENS = 256, 16384

NEVER = [PAD, BOS, UNK]
"""Ids that are no output: they may carry probability, but are never chosen."""


@runtime_checkable
class Stepped(Protocol):
    """What a step tells; `state` is the model's own affair."""

    @property
    def log_probs(self) -> Tensor: ...
    @property
    def output_ids(self) -> Tensor: ...
    @property
    def attention(self) -> Tensor: ...
    @property
    def write_gate(self) -> Tensor: ...
    @property
    def log_lexical(self) -> Tensor: ...
    @property
    def state(self) -> Any: ...


@runtime_checkable
class Decodable(Protocol):
    """Any model that can be decoded."""

    def start(self, source: Tensor) -> Any: ...
    def step(self, state: Any, previous: Tensor) -> Stepped: ...
    def reorder(self, state: Any, rows: Tensor) -> Any: ...


@dataclass(frozen=True)
class Hypothesis:
    """One output: ids without end marker, log probability, and for each id (end marker last) how it came about."""

    ids: tuple[int, ...]
    log_prob: float
    attention: Float[Tensor, "steps source"]
    write_gate: Float[Tensor, " steps"]
    lexical_share: Float[Tensor, " steps"]
    """The part of each token's probability that came through the lexicon."""

    def score(self, length_penalty: float) -> float:
        return self.log_prob / float((len(self.ids) + 1) ** length_penalty)


def decode_all(
    model: Decodable,
    sources: Sequence[Sequence[int]],
    config: DecodingConfig,
    max_length: int,
    device: torch.device,
    on_batch: Callable[[int], None] = lambda done: None,
    prefixes: Sequence[Sequence[int]] | None = None,
) -> list[list[Hypothesis]]:
    """The hypotheses of every source (encoded with boundaries), best first, in batches of similar lengths.

    Where `prefixes` are given, each output begins with its prefix.
    """
    results: dict[int, list[Hypothesis]] = {}
    lengths = [(len(source), len(source)) for source in sources]
    for indices in bucketed_batches(lengths, BATCH_EXAMPLES // config.beam or 1, BATCH_TOKENS):
        batch = pad([sources[i] for i in indices]).to(device)
        prefix = None if prefixes is None else pad([prefixes[i] for i in indices]).to(device)
        if config.beam == 1:
            found = [[hypothesis] for hypothesis in greedy(model, batch, max_length, prefix)]
        else:
            found = beam_search(model, batch, max_length, config.beam, config.length_penalty, prefix)
        results.update(zip(indices, found, strict=True))
        on_batch(len(indices))
    return [results[i] for i in range(len(sources))]


@torch.inference_mode()
def greedy(
    model: Decodable,
    source: Int[Tensor, "batch source"],
    max_length: int,
    prefix: Int[Tensor, "batch prefix"] | None = None,
) -> list[Hypothesis]:
    """The most probable token at each step; where `prefix` is not padding, that token."""
    trace = _Trace(source, max_length)
    state, previous = model.start(source), torch.full_like(source[:, 0], BOS)
    row_of = torch.arange(len(source), device=source.device)
    is_done = torch.zeros_like(previous, dtype=torch.bool)
    for position in range(max_length + 1):
        step = model.step(state, previous)
        log_probs = _allowed(step, position == max_length, _forced(prefix, row_of, position))
        best, column = log_probs.max(-1)
        token = step.output_ids[column].masked_fill(is_done, PAD)
        trace.record(position, row_of, token, best.masked_fill(is_done, 0.0), step)
        is_done = is_done | (token == EOS)
        state, previous = step.state, token
        finished = int(is_done.sum())
        if finished == len(token):
            break
        if 4 * finished >= len(token):  # compacting copies the state: worth it only now and then
            keep = (~is_done).nonzero()[:, 0]
            state, previous = model.reorder(state, keep), token[keep]
            row_of, is_done = row_of[keep], is_done[keep]
    return [trace.hypothesis(row) for row in range(len(source))]


@torch.inference_mode()
def beam_search(
    model: Decodable,
    source: Int[Tensor, "batch source"],
    max_length: int,
    beam: int,
    length_penalty: float = 0.0,
    prefix: Int[Tensor, "batch prefix"] | None = None,
) -> list[list[Hypothesis]]:
    """The `beam` best outputs of each sentence, best first. A finished hypothesis keeps its place in the beam."""
    batch = len(source)
    spread = torch.arange(batch, device=source.device).repeat_interleave(beam)
    state = model.reorder(model.start(source), spread)
    trace = _Trace(source[spread], max_length)
    previous = torch.full_like(spread, BOS)
    scores = torch.full((batch, beam), float("-inf"), device=source.device)
    scores[:, 0] = 0.0  # all beams start alike: let one of them speak
    is_done = torch.zeros_like(previous, dtype=torch.bool)
    row_of = torch.arange(batch * beam, device=source.device)
    for position in range(max_length + 1):
        step = model.step(state, previous)
        log_probs = _allowed(step, position == max_length, _forced(prefix, row_of // beam, position))
        log_probs[is_done] = float("-inf")
        log_probs[is_done, PAD] = 0.0
        width = log_probs.shape[1]
        totals = (scores[:, :, None] + log_probs.view(-1, beam, width)).flatten(1)
        new_scores, chosen = totals.topk(beam, dim=1)
        offset = torch.arange(len(chosen), device=source.device)[:, None] * beam
        parent = (offset + chosen.div(width, rounding_mode="floor")).flatten()
        token = step.output_ids[(chosen % width).flatten()]

        gained = (new_scores.flatten() - scores.flatten()[parent]).nan_to_num(
            nan=float("-inf"), neginf=float("-inf")
        )
        trace.follow(row_of, row_of[parent])
        trace.record(position, row_of, token, gained, step, parent)
        is_done = is_done[parent] | (token == EOS)
        state, previous, scores = model.reorder(step.state, parent), token, new_scores

        is_sentence_done = is_done.view(-1, beam).all(1)
        if is_sentence_done.all():
            break
        if is_sentence_done.any():
            keep = (~is_sentence_done).repeat_interleave(beam).nonzero()[:, 0]
            state, previous = model.reorder(state, keep), previous[keep]
            row_of, is_done, scores = row_of[keep], is_done[keep], scores[~is_sentence_done]
    return [
        _ranked([trace.hypothesis(row) for row in range(first, first + beam)], length_penalty)
        for first in range(0, batch * beam, beam)
    ]


def _ranked(hypotheses: list[Hypothesis], length_penalty: float) -> list[Hypothesis]:
    """Best first; a beam wider than there are outputs has places that nothing took."""
    real = [hypothesis for hypothesis in hypotheses if math.isfinite(hypothesis.log_prob)]
    return sorted(real, key=lambda hypothesis: hypothesis.score(length_penalty), reverse=True)


def _forced(
    prefix: Int[Tensor, "batch prefix"] | None, sentence_of: Int[Tensor, " rows"], position: int
) -> Int[Tensor, " rows"] | None:
    """The token that each row must choose at this position; PAD where it is free."""
    if prefix is None or position >= prefix.shape[1]:
        return None
    return prefix[sentence_of, position]


def _allowed(
    step: Stepped, must_end: bool, forced: Int[Tensor, " rows"] | None
) -> Float[Tensor, "rows columns"]:
    """The step's log probabilities with all that may not be chosen at −∞."""
    log_probs = step.log_probs.clone()
    log_probs[:, NEVER] = float("-inf")
    if must_end:
        forced = torch.full_like(log_probs[:, 0], EOS, dtype=torch.long)
    if forced is not None:
        column = torch.searchsorted(step.output_ids, forced)[:, None]
        only = torch.full_like(log_probs, float("-inf")).scatter(1, column, log_probs.gather(1, column))
        log_probs = torch.where((forced == PAD)[:, None], log_probs, only)
    return log_probs


class _Trace:
    """What was chosen at each step of each row; rows of the trace stay put while the batch shrinks."""

    def __init__(self, source: Int[Tensor, "rows source"], max_length: int) -> None:
        rows, steps = len(source), 0
        self.capacity = max_length + 1
        self.source_length = source.shape[1]
        self.token = source.new_zeros(rows, steps)
        self.log_prob = torch.zeros(rows, device=source.device)
        self.attention = torch.zeros(rows, steps, self.source_length, device=source.device)
        self.write_gate = torch.zeros(rows, steps, device=source.device)
        self.lexical_share = torch.zeros(rows, steps, device=source.device)

    def record(
        self,
        position: int,
        rows: Int[Tensor, " active"],
        token: Int[Tensor, " active"],
        log_prob: Float[Tensor, " active"],
        step: Stepped,
        parent: Int[Tensor, " active"] | None = None,
    ) -> None:
        if position == self.token.shape[1]:
            self._grow()
        pick = slice(None) if parent is None else parent
        self.token[rows, position] = token
        self.log_prob[rows] += log_prob
        self.attention[rows, position] = step.attention[pick]
        self.write_gate[rows, position] = step.write_gate[pick]
        column = torch.searchsorted(step.output_ids, token)[:, None]
        share = step.log_lexical[pick].gather(1, column) - step.log_probs[pick].gather(1, column)
        self.lexical_share[rows, position] = share[:, 0].exp()

    def follow(self, rows: Int[Tensor, " active"], parents: Int[Tensor, " active"]) -> None:
        """Let rows go on from what their parents have done."""
        for history in (self.token, self.log_prob, self.attention, self.write_gate, self.lexical_share):
            history[rows] = history[parents]

    def _grow(self) -> None:
        """Double the room for steps, up to the most there can be: outputs are usually far shorter."""
        extra = min(max(16, self.token.shape[1]), self.capacity - self.token.shape[1])
        self.token = F.pad(self.token, (0, extra))
        self.write_gate = F.pad(self.write_gate, (0, extra))
        self.lexical_share = F.pad(self.lexical_share, (0, extra))
        self.attention = F.pad(self.attention, (0, 0, 0, extra))

    def hypothesis(self, row: int) -> Hypothesis:
        ids = self.token[row].tolist()
        steps = ids.index(EOS) + 1 if EOS in ids else len(ids)
        return Hypothesis(
            ids=tuple(ids[: steps - 1]),
            log_prob=float(self.log_prob[row]),
            attention=self.attention[row, :steps],
            write_gate=self.write_gate[row, :steps],
            lexical_share=self.lexical_share[row, :steps],
        )
