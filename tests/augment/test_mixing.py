"""Synthetic examples in training: their share, the settings, and a run that was killed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file

from fewlex.augment import EpochSampler, synthetic_count, synthetic_examples
from fewlex.config import AugmentationConfig, Config, DataConfig, TrainingConfig
from fewlex.config_layers import build_config, from_layers
from fewlex.data import load
from fewlex.data.corpus import Corpus
from fewlex.errors import ConfigError, DataError
from fewlex.training import train
from fewlex.training.progress import Progress
from tests.model.conftest import EXAMPLES, small_config

CORPUS = Corpus("small", {"train": EXAMPLES, "validation": EXAMPLES})


def config_of(method: str = "geca", ratio: float = 0.4) -> Config:
    return dataclasses.replace(
        small_config({"dropout": 0.2}, {"probability": 0.5}),
        augmentation=AugmentationConfig(method, ratio),
        training=TrainingConfig(updates=0, epochs=4, batch_examples=2, learning_rate=0.01),
        data=DataConfig(validation_share=0),
    )


# Which examples an epoch has


def test_the_share_is_of_both_together() -> None:
    assert synthetic_count(90, 0.1) == 10
    assert synthetic_count(24_155, 0.1) == 2_684
    assert synthetic_count(7, 0.5) == 7


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0.01, 0.9), st.integers(0, 5), st.integers(0, 5))
def test_an_epoch_has_all_real_and_a_fair_share_of_synthetic_examples(
    real: int, synthetic: int, ratio: float, seed: int, epoch: int
) -> None:
    sampler = EpochSampler(real, synthetic, ratio, seed)
    chosen = sampler.of_epoch(epoch)
    assert chosen == sampler.of_epoch(epoch)
    assert chosen[:real] == list(range(real))
    drawn = chosen[real:]
    assert len(drawn) == synthetic_count(real, ratio)
    times = [drawn.count(index) for index in range(real, real + synthetic)]
    assert sum(times) == len(drawn)
    assert max(times) - min(times) <= 1


def test_epochs_draw_anew() -> None:
    sampler = EpochSampler(100, 1000, 0.3, seed=0)
    assert sampler.of_epoch(0) != sampler.of_epoch(1)
    assert EpochSampler(100, 1000, 0.3, seed=1).of_epoch(0) != sampler.of_epoch(0)
    assert EpochSampler(100).of_epoch(0) == list(range(100))


# Settings


def test_settings_from_toml_layers() -> None:
    text = ["augmentation.method=geca", "augmentation.ratio=0.1", "augmentation.parameters.window=2"]
    config = build_config("fast", "colors", settings=text)
    assert config.augmentation == AugmentationConfig("geca", 0.1, {"window": 2})
    assert not Config().augmentation.is_on
    layers = [
        {"augmentation": dataclasses.asdict(config.augmentation)},
        {"augmentation": {"method": "new.tsv"}},
    ]
    assert from_layers(layers).augmentation == AugmentationConfig("new.tsv", 0.1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["augmentation.ratio=0.1"], "augmentation needs both a method and a ratio"),
        (["augmentation.method=geca"], "augmentation needs both a method and a ratio"),
        (["augmentation.method=geca", "augmentation.ratio=1"], "augmentation.ratio must be in [0, 1)"),
    ],
)
def test_settings_that_make_no_sense(settings: list[str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_config("fast", settings=settings)
    assert message in str(caught.value)


def test_where_synthetic_examples_come_from(tmp_path: Path) -> None:
    assert synthetic_examples(EXAMPLES, AugmentationConfig(), 0) == ()
    made = synthetic_examples(EXAMPLES, AugmentationConfig("geca", 0.5), 0)
    assert ("jump", "twice") in {example.source for example in made}
    path = tmp_path / "new.tsv"
    path.write_text("jump twice\tJUMP JUMP\n")
    (read,) = synthetic_examples(EXAMPLES, AugmentationConfig(str(path), 0.5), 0)
    assert (read.source, read.target) == (("jump", "twice"), ("JUMP", "JUMP"))


def test_synthetic_examples_bring_no_new_words(tmp_path: Path) -> None:
    path = tmp_path / "new.tsv"
    path.write_text("jump twice\tJUMP JUMP\njump thrice\tJUMP JUMP\n")
    with pytest.raises(DataError, match=r"new\.tsv:2: 'thrice' is in no training example"):
        synthetic_examples(EXAMPLES, AugmentationConfig(str(path), 0.5), 0)


def test_data_that_gives_nothing() -> None:
    with pytest.raises(ConfigError, match="makes no new example from this data"):
        synthetic_examples(EXAMPLES[:2], AugmentationConfig("geca", 0.5), 0)


# Training


def test_knowledge_comes_from_real_examples_alone(tmp_path: Path) -> None:
    with_new = train(CORPUS, config_of(), tmp_path / "with").path
    without = train(
        CORPUS, dataclasses.replace(config_of(), augmentation=AugmentationConfig()), tmp_path / "without"
    )
    for name in ("knowledge.json", "lexicon.json"):
        assert json.loads((with_new / name).read_text()) == json.loads((without.path / name).read_text())
    updates = [json.loads((path / "result.json").read_text())["updates"] for path in (with_new, without.path)]
    assert updates == [4 * 5, 4 * 3]  # 6 real and 4 synthetic examples, or 6, in batches of 2


class KilledError(Exception):
    """Stands for kill −9."""


@pytest.mark.parametrize("kill_at", [3, 7, 12])
def test_a_killed_run_resumes_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill_at: int
) -> None:
    monkeypatch.setattr("fewlex.training.trainer.CHECKPOINT_SECONDS", 0.0)  # after every update
    whole = train(CORPUS, config_of(), tmp_path / "whole").path

    def kill(news: Progress) -> None:
        if news.update == kill_at:
            raise KilledError

    with pytest.raises(KilledError):
        train(CORPUS, config_of(), tmp_path / "resumed", observe=kill)
    resumed = train(CORPUS, config_of(), tmp_path / "resumed").path
    expected, found = (load_file(path / "model.safetensors") for path in (whole, resumed))
    assert all(torch.equal(expected[name], found[name]) for name in expected)


@pytest.mark.slow
def test_a_network_learns_from_synthetic_examples(tmp_path: Path) -> None:
    """`zup fep` is not in the training data, but among GECA's examples."""
    from fewlex.translator import Translator

    settings = [
        "model.output=write",
        "fast_mapping.probability=0",
        "model.hidden=32",
        "model.embedding=32",
        "augmentation.method=geca",
        "augmentation.ratio=0.5",
        "training.epochs=60",
    ]
    run = train(load("colors"), build_config("fast", "colors", settings=settings, seed=0), tmp_path / "run")
    assert Translator.load(run.path).translate("zup fep") == "YELLOW YELLOW YELLOW"
