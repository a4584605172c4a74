"""Greedy search and beam search in batches, over the interface `start / step / reorder` that every model has.

A finished sentence leaves the batch, so that one long output does not keep a hundred short ones waiting.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fewlex.config import DecodingConfig
from fewlex.data.batching import bucketed_batches
from fewlex.data.vocabulary import BOS, EOS, PAD, UNK
from fewlex.model.batch import pad
from fewlex.model.open_brackets import Closers, OpenBrackets

BATCH_EXAMPLES, BATCH_TOKENS = 256, 16384

NEVER = [PAD, BOS, UNK]
"""These ids are never chosen as output, although they may have probability."""


@runtime_checkable
class Stepped(Protocol):
    """The result of a decoding step. Only the model itself knows what is in `state`."""

    @property
    def probs(self) -> Tensor: ...
    @property
    def output_ids(self) -> Tensor: ...
    @property
    def attention(self) -> Tensor: ...
    @property
    def write_gate(self) -> Tensor: ...
    @property
    def state(self) -> Any: ...
    def lexical(self, rows: Tensor, columns: Tensor) -> Tensor: ...
    def remembered(self, rows: Tensor, columns: Tensor) -> Tensor: ...


@runtime_checkable
class Decodable(Protocol):
    """A model that a search can decode."""

    def start(self, source: Tensor) -> Any: ...
    def step(self, state: Any, previous: Tensor) -> Stepped: ...
    def reorder(self, state: Any, rows: Tensor) -> Any: ...


@dataclass(frozen=True)
class Hypothesis:
    """One output: its ids without end marker, its log probability, and how each id came about (end marker last)."""

    ids: tuple[int, ...]
    log_prob: float
    attention: Float[Tensor, "steps source"]
    write_gate: Float[Tensor, " steps"]
    lexical_share: Float[Tensor, " steps"]
    """The part of each token's probability that came through the lexicon."""
    remembered_share: Float[Tensor, " steps"]
    """The part that came from the memory of training sentences."""

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
    closers: Closers | None = None,
) -> list[list[Hypothesis]]:
    """The hypotheses of every source, best first. Sources are encoded with boundaries and batched by length.

    If `prefixes` are given, each output begins with its prefix. If `closers` are given, every output closes the
    brackets that it opens.
    """
    results: dict[int, list[Hypothesis]] = {}
    lengths = [(len(source), len(source)) for source in sources]
    for indices in bucketed_batches(lengths, BATCH_EXAMPLES // config.beam or 1, BATCH_TOKENS):
        batch = pad([sources[i] for i in indices]).to(device)
        prefix = None if prefixes is None else pad([prefixes[i] for i in indices]).to(device)
        if config.beam == 1:
            found = [[hypothesis] for hypothesis in greedy(model, batch, max_length, prefix, closers)]
        else:
            found = beam_search(model, batch, max_length, config.beam, config.length_penalty, prefix, closers)
        results.update(zip(indices, found, strict=True))
        on_batch(len(indices))
    return [results[i] for i in range(len(sources))]


@torch.inference_mode()
def greedy(
    model: Decodable,
    source: Int[Tensor, "batch source"],
    max_length: int,
    prefix: Int[Tensor, "batch prefix"] | None = None,
    closers: Closers | None = None,
) -> list[Hypothesis]:
    """Choose the most probable token at each step, or the token of `prefix` where that is not padding."""
    brackets = OpenBrackets(closers, len(source)) if closers else None
    trace = _Trace(len(source), source.device)
    state, previous = model.start(source), torch.full_like(source[:, 0], BOS)
    row_of = torch.arange(len(source), device=source.device)
    is_done = torch.zeros_like(previous, dtype=torch.bool)
    for position in range(max_length + 1):
        step = model.step(state, previous)
        probs = _allowed(step, max_length - position, _forced(prefix, row_of, position), brackets)
        best, column = probs.max(-1)
        token = step.output_ids[column].masked_fill(is_done, PAD)
        trace.record(row_of, token, best.log().masked_fill(is_done, 0.0), step)
        is_done = is_done | (token == EOS)
        state, previous = step.state, token
        if brackets:
            brackets.read(token)
        finished = int(is_done.sum())
        if finished == len(token):
            break
        if 4 * finished >= len(token):  # Compacting copies the state, so it is done rarely.
            keep = (~is_done).nonzero()[:, 0]
            state, previous = model.reorder(state, keep), token[keep]
            row_of, is_done = row_of[keep], is_done[keep]
            if brackets:
                brackets.keep(keep)
    return trace.hypotheses()


@torch.inference_mode()
def beam_search(
    model: Decodable,
    source: Int[Tensor, "batch source"],
    max_length: int,
    beam: int,
    length_penalty: float = 0.0,
    prefix: Int[Tensor, "batch prefix"] | None = None,
    closers: Closers | None = None,
) -> list[list[Hypothesis]]:
    """Find the `beam` best outputs of each sentence, best first. A finished hypothesis keeps its place in the beam."""
    batch = len(source)
    spread = torch.arange(batch, device=source.device).repeat_interleave(beam)
    state = model.reorder(model.start(source), spread)
    trace = _Trace(batch * beam, source.device)
    previous = torch.full_like(spread, BOS)
    scores = torch.full((batch, beam), float("-inf"), device=source.device)
    scores[:, 0] = 0.0  # All beams start alike, so only the first one counts.
    is_done = torch.zeros_like(previous, dtype=torch.bool)
    row_of = torch.arange(batch * beam, device=source.device)
    brackets = OpenBrackets(closers, batch * beam) if closers else None
    for position in range(max_length + 1):
        step = model.step(state, previous)
        probs = _allowed(step, max_length - position, _forced(prefix, row_of // beam, position), brackets)
        probs[is_done] = 0.0
        probs[is_done, PAD] = 1.0
        best, column = probs.topk(min(beam, probs.shape[1]), dim=1)  # A row adds at most `beam` hypotheses.
        totals = (scores[:, :, None] + best.log().view(len(scores), beam, -1)).flatten(1)
        new_scores, chosen = totals.topk(beam, dim=1)
        offset = torch.arange(len(chosen), device=source.device)[:, None] * beam
        parent = (offset + chosen.div(best.shape[1], rounding_mode="floor")).flatten()
        token = step.output_ids[column[parent, (chosen % best.shape[1]).flatten()]]

        gained = (new_scores.flatten() - scores.flatten()[parent]).nan_to_num(
            nan=float("-inf"), neginf=float("-inf")
        )
        trace.record(row_of, token, gained, step, parent)
        is_done = is_done[parent] | (token == EOS)
        state, previous, scores = model.reorder(step.state, parent), token, new_scores
        if brackets:
            brackets.read(token, parent)

        is_sentence_done = is_done.view(-1, beam).all(1)
        if is_sentence_done.all():
            break
        if is_sentence_done.any():
            keep = (~is_sentence_done).repeat_interleave(beam).nonzero()[:, 0]
            state, previous = model.reorder(state, keep), previous[keep]
            row_of, is_done, scores = row_of[keep], is_done[keep], scores[~is_sentence_done]
            if brackets:
                brackets.keep(keep)
    found = trace.hypotheses()
    return [_ranked(found[first : first + beam], length_penalty) for first in range(0, batch * beam, beam)]


def _ranked(hypotheses: list[Hypothesis], length_penalty: float) -> list[Hypothesis]:
    """The hypotheses, best first. If there are fewer outputs than the beam is wide, empty places are dropped."""
    real = [hypothesis for hypothesis in hypotheses if math.isfinite(hypothesis.log_prob)]
    return sorted(real, key=lambda hypothesis: hypothesis.score(length_penalty), reverse=True)


def _forced(
    prefix: Int[Tensor, "batch prefix"] | None, sentence_of: Int[Tensor, " rows"], position: int
) -> Int[Tensor, " rows"] | None:
    """The token that each row must choose at this position; PAD if the row is free to choose."""
    if prefix is None or position >= prefix.shape[1]:
        return None
    return prefix[sentence_of, position]


def _allowed(
    step: Stepped, left: int, forced: Int[Tensor, " rows"] | None, brackets: OpenBrackets | None
) -> Float[Tensor, "rows columns"]:
    """The step's probabilities, with 0 for every token that must not be chosen. A forced token has more than 0.

    `left` tokens may still come before the end.

    They are changed in place, because nobody else needs them and a copy would cost as much as a softmax.
    """
    probs = step.probs
    probs[:, NEVER] = 0.0
    if brackets:
        brackets.forbid(probs, step.output_ids, left)
    if left == 0:
        forced = torch.full_like(probs[:, 0], EOS, dtype=torch.long)
    if forced is not None:
        column = torch.searchsorted(step.output_ids, forced)[:, None]
        prob = probs.gather(1, column).clamp_min(torch.finfo(probs.dtype).tiny)
        only = torch.zeros_like(probs).scatter(1, column, prob)
        probs = torch.where((forced == PAD)[:, None], probs, only)
    return probs


class _Choice(NamedTuple):
    """The choices of the unfinished rows at one step, and the rows that they continue."""

    row: Int[Tensor, " active"]
    parent: Int[Tensor, " active"]
    token: Int[Tensor, " active"]
    attention: Float[Tensor, "active source"]
    write_gate: Float[Tensor, " active"]
    lexical_share: Float[Tensor, " active"]
    remembered_share: Float[Tensor, " active"]


class _Trace:
    """Records all choices of all rows.

    Each choice records which row it continues. These links are followed back once, at the end, so that the cost of a
    step does not depend on the length of the outputs. Rows of the trace keep their numbers while the batch shrinks.
    """

    def __init__(self, rows: int, device: torch.device) -> None:
        self.log_prob = torch.zeros(rows, device=device)
        self.choices: list[_Choice] = []

    def record(
        self,
        rows: Int[Tensor, " active"],
        token: Int[Tensor, " active"],
        log_prob: Float[Tensor, " active"],
        step: Stepped,
        parent: Int[Tensor, " active"] | None = None,
    ) -> None:
        """Record a step. `parent` says which of the active rows each row continues; None means that it is itself."""
        pick = torch.arange(len(token), device=token.device) if parent is None else parent
        column = torch.searchsorted(step.output_ids, token)
        prob = step.probs[pick, column].clamp_min(torch.finfo(step.probs.dtype).tiny)
        self.log_prob[rows] = self.log_prob[rows[pick]] + log_prob
        self.choices.append(
            _Choice(
                rows,
                rows[pick],
                token,
                step.attention[pick],
                step.write_gate[pick],
                step.lexical(pick, column) / prob,
                step.remembered(pick, column) / prob,
            )
        )

    def hypotheses(self) -> list[Hypothesis]:
        """One hypothesis for each row."""
        rows, steps, source = len(self.log_prob), len(self.choices), self.choices[0].attention.shape[1]
        token = self.choices[0].token.new_full((rows, steps), PAD)
        attention = self.log_prob.new_zeros(rows, steps, source)
        write_gate = self.log_prob.new_zeros(rows, steps)
        lexical_share = self.log_prob.new_zeros(rows, steps)
        remembered_share = self.log_prob.new_zeros(rows, steps)
        # The row that each output was in. It is followed from the end of the output to its beginning.
        at = torch.arange(rows, device=token.device)
        for position in reversed(range(steps)):
            choice = self.choices[position]
            place = torch.full_like(at, -1)
            place[choice.row] = torch.arange(len(choice.row), device=token.device)
            mine = (place[at] >= 0).nonzero()[:, 0]
            index = place[at[mine]]
            token[mine, position] = choice.token[index]
            attention[mine, position] = choice.attention[index]
            write_gate[mine, position] = choice.write_gate[index]
            lexical_share[mine, position] = choice.lexical_share[index]
            remembered_share[mine, position] = choice.remembered_share[index]
            at[mine] = choice.parent[index]
        found = []
        for row, (ids, log_prob) in enumerate(zip(token.tolist(), self.log_prob.tolist(), strict=True)):
            length = ids.index(EOS) + 1 if EOS in ids else steps
            found.append(
                Hypothesis(
                    ids=tuple(ids[: length - 1]),
                    log_prob=log_prob,
                    attention=attention[row, :length],
                    write_gate=write_gate[row, :length],
                    lexical_share=lexical_share[row, :length],
                    remembered_share=remembered_share[row, :length],
                )
            )
        return found
