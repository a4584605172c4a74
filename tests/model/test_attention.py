"""Attention over the source, §3, eqs. 3 and 4."""

from __future__ import annotations

import torch
from torch import Tensor

from fewlex.model.attention import Attention
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
