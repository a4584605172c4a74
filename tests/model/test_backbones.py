"""What every network must do, whatever it is made of; the equivalences of test_seq2seq.py hold for all of them too."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

import fewlex
from fewlex.config import Config, DataConfig, TrainingConfig
from fewlex.config_layers import build_config
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.vocabulary import BOS, EOS, PAD
from fewlex.decoding import beam_search, greedy
from fewlex.errors import ConfigError
from fewlex.evaluation import evaluate
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import BACKBONES, build_model
from fewlex.model.weights import load_weights
from fewlex.translator import Translator
from tests.model.conftest import VARIANTS, batch_of, small_config, small_model

SMALL: dict[str, dict[str, Any]] = {
    "lstm": {"hidden": 32, "lstm": {"features": "tanh", "bidirectional": True}},
    "transformer": {"hidden": 32, "layers": 2, "transformer": {"heads": 2, "feedforward": 64}},
    "syntactic_attention": {"hidden": 16},
}
NAMES = list(SMALL)

PAIRS = [
    ("walk", "WALK"),
    ("run", "RUN"),
    ("walk twice", "WALK WALK"),
    ("run twice", "RUN RUN"),
    ("look thrice", "LOOK LOOK LOOK"),
    ("run and walk", "RUN WALK"),
    ("look and run twice", "LOOK RUN RUN"),
    ("walk twice and look", "WALK WALK LOOK"),
]
EXAMPLES = tuple(Example(tuple(s.split()), tuple(t.split()), index=i) for i, (s, t) in enumerate(PAIRS))
CORPUS = Corpus("small", {"train": EXAMPLES, "test": EXAMPLES})


def config_of(name: str, output: str = "write", epochs: int = 40, **fast_mapping: object) -> Config:
    model = {"backbone": name, "embedding": 32, "output": output, **SMALL[name]}
    training = TrainingConfig(updates=0, epochs=epochs, batch_examples=2, learning_rate=0.005, clip=1.0)
    return dataclasses.replace(
        small_config(model, fast_mapping), training=training, data=DataConfig(validation_share=0)
    )


def test_every_name_of_the_setting_is_a_network() -> None:
    assert list(BACKBONES) == NAMES
    assert {variant.get("backbone", "lstm") for variant in VARIANTS.values()} == set(NAMES)


@pytest.mark.parametrize("output", ["write", "lexical"])
@pytest.mark.parametrize("name", NAMES)
def test_eight_pairs_are_learnt_by_heart(tmp_path: Path, name: str, output: str) -> None:
    run = fewlex.train(CORPUS, config_of(name, output), tmp_path / "run")
    assert evaluate(Translator.load(run.path), EXAMPLES).exact_match == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_a_run_folder_keeps_the_network(tmp_path: Path, name: str) -> None:
    config = config_of(name, "lexical", epochs=3, probability=0.5)
    run = fewlex.train(CORPUS, config, tmp_path / "run")
    knowledge = run.read_knowledge()
    assert run.read_config() == config
    first, second = build_model(config, knowledge).eval(), Translator.load(run.path).network.model
    load_weights(first, run.weights)
    batch = batch_of(knowledge, EXAMPLES)
    torch.testing.assert_close(first.log_probs(batch), second.log_probs(batch), rtol=0, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_a_word_is_taught_after_training(tmp_path: Path, name: str) -> None:
    """*jump* and JUMP are in no vocabulary; one row of the lexicon is enough to use them."""
    run = fewlex.train(CORPUS, config_of(name, "lexical", probability=0.5), tmp_path / "run")
    translator = Translator.load(run.path)
    assert "JUMP" not in translator.translate("jump twice")
    translator.teach("jump", "JUMP")
    assert translator.translate("jump twice") == "JUMP JUMP"
    (best,) = translator.translate_lines(["run and jump"])[0]
    assert [(o.token, o.how, o.source) for o in best.origins] == [
        ("RUN", "translated", "run"),
        ("JUMP", "translated", "jump"),
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_greedy_is_a_beam_of_one(name: str) -> None:
    model, knowledge = small_model(small_config(VARIANTS[name]))
    source = batch_of(knowledge).source
    for alone, (best,) in zip(greedy(model, source, 8), beam_search(model, source, 8, beam=1), strict=True):
        assert alone.ids == best.ids
        assert alone.log_prob == pytest.approx(best.log_prob, abs=1e-4)
        torch.testing.assert_close(alone.attention, best.attention)


@torch.no_grad()
@pytest.mark.parametrize("name", VARIANTS)
def test_a_beam_tells_the_probability_of_its_outputs(name: str) -> None:
    """Reading each hypothesis as a whole gives what the beam has added up, step by step, over reordered caches."""
    model, knowledge = small_model(small_config(VARIANTS[name]))
    sources = batch_of(knowledge).source
    for row, n_best in enumerate(beam_search(model, sources, 6, beam=3)):
        source = sources[row : row + 1][:, sources[row] != PAD]
        for hypothesis in n_best:
            state, total = model.start(source), 0.0
            for previous, token in zip((BOS, *hypothesis.ids), (*hypothesis.ids, EOS), strict=True):
                step = model.step(state, torch.tensor([previous]))
                total += float(step.probs.log()[0, token])
                state = step.state
            assert hypothesis.log_prob == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_prefix_can_be_read_at_once(name: str) -> None:
    """Two tokens, then the rest, against all at once."""
    model, knowledge = small_model(small_config(VARIANTS[name]))
    batch = batch_of(knowledge)
    mask = batch.source != PAD
    start = model.decoder.start(model.encoder(batch.source, mask), mask)
    whole = model.decoder(batch.target_read, start)
    first = model.decoder(batch.target_read[:, :2], start)
    rest = model.decoder(batch.target_read[:, 2:], first.cache)
    for kind in ("features", "state", "attention"):
        parts = torch.cat([getattr(first, kind), getattr(rest, kind)], 1)
        torch.testing.assert_close(parts, getattr(whole, kind))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_future_does_not_change_the_past(name: str) -> None:
    model, knowledge = small_model(small_config(VARIANTS[name]))
    batch = batch_of(knowledge)
    read = batch.target_read.clone()
    read[:, 2:] = knowledge.target_vocab.id("JUMP")
    before = model.log_probs(batch)[:, :2]
    after = model.log_probs(dataclasses.replace(batch, target_read=read))[:, :2]
    torch.testing.assert_close(after, before, rtol=0, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_forced_terms_and_prefixes_work_on_every_network(name: str) -> None:
    model, knowledge = small_model(config_of(name, "lexical"))
    source = batch_of(knowledge).source[:2]
    jump = knowledge.target_vocab.id("JUMP")
    prefix = torch.tensor([[jump, jump], [jump, PAD]])
    for found in (
        greedy(model, source, 6, prefix),
        [n[0] for n in beam_search(model, source, 6, 3, 0.0, prefix)],
    ):
        assert found[0].ids[:2] == (jump, jump)
        assert found[1].ids[:1] == (jump,)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            ["model.backbone=gru"],
            "model.backbone must be one of 'lstm', 'transformer', 'syntactic_attention'",
        ),
        (["model.embedding=64"], "needs model.embedding = model.hidden"),
        (["model.transformer.heads=3"], "model.hidden to be a multiple of 2 · model.transformer.heads"),
        (["model.transformer.heads=0"], "model.transformer.heads must be positive"),
        (["model.transformer.position_skips=1"], "model.transformer.position_skips must be in [0, 1)"),
        (
            ["model.lstm.input_feeding=true"],
            "model.lstm has no say, because model.backbone is 'transformer'. Set model.backbone=lstm too",
        ),
        (["model.syntactic_attention.scaled_scores=true"], "Set model.backbone=syntactic_attention too"),
        (["model.backbone=syntactic_attention", "model.hidden=33"], "needs an even model.hidden"),
    ],
)
def test_settings_that_do_not_fit(settings: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_config("fast+transformer", settings=settings)
    assert message in str(caught.value)


@pytest.mark.parametrize("data", ["colors", "scan:jump", "cogs", "eng-cmn", "my.tsv"])
def test_presets(data: str) -> None:
    transformer, syntactic = (
        build_config(f"fast+{name}", data) for name in ("transformer", "syntactic_attention")
    )
    assert transformer.model.backbone == "transformer"
    assert transformer.fast_mapping == build_config("fast", data).fast_mapping
    assert syntactic.model.backbone == "syntactic_attention"
    assert syntactic.model.output == "write"
    for config in (transformer, syntactic):
        knowledge = Knowledge.learn(EXAMPLES, config)
        model = build_model(config, knowledge, for_training=True).train()
        model.loss(batch_of(knowledge, EXAMPLES)).backward()
        assert all(parameter.grad is not None for parameter in model.parameters())
