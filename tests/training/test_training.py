"""Training: the loop, its checkpoints and the run folder."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from safetensors.torch import load_file

from fewlex.config import Config, DataConfig, TrainingConfig
from fewlex.config_layers import build_config, to_toml
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.vocabulary import UNK
from fewlex.errors import ConfigError, DamagedError, FewlexError, RunError
from fewlex.evaluation import evaluate
from fewlex.run import Run
from fewlex.seal import seal_json, seal_toml
from fewlex.training import train
from fewlex.training.distributed import Workers
from fewlex.training.progress import Progress
from fewlex.training.schedule import learning_rate
from fewlex.training.trainer import Trainer, precision
from fewlex.translator import Translator
from tests.model.conftest import EXAMPLES, small_config

CORPUS = Corpus("small", {"train": EXAMPLES, "validation": EXAMPLES, "test": EXAMPLES})


def config_of(**training: Any) -> Config:
    settings: dict[str, Any] = {
        "updates": 0,
        "epochs": 6,
        "batch_examples": 2,
        "learning_rate": 0.01,
    } | training
    config = small_config({"dropout": 0.2}, {"probability": 0.5})
    return dataclasses.replace(
        config, training=TrainingConfig(**settings), data=DataConfig(validation_share=0)
    )


class KilledError(Exception):
    """Stands for kill −9: nothing that the trainer does afterwards counts."""


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def test_training_learns(tmp_path: Path) -> None:
    folder = train(CORPUS, config_of(epochs=150), tmp_path / "run")
    translator = Translator.load(folder.path)
    assert evaluate(translator, EXAMPLES).exact_match == 1.0
    rows = [json.loads(line) for line in (folder.path / "metrics.jsonl").read_text().splitlines()]
    assert len(rows) == 150
    assert rows[-1]["loss"] < rows[0]["loss"] / 4
    assert rows[-1]["validation_accuracy"] == 1.0


def test_same_seed_same_weights(tmp_path: Path) -> None:
    first = weights_of(train(CORPUS, config_of(), tmp_path / "a").path)
    second = weights_of(train(CORPUS, config_of(), tmp_path / "b").path)
    other = weights_of(train(CORPUS, dataclasses.replace(config_of(), seed=1), tmp_path / "c").path)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


def test_embedding_decay_shrinks_what_no_example_needs(tmp_path: Path) -> None:
    def vector_of_unknown(decay: float) -> torch.Tensor:
        run = train(CORPUS, config_of(embedding_decay=decay), tmp_path / str(decay)).path
        return weights_of(run)["encoder.embedding.weight"][UNK]

    updates = 6 * math.ceil(len(EXAMPLES) / 2)
    left = (1 - 0.01 * 0.5) ** updates
    torch.testing.assert_close(vector_of_unknown(0.5), vector_of_unknown(0.0) * left)
    assert left < 0.95


@pytest.mark.parametrize("kill_at", [1, 4, 9, 11])
@pytest.mark.parametrize(
    "training",
    [
        {},
        {"stop_on": "loss", "keep": "best", "accumulate": 2, "schedule": "linear"},
        {"average_decay": 0.8, "embedding_decay": 0.3},
        {"average_decay": 0.8, "stop_on": "loss", "keep": "best"},
    ],
)
def test_a_killed_run_resumes_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill_at: int, training: dict[str, object]
) -> None:
    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)  # after every update
    config = config_of(**training)
    whole = train(CORPUS, config, tmp_path / "whole").path

    def kill(news: Progress) -> None:
        if news.update == kill_at:
            raise KilledError

    resumed = tmp_path / "resumed"
    with pytest.raises(KilledError):
        train(CORPUS, config, resumed, observe=kill)
    assert not (resumed / "model.safetensors").exists()
    train(CORPUS, config, resumed)
    expected, found = weights_of(whole), weights_of(resumed)
    assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert _curve(whole) == _curve(resumed)
    assert not (resumed / "checkpoint.safetensors").exists()


def _curve(run: Path) -> list[tuple[int, float, float]]:
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    return [(row["update"], row["loss"], row["validation_loss"]) for row in rows]


def test_a_finished_run_is_left_alone(tmp_path: Path) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    before = (run / "model.safetensors").stat().st_mtime_ns
    train(CORPUS, config_of(), run)
    assert (run / "model.safetensors").stat().st_mtime_ns == before


def test_other_settings_do_not_overwrite_a_run(tmp_path: Path) -> None:
    train(CORPUS, config_of(), tmp_path / "run")
    with pytest.raises(RunError, match="other settings"):
        train(CORPUS, config_of(epochs=7), tmp_path / "run")
    with pytest.raises(RunError, match=r"other data \(small\)"):
        train(Corpus("other", CORPUS.splits), config_of(), tmp_path / "run")


def test_metrics_without_validation(tmp_path: Path) -> None:
    run = train(Corpus("small", {"train": EXAMPLES}), config_of(), tmp_path / "run").path
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert len(rows) == 6
    assert "validation_loss" not in rows[0]


def test_early_stopping_needs_validation(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs validation examples, but small has none"):
        train(Corpus("small", {"train": EXAMPLES}), config_of(stop_on="loss"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_early_stopping_keeps_the_best_weights(tmp_path: Path) -> None:
    """A learning rate far too high: the loss soon rises, training stops, and the best weights are kept."""
    config = config_of(epochs=200, learning_rate=0.3, stop_on="loss", patience=5, keep="best")
    run = train(CORPUS, config, tmp_path / "run")
    rows = [json.loads(line) for line in (run.path / "metrics.jsonl").read_text().splitlines()]
    result = run.read_json("result.json")
    assert result["stopped_early"]
    assert len(rows) < 200
    best = min(row["validation_loss"] for row in rows)
    scored = Translator.load(run.path).score(EXAMPLES)
    tokens = sum(map(len, scored))
    assert -sum(map(sum, scored)) / tokens == pytest.approx(best, rel=1e-4)


def test_stopping_on_accuracy(tmp_path: Path) -> None:
    config = config_of(epochs=400, stop_on="accuracy", patience=3, keep="best")
    run = train(CORPUS, config, tmp_path / "run")
    assert run.read_json("result.json")["stopped_early"]


def test_accumulated_batches_are_one_larger_batch(tmp_path: Path) -> None:
    """Gradients of four batches of two, accumulated, against one batch of eight."""
    from fewlex.knowledge import Knowledge
    from fewlex.model.assemble import build_model
    from fewlex.model.batch import encode

    examples = EXAMPLES[2:] * 2

    def after_one_update(batch_examples: int, accumulate: int) -> dict[str, torch.Tensor]:
        config = small_config({"dropout": 0.0})
        knowledge = Knowledge.learn(examples, config)
        torch.manual_seed(0)
        model = build_model(config, knowledge)
        settings = TrainingConfig(updates=1, batch_examples=batch_examples, accumulate=accumulate)
        trainer = Trainer(
            model,
            encode(examples, knowledge.source_vocab, knowledge.target_vocab),
            settings,
            Workers(0, 1, torch.device("cpu")),
            seed=0,
            hidden=8,
            validate=lambda: None,
            observe=lambda news: None,
            checkpoint=tmp_path / "checkpoint.safetensors",
        )
        trainer.save = lambda: None  # type: ignore[method-assign]
        trainer.run()
        return {name: p.grad for name, p in model.named_parameters() if p.grad is not None}

    one, four = after_one_update(8, 1), after_one_update(2, 4)
    for name in one:
        torch.testing.assert_close(four[name], one[name], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("output", ["write", "lexical"])
def test_bfloat16_learns_the_same(tmp_path: Path, output: Literal["write", "lexical"]) -> None:
    exact = config_of(epochs=15, precision="float32")
    exact = dataclasses.replace(
        exact,
        model=dataclasses.replace(exact.model, output=output, dropout=0.0),
        fast_mapping=dataclasses.replace(exact.fast_mapping, probability=0.0),
    )
    rough = dataclasses.replace(exact, training=dataclasses.replace(exact.training, precision="bfloat16"))
    one, other = train(CORPUS, exact, tmp_path / "a"), train(CORPUS, rough, tmp_path / "b")
    losses = [_curve(run.path)[-1][2] for run in (one, other)]
    assert losses[0] != losses[1]
    assert losses[0] == pytest.approx(losses[1], rel=0.1)
    assert other.read_json("result.json")["precision"] == "bfloat16"
    assert all(weight.dtype == torch.float32 for weight in weights_of(other.path).values())


def test_precision_is_chosen_by_the_device() -> None:
    assert precision(TrainingConfig(), torch.device("cpu")) == "float32"
    assert precision(TrainingConfig(precision="bfloat16"), torch.device("cpu")) == "bfloat16"


def test_schedules_by_hand() -> None:
    noam = TrainingConfig(schedule="noam", learning_rate=1.0, warmup_updates=4000)
    assert learning_rate(noam, 4000, 0.5, 4000, 512) == pytest.approx(1 / math.sqrt(512 * 4000))
    assert learning_rate(noam, 1000, 0.1, 4000, 512) == pytest.approx(1 / math.sqrt(512 * 4000) / 4)
    assert learning_rate(noam, 16000, 0.9, 4000, 512) == pytest.approx(1 / math.sqrt(512 * 16000))
    linear = TrainingConfig(schedule="linear", learning_rate=0.1)
    assert learning_rate(linear, 10, 0.25, 0, 512) == pytest.approx(0.075)
    warm = TrainingConfig(schedule="constant", learning_rate=0.1, warmup_updates=10)
    assert learning_rate(warm, 5, 0.0, 10, 512) == pytest.approx(0.05)


# Bad input


@pytest.mark.parametrize("missing", ["config.toml", "knowledge.json", "lexicon.json", "model.safetensors"])
def test_an_incomplete_run_folder_names_what_is_missing(tmp_path: Path, missing: str) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    (run / missing).unlink()
    with pytest.raises(RunError, match=f"has no {missing}"):
        Translator.load(run)


def test_no_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such run folder"):
        Translator.load(tmp_path / "nothing")


def test_a_run_from_a_newer_version(tmp_path: Path) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    content = json.loads((run / "knowledge.json").read_text())
    del content["seal"]
    (run / "knowledge.json").write_bytes(seal_json(json.dumps({**content, "format": 99, "fewlex": "9.0"})))
    with pytest.raises(RunError, match=r"written by fewlex 9\.0.*Upgrade"):
        Translator.load(run)
    (run / "config.toml").write_text("[model]\nsetting_of_tomorrow = 1\n")
    with pytest.raises(RunError, match=r"written by fewlex 9\.0.*Upgrade"):
        Translator.load(run)


def test_a_config_that_is_not_understood_names_its_file(tmp_path: Path) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    (run / "config.toml").write_bytes(seal_toml("[model]\nhiden = 1\n"))
    with pytest.raises(RunError, match=r"config\.toml: there is no setting 'model\.hiden'"):
        Translator.load(run)


@pytest.mark.parametrize("name", ["knowledge.json", "model.safetensors", "config.toml"])
def test_a_damaged_run_folder(tmp_path: Path, name: str) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    (run / name).write_bytes((run / name).read_bytes()[:-20] + b"\x00garbage")
    with pytest.raises(DamagedError, match=name):
        Translator.load(run)


def test_weights_of_another_model(tmp_path: Path) -> None:
    run = train(CORPUS, config_of(), tmp_path / "run").path
    wide = dataclasses.replace(config_of(), model=dataclasses.replace(config_of().model, hidden=16))
    (run / "config.toml").write_bytes(seal_toml(to_toml(wide)))
    with pytest.raises(RunError, match="not the weights of this run's config"):
        Translator.load(run)


def test_a_checkpoint_that_is_none(tmp_path: Path) -> None:
    folder = Run(tmp_path / "run")
    train(CORPUS, config_of(), folder.path)
    (folder.path / "result.json").unlink()
    folder.checkpoint.write_bytes(b"nonsense")
    with pytest.raises(RunError, match="not a checkpoint"):
        train(CORPUS, config_of(), folder.path)


def test_a_full_disk_while_saving_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up at the second checkpoint: the first one stays, and the run goes on from it later."""
    import errno
    import os

    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)
    config, run = config_of(), tmp_path / "run"
    real_fsync, calls = os.fsync, []

    def fsync(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 7:
            raise OSError(errno.ENOSPC, "No space left on device")
        real_fsync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(FewlexError, match="No space left on device"):
        train(CORPUS, config, run)
    assert not list(run.glob(".*partial"))
    whole = train(CORPUS, config, tmp_path / "whole").path
    train(CORPUS, config, run)
    expected, found = weights_of(whole), weights_of(run)
    assert all(torch.equal(expected[name], found[name]) for name in expected)


def test_a_truecased_run_reads_the_first_word_as_elsewhere(tmp_path: Path) -> None:
    pairs = [
        ("the cat saw the dog", "CAT DOG"),
        ("The dog saw the cat", "DOG CAT"),
        ("Emma saw the cat", "EMMA CAT"),
    ]
    examples = tuple(Example(tuple(s.split()), tuple(t.split()), index=i) for i, (s, t) in enumerate(pairs))
    settings = ["data.truecase=true", "data.validation_share=0.0", "training.epochs=1"]
    config = build_config("fast", settings=settings)
    run = train(Corpus("own", {"train": examples}), config, tmp_path / "run")
    translator = Translator.load(run.path)
    assert "The" not in translator.knowledge.source_vocab
    (best, *_) = translator.translate_tokens([("The", "cat", "saw", "Emma")])[0]
    assert best.source == ("the", "cat", "saw", "Emma")
    assert translator.score(examples[1:2]) == translator.score(
        [dataclasses.replace(examples[1], source=("the", *examples[1].source[1:]))]
    )


@pytest.mark.parametrize(("probability", "changes"), [(0.5, True), (0.0, False)])
def test_limited_sources_change_what_is_learned_where_fast_mapping_is_on(
    tmp_path: Path, probability: float, changes: bool
) -> None:
    pairs = [("run", "R"), ("walk", "W"), ("run left", "L R"), ("walk left", "L W")]
    pairs += [("run left and walk left", "L R L W")]
    examples = tuple(Example(tuple(s.split()), tuple(t.split()), index=i) for i, (s, t) in enumerate(pairs))
    weights = []
    for limited in ("true", "false"):
        settings = [f"fast_mapping.limit_sources={limited}", f"fast_mapping.probability={probability}"]
        settings += ["data.validation_share=0.0", "training.epochs=2"]
        config = build_config("fast", settings=settings)
        run = train(Corpus("own", {"train": examples}), config, tmp_path / limited)
        weights.append(load_file(run.path / "model.safetensors"))
    same = all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    assert same != changes
