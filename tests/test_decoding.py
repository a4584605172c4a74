"""Greedy and beam search against each other and against every output there is."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fewlex.config import DecodingConfig
from fewlex.data.vocabulary import BOS, EOS, PAD
from fewlex.decoding import NEVER, beam_search, decode_all, greedy
from tests.model.conftest import batch_of, small_config, small_model

VOCABULARY = 7
"""Four specials and three words."""


@dataclass(frozen=True)
class TableState:
    rows: torch.Tensor
    previous: torch.Tensor
    position: int


@dataclass(frozen=True)
class TableStep:
    probs: torch.Tensor
    output_ids: torch.Tensor
    attention: torch.Tensor
    write_gate: torch.Tensor
    lexical_probs: torch.Tensor
    state: TableState

    def lexical(self, rows: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        return self.lexical_probs[rows, columns]

    def remembered(self, rows: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(rows))


class TableModel:
    """A model that is a table: what follows depends on sentence, position and previous token."""

    def __init__(self, sentences: int, positions: int, seed: int) -> None:
        logits = torch.randn(
            sentences, positions, VOCABULARY, VOCABULARY, generator=torch.Generator().manual_seed(seed)
        )
        self.log_probs = (2 * logits).log_softmax(-1)

    def start(self, source: torch.Tensor) -> TableState:
        return TableState(source[:, 0] - 4, torch.full_like(source[:, 0], BOS), 0)

    def step(self, state: TableState, previous: torch.Tensor) -> TableStep:
        log_probs = self.log_probs[state.rows, state.position, previous]
        attention = torch.ones(len(previous), 1)
        return TableStep(
            probs=log_probs.exp(),
            output_ids=torch.arange(VOCABULARY),
            attention=attention,
            write_gate=attention[:, 0],
            lexical_probs=(log_probs - 1).exp(),
            state=TableState(state.rows, previous, state.position + 1),
        )

    def reorder(self, state: TableState, rows: torch.Tensor) -> TableState:
        return TableState(state.rows[rows], state.previous[rows], state.position)

    def log_prob(self, sentence: int, ids: tuple[int, ...]) -> float:
        path = zip((BOS, *ids), (*ids, EOS), strict=True)
        return sum(self.log_probs[sentence, i, a, b].item() for i, (a, b) in enumerate(path))


def every_output(max_length: int) -> list[tuple[int, ...]]:
    words = [i for i in range(VOCABULARY) if i not in NEVER and i != EOS]
    return [ids for length in range(max_length + 1) for ids in itertools.product(words, repeat=length)]


SOURCE = torch.arange(4, 8)[:, None]


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_a_wide_beam_finds_the_best_of_all_outputs(seed: int) -> None:
    model = TableModel(len(SOURCE), 4, seed)
    found = beam_search(model, SOURCE, max_length=3, beam=60)
    for sentence, hypotheses in enumerate(found):
        ranked = sorted(every_output(3), key=lambda ids: -model.log_prob(sentence, ids))
        assert [h.ids for h in hypotheses[:5]] == ranked[:5]
        for hypothesis in hypotheses:
            assert hypothesis.log_prob == pytest.approx(model.log_prob(sentence, hypothesis.ids), abs=1e-4)


@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_greedy_is_a_beam_of_one(seed: int) -> None:
    model = TableModel(len(SOURCE), 9, seed)
    for alone, (best, *others) in zip(
        greedy(model, SOURCE, 8), beam_search(model, SOURCE, 8, beam=1), strict=True
    ):
        assert alone.ids == best.ids
        assert others == []
        assert alone.log_prob == pytest.approx(best.log_prob, abs=1e-4)


def test_a_length_penalty_favours_longer_outputs() -> None:
    model = TableModel(len(SOURCE), 6, seed=3)
    plain = beam_search(model, SOURCE, 5, beam=20)
    penalised = beam_search(model, SOURCE, 5, beam=20, length_penalty=2.0)
    assert sum(len(h[0].ids) for h in penalised) > sum(len(h[0].ids) for h in plain)


def test_outputs_do_not_depend_on_their_neighbours_in_the_batch() -> None:
    """Sentences leave the batch at different times; each must come out as if alone."""
    model, knowledge = small_model(small_config())
    source = batch_of(knowledge).source
    for beam in (1, 3):
        config = DecodingConfig(beam=beam)
        rows = [[i for i in row if i != PAD] for row in source.tolist()]
        together = decode_all(model, rows, config, 12, torch.device("cpu"))
        for row, n_best in zip(rows, together, strict=True):
            (alone,) = decode_all(model, [row], config, 12, torch.device("cpu"))
            assert [h.ids for h in alone] == [h.ids for h in n_best]


def test_the_limit_of_length_holds() -> None:
    model, knowledge = small_model(small_config())
    source = batch_of(knowledge).source
    assert max(len(h.ids) for h in greedy(model, source, 3)) <= 3
    assert max(len(h.ids) for n_best in beam_search(model, source, 3, 4) for h in n_best) <= 3


def test_each_token_comes_with_its_attention_and_gate() -> None:
    model, knowledge = small_model(small_config())
    source = batch_of(knowledge).source
    for hypothesis in (*greedy(model, source, 6), *itertools.chain(*beam_search(model, source, 6, 3))):
        steps = len(hypothesis.ids) + 1
        assert hypothesis.attention.shape == (steps, source.shape[1])
        torch.testing.assert_close(hypothesis.attention.sum(1), torch.ones(steps))
        assert hypothesis.write_gate.shape == (steps,)


def test_attention_of_a_beam_is_that_of_its_own_history() -> None:
    """Re-reading a hypothesis token by token gives the attention that the beam reported for it."""
    model, knowledge = small_model(small_config())
    source = batch_of(knowledge).source[5:6]
    for hypothesis in beam_search(model, source, 6, 4)[0]:
        state, previous = model.start(source), torch.tensor([BOS])
        for i, token in enumerate((*hypothesis.ids, EOS)):
            step = model.step(state, previous)
            torch.testing.assert_close(hypothesis.attention[i], step.attention[0])
            state, previous = step.state, torch.tensor([token])


@pytest.mark.parametrize("beam", [1, 3])
def test_a_prefix_is_kept_even_where_the_model_rules_it_out(beam: int) -> None:
    model = TableModel(1, 4, seed=0)
    model.log_probs[:, 0, BOS, EOS + 2] = float("-inf")
    prefix = [[EOS + 2]]
    [[best, *_]] = decode_all(
        model, [[4]], DecodingConfig(beam=beam), 3, torch.device("cpu"), prefixes=prefix
    )
    assert best.ids[0] == EOS + 2
    assert best.log_prob > float("-inf")


OPENER, CLOSER = 4, 5
BRACKETS = {OPENER: CLOSER}


def is_closed(ids: tuple[int, ...]) -> bool:
    depths = list(itertools.accumulate({OPENER: 1, CLOSER: -1}.get(token, 0) for token in ids))
    return not depths or (min(depths) >= 0 and depths[-1] == 0)


@given(seed=st.integers(0, 10_000), beam=st.integers(1, 4), max_length=st.integers(1, 5))
@settings(max_examples=40)
def test_brackets_are_closed_even_where_the_model_would_not(seed: int, beam: int, max_length: int) -> None:
    model = TableModel(4, 8, seed)
    config = DecodingConfig(beam=beam)
    sources = SOURCE.tolist()
    for prefixes in (None, [[6], [], [], [6]]):
        found = decode_all(
            model, sources, config, max_length, torch.device("cpu"), prefixes=prefixes, closers=BRACKETS
        )
        assert all(is_closed(hypothesis.ids) for n_best in found for hypothesis in n_best)
    free = decode_all(model, sources, config, max_length, torch.device("cpu"))
    closed = decode_all(model, sources, config, max_length, torch.device("cpu"), closers=BRACKETS)
    for one, other in zip(free, closed, strict=True):
        if beam == 1 and is_closed(one[0].ids) and len(one[0].ids) < max_length:
            assert other[0].ids == one[0].ids, "what is balanced anyway stays as it is"


def test_the_best_balanced_output_is_found_with_a_wide_beam() -> None:
    model = TableModel(4, 5, seed=1)
    found = beam_search(model, SOURCE, 3, beam=40, closers=BRACKETS)
    for sentence, n_best in enumerate(found):
        balanced = [ids for ids in every_output(3) if is_closed(ids)]
        assert n_best[0].ids == max(balanced, key=lambda ids: model.log_prob(sentence, ids))
