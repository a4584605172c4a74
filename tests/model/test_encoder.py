"""The encoder of §3, eq. 1."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fewlex.errors import ConfigError
from fewlex.model.encoder import POSITIONS, LSTMEncoder
from tests.model.conftest import small_config, small_model


def read(encoder: LSTMEncoder, words: int) -> Tensor:
    """What the encoder remembers of a source that repeats one word."""
    source = torch.full((1, words), 4)
    memory: Tensor = encoder(source, source > 0)[0]
    return memory[0]


@pytest.mark.parametrize("positions", [False, True])
def test_positions_tell_equal_words_apart(positions: bool) -> None:
    """A long repetition brings an LSTM to rest, so without positions it no longer knows where it is."""
    model, _ = small_model(small_config({"lstm": {"positions": positions}}))
    assert isinstance(model.encoder, LSTMEncoder)
    with torch.no_grad():
        one, other = read(model.encoder, 200)[[-2, -1]]
    assert bool((one - other).abs().max() > 1e-3) is positions


def test_a_source_may_be_longer_than_there_are_positions() -> None:
    model, _ = small_model(small_config({"lstm": {"positions": True}}))
    assert isinstance(model.encoder, LSTMEncoder)
    with torch.no_grad():
        assert read(model.encoder, POSITIONS + 200).isfinite().all()


def test_a_residual_encoder_remembers_what_it_read() -> None:
    """The same weights remember the word's vector more, for every word."""
    source = torch.tensor([[4, 5, 6], [5, 4, 0]])
    memories, encoders = [], []
    for residual in (False, True):
        model, _ = small_model(small_config({"embedding": 8, "lstm": {"residual": residual}}))
        encoder = model.encoder
        assert isinstance(encoder, LSTMEncoder)
        with torch.no_grad():
            memories.append(encoder(source, source > 0)[0])
        encoders.append(encoder)
    torch.testing.assert_close(memories[1] - memories[0], encoders[1].embedding(source).detach())


def test_a_residual_encoder_needs_vectors_of_its_width() -> None:
    with pytest.raises(ConfigError, match=r"residual needs model.embedding = model.hidden"):
        small_config({"lstm": {"residual": True}})
