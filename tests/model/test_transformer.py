"""The Transformer: positions, attention for the lexicon, copying."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

import fewlex
from fewlex.data.example import Example
from fewlex.data.vocabulary import PAD
from fewlex.evaluation import evaluate
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import build_model
from fewlex.model.transformer import Rotation, split_heads
from fewlex.tables import merge
from fewlex.translator import Translator
from tests.model.conftest import VARIANTS, batch_of, small_config, small_model


def test_turned_vectors_by_hand() -> None:
    """The first pair of dimensions turns by one radian a place, the second by 10,000^(−1/2) of it."""
    vector = torch.tensor([[1.0, 0.0, 0.0, 2.0]])
    (turned,) = Rotation(torch.tensor([3]), 4)(vector)
    first, second = torch.tensor(3.0), torch.tensor(0.03)
    expected = torch.stack([first.cos(), first.sin(), -2 * second.sin(), 2 * second.cos()])
    torch.testing.assert_close(turned, expected)


def test_scores_depend_on_distance_alone() -> None:
    torch.manual_seed(0)
    query, key = torch.randn(1, 8), torch.randn(1, 8)

    def turn(vector: torch.Tensor, place: int) -> torch.Tensor:
        return Rotation(torch.tensor([place]), 8)(vector)

    def score(query_place: int, key_place: int) -> torch.Tensor:
        return (turn(query, query_place) * turn(key, key_place)).sum()

    torch.testing.assert_close(score(2, 0), score(9, 7))
    assert not torch.isclose(score(2, 0), score(3, 0))


def test_skipped_positions_vary_distances_in_training_alone() -> None:
    config = small_config(merge(VARIANTS["transformer"], {"transformer": {"position_skips": 0.5}}))
    model, knowledge = small_model(config)
    source = batch_of(knowledge).source
    mask = source != PAD
    model.encoder.eval()
    plain = model.encoder(source, mask)
    torch.testing.assert_close(model.encoder(source, mask), plain, rtol=0, atol=0)
    model.encoder.train()
    drawn = [model.encoder(source, mask) for _ in range(8)]
    assert any(not torch.allclose(states, plain) for states in drawn)


def test_half_precision_stays_what_it_is() -> None:
    assert Rotation(torch.arange(3), 4)(torch.ones(3, 4, dtype=torch.bfloat16)).dtype == torch.bfloat16


def test_heads_are_split_in_the_order_of_their_projections() -> None:
    vectors = torch.arange(12.0).view(1, 1, 12)
    parts = split_heads(vectors, parts=3, heads=2)
    assert parts.shape == (3, 1, 2, 1, 2)
    assert parts[1, 0, :, 0].tolist() == [[4.0, 5.0], [6.0, 7.0]]


def test_the_lexicon_is_read_where_the_first_head_of_the_last_layer_looks() -> None:
    model, knowledge = small_model(small_config(VARIANTS["transformer"]))
    batch = batch_of(knowledge)
    mask = batch.source != PAD
    seen = []
    decoder: Any = model.decoder
    decoder.layers[1].source_attention.register_forward_hook(
        lambda module, inputs, found: seen.append(found[1])
    )
    decoded = model.decoder(batch.target_read, model.decoder.start(model.encoder(batch.source, mask), mask))
    torch.testing.assert_close(decoded.attention, seen[0][:, 0])
    torch.testing.assert_close(decoded.attention.sum(-1), torch.ones(batch.target_read.shape))
    assert (decoded.attention.transpose(1, 2)[~mask] == 0).all()


def test_identity_lexicon_is_the_copy_mechanism() -> None:
    """§3 holds whatever the network is."""
    words = [("a b", "b a"), ("b c", "c b"), ("c", "c a")]
    examples = tuple(Example(tuple(s.split()), tuple(t.split())) for s, t in words)
    copy = small_config({**VARIANTS["transformer"], "output": "copy"})
    lexical = small_config(VARIANTS["transformer"], lexicon={"method": "identity"})
    knowledge = Knowledge.learn(examples, copy)
    copying = build_model(copy, knowledge).eval()
    translating = build_model(lexical, Knowledge.learn(examples, lexical)).eval()
    translating.load_state_dict(copying.state_dict())
    batch = batch_of(knowledge, examples)
    torch.testing.assert_close(translating.log_probs(batch), copying.log_probs(batch))
    first, second = copying.start(batch.source), translating.start(batch.source)
    for previous in batch.target_read.T:
        one, other = copying.step(first, previous), translating.step(second, previous)
        torch.testing.assert_close(other.probs.log(), one.probs.log())
        first, second = one.state, other.state


def test_order_matters() -> None:
    """Without positions a bag of words would be read."""
    model, knowledge = small_model(small_config(VARIANTS["transformer"]))
    forth, back = (
        batch_of(knowledge, (Example(tuple(words.split()), ("RUN", "WALK")),))
        for words in ("run and walk", "walk and run")
    )
    assert not torch.allclose(model.log_probs(forth), model.log_probs(back))


@pytest.mark.slow
def test_colors_from_fourteen_examples(tmp_path: Path) -> None:
    corpus = fewlex.load("colors")
    run = fewlex.train(corpus, fewlex.build_config("fast+transformer", "colors", seed=0), tmp_path / "run")
    translator = Translator.load(run.path)
    assert evaluate(translator, corpus["test"]).exact_match >= 0.7
    translator.teach("blork", "PURPLE")
    assert translator.translate("dax blicket blork") == "RED PURPLE RED"
