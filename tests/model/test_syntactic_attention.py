"""Syntactic Attention: syntax says where, semantics says what, and nothing else comes through."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from fewlex.data.example import Example
from fewlex.data.vocabulary import PAD
from fewlex.knowledge import Knowledge
from fewlex.model.seq2seq import Seq2Seq
from fewlex.model.syntactic_attention import SyntacticCache
from tests.model.conftest import VARIANTS, batch_of, small_config, small_model

PLAIN = VARIANTS["syntactic_attention"]


def started(model: Seq2Seq, knowledge: Knowledge, *sentences: str) -> tuple[torch.Tensor, SyntacticCache]:
    examples = tuple(Example(tuple(s.split()), ("WALK",)) for s in sentences)
    source = batch_of(knowledge, examples).source
    mask = source != PAD
    cache = model.decoder.start(model.encoder(source, mask), mask)
    assert isinstance(cache, SyntacticCache)
    return source, cache


def test_meanings_are_free_of_context() -> None:
    model, knowledge = small_model(small_config(PLAIN))
    _, cache = started(model, knowledge, "walk and run", "walk and jump")
    torch.testing.assert_close(cache.semantics[0, :3], cache.semantics[1, :3], rtol=0, atol=0)
    assert not torch.allclose(cache.semantics[0, 3], cache.semantics[1, 3])
    assert not torch.allclose(cache.syntax[0, 1], cache.syntax[1, 1])


def test_the_surroundings_of_a_word_do_not_know_it() -> None:
    """What the second LSTM reads at a word's place is the same for any word there, and differs elsewhere."""
    model, knowledge = small_model(small_config(PLAIN))
    encoder: Any = model.encoder
    original = encoder._surroundings
    seen: list[torch.Tensor] = []

    def watch(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        seen.append(original(states, mask))
        return seen[-1]

    encoder._surroundings = watch
    started(model, knowledge, "walk and run", "walk twice run")
    (surroundings,) = seen
    torch.testing.assert_close(surroundings[0, 2], surroundings[1, 2], rtol=0, atol=0)
    assert not torch.allclose(surroundings[0, 1], surroundings[1, 1])
    assert not torch.allclose(surroundings[0, 3], surroundings[1, 3])


def test_boundaries_have_their_own_vectors_in_every_row() -> None:
    model, knowledge = small_model(small_config(PLAIN))
    encoder: Any = model.encoder
    mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    surroundings = encoder._surroundings(torch.randn(2, 5, 8), mask)
    for row, last in ((0, 4), (1, 2)):
        assert torch.equal(surroundings[row, 0], encoder.boundaries[0])
        assert torch.equal(surroundings[row, last], encoder.boundaries[1])
    assert len(knowledge.source_vocab) > 0


@pytest.mark.parametrize("output", ["write", "lexical"])
def test_the_state_speaks_through_attention_alone(output: str) -> None:
    """Syntax that is the same everywhere gives the same attention for any state, hence the same output."""
    model, knowledge = small_model(small_config({**PLAIN, "output": output}))
    source, cache = started(model, knowledge, "walk and run", "jump")
    flat = torch.ones_like(cache.syntax)
    torch.manual_seed(1)
    one = replace(cache, syntax=flat, query=torch.randn_like(cache.query))
    other = replace(one, query=torch.randn_like(cache.query), recurrent=((one.query, one.query),))
    state = replace(model.start(source), cache=one)
    previous = torch.tensor([1, 1])
    first, second = model.step(state, previous), model.step(replace(state, cache=other), previous)
    torch.testing.assert_close(first.attention, second.attention)
    torch.testing.assert_close(first.probs.log(), second.probs.log())
    torch.testing.assert_close(first.write_gate, second.write_gate)


def test_syntax_action_also_writes_from_the_attended_syntax() -> None:
    for syntax_action in (False, True):
        model, knowledge = small_model(
            small_config({**PLAIN, "syntactic_attention": {"syntax_action": syntax_action}})
        )
        source, cache = started(model, knowledge, "walk and run")
        ones = torch.ones_like(cache.syntax)
        state = model.start(source)
        first = model.step(replace(state, cache=replace(cache, syntax=ones)), torch.tensor([1]))
        second = model.step(replace(state, cache=replace(cache, syntax=2 * ones)), torch.tensor([1]))
        torch.testing.assert_close(first.attention, second.attention)
        assert torch.allclose(first.probs.log(), second.probs.log()) is not syntax_action


def test_scaled_scores_are_divided_by_the_root_of_their_width() -> None:
    logs = []
    for scaled_scores in (False, True):
        model, knowledge = small_model(
            small_config({**PLAIN, "syntactic_attention": {"scaled_scores": scaled_scores}})
        )
        source, cache = started(model, knowledge, "walk and run")
        state = replace(model.start(source), cache=replace(cache, query=torch.ones_like(cache.query)))
        logs.append(model.step(state, torch.tensor([1])).attention.log())
        width = cache.query.shape[-1]
    plain, scaled = (log - log[..., :1] for log in logs)
    torch.testing.assert_close(scaled, plain / width**0.5)
    assert plain.abs().max() > 0


def test_changing_a_word_that_is_not_looked_at_changes_only_where_one_looks() -> None:
    """With attention put on one word, the output is that of the word, whatever stands beside it."""
    model, knowledge = small_model(small_config(PLAIN))
    _, cache = started(model, knowledge, "walk and run", "walk and jump")
    towards = torch.zeros_like(cache.syntax)
    towards[:, 1] = 100.0  # any state that is positive somewhere looks at the first word alone
    cache = replace(cache, syntax=towards, query=torch.ones_like(cache.query))
    decoded = model.decoder(torch.tensor([[1], [1]]), cache)
    torch.testing.assert_close(decoded.features[0], decoded.features[1])


def test_what_was_written_is_not_read() -> None:
    model, knowledge = small_model(small_config(PLAIN))
    batch = batch_of(knowledge)
    changed = replace(batch, target_read=torch.full_like(batch.target_read, 5))
    torch.testing.assert_close(model.log_probs(changed), model.log_probs(batch), rtol=0, atol=0)


def test_one_move_is_that_of_an_lstm() -> None:
    """Mixing what each annotation opens is the same as an LSTM over the mixed annotations."""
    model, knowledge = small_model(small_config({**PLAIN, "layers": 2}))
    _, cache = started(model, knowledge, "walk and run", "jump")
    decoder: Any = model.decoder
    width = cache.query.shape[1]
    lstm = torch.nn.LSTM(width, width, 2, batch_first=True)
    with torch.no_grad():
        for layer in range(2):
            getattr(lstm, f"weight_ih_l{layer}").copy_(decoder.from_input[layer].weight)
            getattr(lstm, f"weight_hh_l{layer}").copy_(decoder.from_state[layer].weight)
            getattr(lstm, f"bias_ih_l{layer}").copy_(decoder.from_input[layer].bias)
            getattr(lstm, f"bias_hh_l{layer}").zero_()
    decoded = decoder(torch.ones(2, 4, dtype=torch.long), cache)
    expected, (state, cell) = lstm(decoded.attention @ cache.syntax)
    torch.testing.assert_close(decoded.cache.query, expected[:, -1])
    for layer in range(2):
        torch.testing.assert_close(decoded.cache.recurrent[layer], (state[layer], cell[layer]))
