"""The model as a whole: the identities that the paper promises and decoding relies on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from fewlex.config import Config
from fewlex.data.example import Example
from fewlex.data.vocabulary import EOS, PAD, UNK
from fewlex.knowledge import Knowledge
from fewlex.model import seq2seq
from fewlex.model.assemble import build_model
from fewlex.model.batch import encode, make_batch
from fewlex.model.output import gold_log_probs
from fewlex.model.seq2seq import Regularization, Seq2Seq
from tests.model.conftest import EXAMPLES, VARIANTS, batch_of, small_config, small_model


def step_by_step(model: Seq2Seq, source: torch.Tensor, read: torch.Tensor) -> list[torch.Tensor]:
    """The log probabilities of all words at every position, by `start` and `step`."""
    state, rows = model.start(source), []
    for previous in read.T:
        step = model.step(state, previous)
        state = step.state
        rows.append(step.probs.log())
    return rows


def test_mixture_sums_to_one(variant: Config) -> None:
    model, knowledge = small_model(variant)
    batch = batch_of(knowledge)
    for log_probs in step_by_step(model, batch.source, batch.target_read):
        torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(len(EXAMPLES)))


@pytest.mark.parametrize(
    ("name", "fast_mapping"),
    [
        *((name, {}) for name in VARIANTS),
        *((name, {"probability": 0.5}) for name in VARIANTS if VARIANTS[name].get("output") is None),
        *(
            (name, {"probability": 0.5, "policy": "always"})
            for name in ("paper", "as_published", "transformer")
        ),
    ],
)
def test_teacher_forced_equals_step_by_step(name: str, fast_mapping: dict[str, object]) -> None:
    model, knowledge = small_model(small_config(VARIANTS[name], fast_mapping))
    batch = batch_of(knowledge)
    at_once = model.log_probs(batch)
    for i, log_probs in enumerate(step_by_step(model, batch.source, batch.target_read)):
        gold = log_probs.gather(1, batch.target[:, i : i + 1])[:, 0]
        real = batch.target[:, i] != PAD
        torch.testing.assert_close(gold[real], at_once[real, i])


def test_padding_changes_nothing(variant: Config) -> None:
    model, knowledge = small_model(variant)
    together = model.log_probs(batch_of(knowledge))
    for i, example in enumerate(EXAMPLES):
        alone = model.log_probs(batch_of(knowledge, (example,)))[0]
        torch.testing.assert_close(together[i, : len(alone)], alone)


def test_identity_lexicon_is_the_copy_mechanism() -> None:
    """§3: with L = I the lexical mechanism is copying. The same weights must give the same distribution."""
    words = [("a b", "b a"), ("b c", "c b"), ("c", "c a")]
    examples = tuple(type(EXAMPLES[0])(tuple(s.split()), tuple(t.split())) for s, t in words)
    copy = small_config({"output": "copy"})
    lexical = small_config({"output": "lexical"}, lexicon={"method": "identity"})
    copying = build_model(copy, Knowledge.learn(examples, copy)).eval()
    translating = build_model(lexical, Knowledge.learn(examples, lexical)).eval()
    translating.load_state_dict(copying.state_dict())
    batch = batch_of(Knowledge.learn(examples, copy), examples)
    pairs = zip(
        step_by_step(copying, batch.source, batch.target_read),
        step_by_step(translating, batch.source, batch.target_read),
        strict=True,
    )
    for expected, found in pairs:
        torch.testing.assert_close(found, expected)


def test_loss_of_a_hand_computed_mixture() -> None:
    """Eq. 10 from its parts: gate · write + (1 − gate) · Σ_j α_j L[x_j, y]."""
    model, knowledge = small_model(small_config())
    batch = batch_of(knowledge, EXAMPLES[:1])
    mask = batch.source != PAD
    decoded = model.decoder(batch.target_read, model.decoder.start(model.encoder(batch.source, mask), mask))
    gate = torch.sigmoid(model.decoder.output.gate(decoded.state))[0, 0, 0]
    write = model.decoder.output.project(decoded.features).softmax(-1)[0, 0]
    walk = knowledge.target_vocab.id("WALK")
    lexical = decoded.attention[0, 0, 1]  # <s> walk </s>: only position 1 translates to WALK
    expected = (gate * write[walk] + (1 - gate) * lexical).log()
    torch.testing.assert_close(model.log_probs(batch)[0, 0], expected)


def test_reorder_picks_rows(variant: Config) -> None:
    model, knowledge = small_model(variant)
    batch = batch_of(knowledge)
    rows = torch.tensor([3, 0, 3])
    first = model.step(model.start(batch.source), batch.target_read[:, 0])
    expected = model.step(first.state, batch.target_read[:, 1]).probs.log()[rows]
    state = model.reorder(first.state, rows)
    torch.testing.assert_close(model.step(state, batch.target_read[rows, 1]).probs.log(), expected)


def test_training_updates_every_parameter(variant: Config) -> None:
    model, knowledge = small_model(variant)
    model.train()
    model.loss(batch_of(knowledge)).backward()
    idle = [name for name, parameter in model.named_parameters() if parameter.grad is None]
    assert idle == []


def test_a_hidden_word_gets_no_gradient() -> None:
    """With p = 1 no lexicon word's own embedding is read, so none may learn anything."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0}))
    model.train()
    model.loss(batch_of(knowledge)).backward()
    encoder: Any = model.encoder
    gradient = encoder.embedding.weight.grad
    for word in ("walk", "jump", "run"):
        assert gradient[knowledge.source_vocab.id(word)].abs().sum() == 0
    assert gradient[knowledge.source_vocab.id("twice")].abs().sum() > 0
    assert gradient[len(knowledge.source_vocab)].abs().sum() > 0, "the anonymous embedding learns instead"


