"""Settings under the names that they had in earlier versions of fewlex."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from fewlex.config import Config, FastMappingConfig, LSTMConfig, ModelConfig, TransformerConfig
from fewlex.config.history import RENAMED, with_current_names
from fewlex.config_layers import build_config, from_layers, read_toml, to_toml
from fewlex.data import Corpus, Example
from fewlex.errors import ConfigError, RunError
from fewlex.run import Run
from fewlex.seal import seal_toml
from fewlex.training import train

OLD_MODEL = """
[model]
backbone = "lstm"
hidden = 16
embedding = 16
layers = 1
bidirectional = true
dropout = 0.0
features = "tanh"
input_feeding = false
heads = 2
feedforward = 32
lexical_head = "mean"
position_skips = 0.0
syntax_action = false
scaled_scores = true

[fast_mapping]
probability = 0.5
halves = true
"""
"""As fewlex 0.1.0 wrote it into config.toml."""

NEWER = {"lstm": {"positions", "residual", "scaled_scores", "state_dropout"}}
"""Settings that came after sections, and so have no older name."""


def old_names_of(config: Config) -> str:
    """The config as an earlier fewlex would have written it."""
    table: dict[str, Any] = tomllib.loads(to_toml(config))
    for old, new in RENAMED.items():
        *sections, name = new.split(".")
        inner = table
        for section in sections:
            inner = inner[section]
        table[old.split(".")[0]][old.split(".")[1]] = inner.pop(name)
    for section in ("lstm", "transformer", "syntactic_attention"):
        left = table["model"].pop(section)
        assert left.keys() == NEWER.get(section, set()), "every other setting of a section has an old name"
        if left:
            table["model"][section] = left
    table["model"]["lexical_head"] = "first"
    return tomli_w.dumps(table)


def test_an_old_file_means_the_same(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(OLD_MODEL)
    config = from_layers([read_toml(path)])
    lstm = LSTMConfig(bidirectional=True, features="tanh")
    assert config.model.lstm == lstm
    assert config.model.transformer == TransformerConfig(heads=2, feedforward=32)
    assert config.model.syntactic_attention.scaled_scores
    assert config.fast_mapping == FastMappingConfig(probability=0.5, limit_sources=True)
    assert (config.model.backbone, config.model.hidden) == ("lstm", 16)


@pytest.mark.parametrize("preset", ["fast", "paper+as_published", "fast+transformer", "fast+nested"])
def test_every_preset_survives_the_way_through_the_old_names(preset: str) -> None:
    config = build_config(preset, "cogs")
    assert from_layers([tomllib.loads(old_names_of(config))]) == config


def test_a_single_setting_may_have_its_old_name() -> None:
    assert build_config(settings=["model.bidirectional=false"]).model.lstm.bidirectional is False
    with pytest.raises(ConfigError, match=r"model\.transformer has no say"):
        build_config(settings=["model.heads=2"])


def test_the_name_of_today_wins() -> None:
    layer = {"model": {"features": "tanh", "lstm": {"features": "concat"}}}
    assert with_current_names(layer) == {"model": {"lstm": {"features": "concat"}}}
    assert layer["model"]["features"] == "tanh", "what was given is left as it is"


def test_what_is_no_table_is_left_to_the_check() -> None:
    with pytest.raises(ConfigError, match="model is a group of settings"):
        from_layers([with_current_names({"model": 3})])


@pytest.mark.parametrize(
    "layer", [{"lexical_head": "mean"}, {"backbone": "transformer", "lexical_head": "mean"}]
)
def test_a_setting_that_is_gone_is_an_error_where_it_had_a_say(layer: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"model\.lexical_head is gone"):
        from_layers([{"model": layer}])
    assert from_layers([{"model": {**layer, "backbone": "lstm"}}]).model == ModelConfig()


def test_an_old_run_folder_loads_and_goes_on(tmp_path: Path) -> None:
    examples = tuple(Example((word,), (word.upper(),), index=i) for i, word in enumerate(("walk", "run")))
    corpus = Corpus("own", {"train": examples})
    settings = ["model.hidden=8", "model.embedding=8", "training.epochs=1", "data.validation_share=0.0"]
    config = build_config(settings=settings)
    run = train(corpus, config, tmp_path / "run")
    path = run.path / "config.toml"
    path.write_bytes(seal_toml(old_names_of(config)))
    assert Run(run.path).read_config() == config
    assert train(corpus, config, run.path).is_finished, "the same settings, so the same run"
    path.write_bytes(seal_toml(old_names_of(config).replace('classes = "one"', 'classes = "both"')))
    with pytest.raises(
        RunError, match=r"fast_mapping\.classes must be one of 'one', 'target'.*Train the run again"
    ):
        Run(run.path).read_config()
