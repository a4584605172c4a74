"""Attention over the source, §3, eqs. 3 and 4."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from fewlex.data.vocabulary import BOS
from fewlex.model.attention import Attention
from fewlex.model.decoder import LSTMCache
from tests.model.conftest import small_config, small_model

HIDDEN = 16


def attend(*, is_scaled: bool) -> tuple[Attention, Tensor, Tensor, Tensor, Tensor]:
    torch.manual_seed(0)
    attention = Attention(HIDDEN, is_scaled=is_scaled)
    state, memory = torch.randn(2, 3, HIDDEN), torch.randn(2, 4, HIDDEN)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    return attention, state, memory, *attention(state, memory, mask)


def test_attention_is_the_softmax_of_bilinear_scores_over_real_words() -> None:
    attention, state, memory, weights, context = attend(is_scaled=False)
    scores = torch.einsum("bth,kh,bsk->bts", state, attention.query.weight, memory)
    torch.testing.assert_close(weights[0], scores[0].softmax(-1))
    torch.testing.assert_close(weights[1, :, :2], scores[1, :, :2].softmax(-1))
    assert (weights[1, :, 2:] == 0).all()
    torch.testing.assert_close(context, torch.einsum("bts,bsh->bth", weights, memory))


def test_scaled_scores_are_divided_by_the_root_of_their_width() -> None:
    plain, scaled = (attend(is_scaled=is_scaled)[3][0].log() for is_scaled in (False, True))
    torch.testing.assert_close(scaled - scaled[:, :1], (plain - plain[:, :1]) / HIDDEN**0.5)
    assert (plain - plain[:, :1]).abs().max() > 0.1


def test_the_setting_reaches_the_lstm() -> None:
    for scaled_scores in (False, True):
        model, _ = small_model(small_config({"lstm": {"scaled_scores": scaled_scores}}))
        attention = model.decoder.attention
        assert isinstance(attention, Attention)
        assert (attention.scale < 1) is scaled_scores


@pytest.mark.parametrize("gate", ["sigmoid", "attended"])
def test_the_gate_sees_the_attended_words_if_it_is_asked_to(gate: str) -> None:
    """Other vectors of the words behind the same memory change the gate, and nothing else."""
    model, knowledge = small_model(small_config({"gate": gate}))
    source = torch.tensor([knowledge.source_vocab.encode(("walk", "twice"))])
    state = model.start(source)
    cache = state.cache
    assert isinstance(cache, LSTMCache)
    assert (cache.words is not None) is (gate == "attended")
    words = None if cache.words is None else cache.words + 1
    first = model.step(state, torch.tensor([BOS]))
    second = model.step(replace(state, cache=replace(cache, words=words)), torch.tensor([BOS]))
    torch.testing.assert_close(first.attention, second.attention)
    torch.testing.assert_close(first.features, second.features)
    assert torch.allclose(first.write_gate, second.write_gate) is (gate == "sigmoid")


def test_in_training_the_gate_does_not_see_all_of_the_state() -> None:
    """With nearly all of the state dropped, the gate is that of the attended words and the bias."""
    model, knowledge = small_model(small_config({"gate": "attended", "gate_dropout": 0.999}))
    cache = model.start(torch.tensor([knowledge.source_vocab.encode(("walk", "twice"))])).cache
    assert isinstance(cache, LSTMCache)
    assert cache.words is not None
    seen = model.decoder.train()(torch.tensor([[BOS]]), cache)
    hidden = cache.memory.shape[-1]
    assert (seen.state[..., :hidden] == 0).all()
    torch.testing.assert_close(seen.state[..., hidden:], seen.attention @ cache.words)
    assert (model.decoder.eval()(torch.tensor([[BOS]]), cache).state[..., :hidden] != 0).all()