def test_gradients_with_hidden_words_are_those_of_finite_differences() -> None:
    """Masked logits are set outside the graph; the gradient must still be the loss's own."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0}))
    model = model.double().train()
    batch = batch_of(knowledge)
    model.loss(batch).backward()
    weight: Any = model.decoder.output.project.weight
    for row, column in ((4, 0), (5, 3), (2, 1)):
        with torch.no_grad():
            weight[row, column] += 1e-6
            above = model.loss(batch)
            weight[row, column] -= 2e-6
            below = model.loss(batch)
            weight[row, column] += 1e-6
        slope = float(above - below) / 2e-6
        assert float(weight.grad[row, column]) == pytest.approx(slope, abs=1e-5)


def test_a_token_is_translated_from_its_allowed_sources_alone() -> None:
    """Attention to an equal word that the token does not come from earns nothing."""
    model, knowledge = small_model(small_config({"output": "lexical"}))
    example = Example(("walk", "and", "walk"), ("WALK", "WALK"))
    encoded = encode([example], knowledge.source_vocab, knowledge.target_vocab)[0]
    allowed = np.array([[False, False, True], [True, False, False]])
    batch = make_batch([encoded._replace(allowed_sources=allowed)])
    assert batch.allowed_sources is not None
    first, second = [False, False, False, True, False], [False, True, False, False, False]
    assert batch.allowed_sources[0].tolist() == [first, second, [True] * 5], (
        "any source for the end of the target"
    )
    assert model.log_probs(batch)[0, :2].sum() < model.log_probs(make_batch([encoded]))[0, :2].sum()


def test_an_example_without_limits_is_as_before_beside_one_with() -> None:
    model, knowledge = small_model(small_config({"output": "lexical"}))
    plain, other = encode(EXAMPLES[2:4], knowledge.source_vocab, knowledge.target_vocab)
    limited = other._replace(allowed_sources=np.array([[True, False], [True, False]]))
    alone = model.log_probs(make_batch([plain]))[0]
    beside = model.log_probs(make_batch([plain, limited]))[0, : len(alone)]
    torch.testing.assert_close(beside, alone)


def test_word_dropout_reads_words_as_unknown_in_training_alone() -> None:
    model, knowledge = small_model(small_config())
    batch = batch_of(knowledge)
    read: list[torch.Tensor] = []
    for part in (model.encoder, model.decoder):
        part.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0]))
    model.regularization = Regularization(word_dropout=1 - 1e-9)
    model.eval().log_probs(batch)
    assert torch.equal(read[0], batch.source)
    assert torch.equal(read[1], batch.target_read)
    model.train().log_probs(batch)
    assert torch.equal(read[2], batch.source.clamp(max=UNK))
    assert torch.equal(read[3], batch.target_read.clamp(max=UNK))


@pytest.mark.parametrize("output", ["lexical", "copy"])
@pytest.mark.parametrize("end_mark", [False, True])
def test_the_end_mark_is_a_setting(output: str, end_mark: bool) -> None:
    model, _ = small_model(small_config({"output": output}, lexicon={"end_mark": end_mark}))
    assert model.lexicon is not None
    ends = torch.tensor([[EOS]])
    assert model.lexicon.lookup(ends, ends).item() == float(end_mark)


def test_reliance_asks_the_lexicon_for_what_it_can_give_in_training_alone() -> None:
    """`walk and walk twice`: every WALK must come from the lexicon, the end mark, which no row has, may be written."""
    model, knowledge = small_model(small_config())
    batch = batch_of(knowledge, EXAMPLES[-1:])
    plain = model.log_probs(batch)[0]
    mask = batch.source != PAD
    decoded = model.decoder(batch.target_read, model.decoder.start(model.encoder(batch.source, mask), mask))
    gate = torch.sigmoid(model.decoder.output.gate(decoded.state))[0, :3, 0]
    lexical = decoded.attention[0, :3, 1] + decoded.attention[0, :3, 3]  # <s> walk and walk twice </s>
    model.regularization = Regularization(reliance=1.0)
    torch.testing.assert_close(model.log_probs(batch)[0], plain)
    required = model.train().log_probs(batch)[0]
    torch.testing.assert_close(required[:3], ((1 - gate) * lexical).log())
    torch.testing.assert_close(required[3], plain[3])
    assert model.log_probs(batch).sum().isfinite()


def test_lexicon_dropout_asks_for_writing_in_training_alone() -> None:
    model, knowledge = small_model(small_config())
    batch = batch_of(knowledge, EXAMPLES[-1:])
    plain = model.log_probs(batch)[0]
    mask = batch.source != PAD
    decoded = model.decoder(batch.target_read, model.decoder.start(model.encoder(batch.source, mask), mask))
    mixture = model.decoder.output(decoded.features, decoded.state, None)
    written = gold_log_probs(mixture, batch.target, None)[0]
    model.regularization = Regularization(lexicon_dropout=0.999999)
    torch.testing.assert_close(model.log_probs(batch)[0], plain)
    torch.testing.assert_close(model.train().log_probs(batch)[0], written)
    assert (written[:3] < plain[:3]).all()


def test_the_lexicon_always_gives_what_fast_mapping_hides() -> None:
    """A hidden word cannot be written, so dropping its translation would leave nothing."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0}, lexicon={"dropout": 0.5}))
    batch = batch_of(knowledge, EXAMPLES)
    for _ in range(20):
        assert (model.train().log_probs(batch) > -30).all()


def test_reliance_is_a_share() -> None:
    model, knowledge = small_model(small_config(lexicon={"reliance": 0.5}))
    batch = batch_of(knowledge, EXAMPLES[-1:])
    plain = model.log_probs(batch)[0, :3]
    model.train()
    torch.manual_seed(0)
    seen = torch.stack([model.log_probs(batch)[0, :3] < plain - 1e-6 for _ in range(200)])
    assert 0.4 < float(seen.float().mean()) < 0.6


def test_leaving_padding_out_of_the_softmax_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are many words, only real tokens get a distribution; hidden words belong to their own sentence."""
    model, knowledge = small_model(small_config(fast_mapping={"probability": 1.0}))
    model.train()
    batch = batch_of(knowledge)
    found = []
    for many in (10**6, 0):
        monkeypatch.setattr(seq2seq, "MANY_WORDS", many)
        found.append(model.log_probs(batch))
    torch.testing.assert_close(*found)
    assert (found[1][batch.target == PAD] == 0).all()
