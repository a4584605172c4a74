"""What the LSTM decoder writes from."""

from __future__ import annotations

import torch
from torch import Tensor

from fewlex.model.decoder import LSTMDecoder
from tests.model.conftest import small_config, small_model

CONTEXT, STATE = torch.randn(2, 1, 400, 8, generator=torch.Generator().manual_seed(1))
SHARE = 0.25


def features(training: bool, state: Tensor = STATE) -> Tensor:
    model, _ = small_model(small_config({"lstm": {"features": "tanh", "state_dropout": SHARE}}))
    decoder = model.train(training).decoder
    assert isinstance(decoder, LSTMDecoder)
    with torch.no_grad():
        return decoder.output.features(CONTEXT, state, CONTEXT)


def test_a_share_of_tokens_is_written_without_the_state_in_training_alone() -> None:
    plain, blind = features(training=False), features(training=False, state=torch.zeros_like(STATE))
    found = features(training=True)
    is_blind = (found - blind).abs().amax(-1) < 1e-6
    is_whole = (found - plain).abs().amax(-1) < 1e-6
    assert (is_blind ^ is_whole).all(), "a token has its whole state or nothing of it"
    assert 0.5 * SHARE < is_blind.float().mean().item() < 1.5 * SHARE
