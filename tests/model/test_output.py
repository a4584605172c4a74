"""The write distribution: over a sample of the vocabulary, and with the vectors that words are read with."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from fewlex.config import ModelConfig
from fewlex.model.output import Output, gold_log_probs
from fewlex.model.seq2seq import Regularization
from tests.model.conftest import batch_of, small_config, small_model

VOCAB, HIDDEN = 50, 8


def make_output(sample: int) -> Output:
    torch.manual_seed(0)
    config = ModelConfig(output="write", hidden=HIDDEN, embedding=HIDDEN, write_sample=sample)
    return Output(config, HIDDEN, HIDDEN, VOCAB).train()


FEATURES = torch.randn(2, 3, HIDDEN, generator=torch.Generator().manual_seed(1))
TARGET = torch.tensor([[4, 7, 9], [7, 30, 2]])


def test_a_sample_holds_the_words_of_the_batch_and_no_word_twice() -> None:
    words = make_output(10).words_for(TARGET)
    assert words is not None
    assert len(words.ids) == 5 + 10 == len(words.ids.unique())
    assert (words.ids[words.column[TARGET]] == TARGET).all()


def test_the_weights_add_up_to_the_vocabulary() -> None:
    words = make_output(10).words_for(TARGET)
    assert words is not None
    torch.testing.assert_close(words.log_weight.exp().sum(), torch.tensor(float(VOCAB)))


def test_the_denominator_is_right_on_average() -> None:
    """The softmax's denominator over samples has the true one as its mean, within 5 standard errors."""
    output = make_output(10)
    exact = output.project(FEATURES).exp().sum(-1)
    estimates = []
    for _ in range(400):
        words = output.words_for(TARGET)
        assert words is not None
        logits = FEATURES @ output.project.weight[words.ids].T + output.project.bias[words.ids]
        estimates.append((logits + words.log_weight).exp().sum(-1))
    stacked = torch.stack(estimates)
    error = stacked.std(0) / len(estimates) ** 0.5
    assert ((stacked.mean(0) - exact).abs() < 5 * error).all()


def test_a_sample_of_all_other_words_is_the_whole_softmax() -> None:
    output = make_output(VOCAB - 1)
    words = output.words_for(TARGET)
    assert words is not None
    sampled = gold_log_probs(output(FEATURES, FEATURES, None, words), words.column[TARGET], None)
    torch.testing.assert_close(sampled, gold_log_probs(output(FEATURES, FEATURES, None), TARGET, None))


def test_forbidden_words_are_forbidden_in_a_sample() -> None:
    output = make_output(10)
    words = output.words_for(TARGET)
    assert words is not None
    forbidden = torch.zeros(2, 3, VOCAB, dtype=torch.bool)
    forbidden[0, :, 7] = True
    log_probs = gold_log_probs(output(FEATURES, FEATURES, forbidden, words), words.column[TARGET], None)
    assert log_probs[0, 1] == float("-inf")
    assert log_probs[1, 0] > float("-inf")


def test_nothing_is_sampled_when_not_training_or_not_asked_to() -> None:
    assert make_output(10).eval().words_for(TARGET) is None
    assert make_output(0).words_for(TARGET) is None
    assert make_output(VOCAB).words_for(TARGET) is None


def test_write_dropout_hides_features_from_the_write_distribution_in_training_alone() -> None:
    """Appendix C. With nearly everything dropped, only the bias of a word says how likely it is written."""
    config = ModelConfig(hidden=HIDDEN, embedding=HIDDEN, write_dropout=1 - 1e-9)
    output = Output(config, HIDDEN, HIDDEN, VOCAB)
    trained, used = output.train()(FEATURES, FEATURES, None), output.eval()(FEATURES, FEATURES, None)
    torch.testing.assert_close(trained.write_logits, output.project.bias.expand_as(trained.write_logits))
    torch.testing.assert_close(used.write_logits, output.project(FEATURES))
    torch.testing.assert_close(trained.gate_logit, used.gate_logit)


@pytest.mark.parametrize("backbone", ["lstm", "transformer"])
def test_tied_words_are_written_with_the_vectors_that_read_them(backbone: str) -> None:
    sections = {"lstm": {"features": "tanh"}, "transformer": {"heads": 2}}
    options = {"backbone": backbone, "hidden": 8, "embedding": 8, **sections}
    tied, _ = small_model(small_config({**options, "tied": True}, fast_mapping={"probability": 0.5}))
    apart, _ = small_model(small_config(options, fast_mapping={"probability": 0.5}))
    decoder: Any = tied.decoder
    output, vectors = decoder.output, decoder.embedding.weight
    assert output.project.weight.data_ptr() == vectors.data_ptr()
    assert len(output.project.weight) == output.target_size < len(vectors)
    saved = sum(weight.numel() for weight in apart.state_dict().values())
    assert saved - sum(weight.numel() for weight in tied.state_dict().values()) == 8 * output.target_size
    features = torch.randn(1, 1, 8)
    torch.testing.assert_close(
        output.project(features)[0, 0], vectors[: output.target_size] @ features[0, 0] + output.project.bias
    )


def test_the_uniform_part_of_a_smoothed_loss_is_the_mean_over_the_vocabulary() -> None:
    output = make_output(0)
    mixture = output(FEATURES, FEATURES, None)
    mean = mixture.write_logits.log_softmax(-1).mean(-1)
    torch.testing.assert_close(gold_log_probs(mixture, TARGET, None, smoothing=1.0), mean)
    output = make_output(VOCAB - 1)
    words = output.words_for(TARGET)
    assert words is not None
    sampled = output(FEATURES, FEATURES, None, words)
    torch.testing.assert_close(gold_log_probs(sampled, words.column[TARGET], None, smoothing=1.0), mean)


def test_smoothing_counts_in_training_and_not_in_validation() -> None:
    """(1 − ε) of the loss is the plain one, ε of it that of uniform words; dropout is off here."""
    model, knowledge = small_model(small_config({"output": "write"}))
    batch = batch_of(knowledge)
    plain, size = model.loss(batch), len(knowledge.target_vocab)
    model.regularization = Regularization(label_smoothing=0.25)
    torch.testing.assert_close(model.loss(batch), plain)
    decoded = model.decoder(
        batch.target_read,
        model.decoder.start(model.encoder(batch.source, batch.source != 0), batch.source != 0),
    )
    log_write = model.decoder.output(decoded.features, decoded.state, None).write_logits.log_softmax(-1)
    uniform = (log_write.sum(-1) / size * (batch.target != 0)).sum()
    torch.testing.assert_close(model.train().loss(batch), 0.75 * plain - 0.25 * uniform)


def test_a_forbidden_word_does_not_spoil_the_uniform_part() -> None:
    forbidden = torch.zeros(2, 3, VOCAB, dtype=torch.bool)
    forbidden[:, :, 5] = True
    mixture = make_output(0)(FEATURES, FEATURES, forbidden)
    assert gold_log_probs(mixture, TARGET, None, smoothing=0.5).isfinite().all()
