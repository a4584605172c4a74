"""Settings: layers, checks and errors that name the cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fewlex.config import Config
from fewlex.config.explained import all_settings
from fewlex.config_layers import at_translation, build_config, from_layers, preset_names, read_toml, to_toml
from fewlex.data import DATASETS
from fewlex.errors import ConfigError

EVERY_DATA_NAME = ["my.tsv", *(name for dataset in DATASETS.values() for name in dataset.names)]


@pytest.mark.parametrize("data", EVERY_DATA_NAME)
@pytest.mark.parametrize("preset", [*preset_names(), "paper+as_published"])
def test_every_preset_is_valid_for_every_data_set(preset: str, data: str) -> None:
    config = build_config(preset, data)
    assert config.preset == preset


def test_the_three_names() -> None:
    assert {"paper", "as_published", "fast"} <= set(preset_names())


def test_paper_is_appendix_c() -> None:
    config = build_config("paper", "scan:jump")
    assert (config.model.layers, config.model.hidden, config.model.embedding) == (2, 512, 512)
    assert (config.model.dropout, config.model.write_dropout) == (0.4, 0.5)
    assert config.training.batch_examples * config.training.accumulate == 512
    assert (config.training.updates, config.training.warmup_updates, config.training.clip) == (
        8000,
        4000,
        5.0,
    )
    assert not config.fast_mapping.is_on
    colors = build_config("paper", "colors").training
    assert (colors.batch_examples, colors.warmup_epochs, colors.clip, colors.epochs) == (5, 32, 0.5, 200)
    assert build_config("paper", "cogs").model.write_dropout == 0.0


def test_as_published_changes_what_the_notes_say() -> None:
    paper, published = build_config("paper", "cogs"), build_config("paper+as_published", "cogs")
    assert paper.model.gate == "sigmoid"
    assert published.model.gate == "copy_token"
    assert published.model.lstm.input_feeding
    assert published.lexicon.parameters == {"identity_bonus": True}
    assert published.training == paper.training


def test_toml_round_trip(tmp_path: Path) -> None:
    config = build_config("paper+as_published", "colors", settings=["model.hidden=64"], seed=3)
    path = tmp_path / "config.toml"
    path.write_text(to_toml(config))
    assert from_layers([read_toml(path)]) == config


def test_later_layers_win(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[model]\nhidden = 32\nlayers = 3\n")
    config = build_config("fast", "colors", file=path, settings=["model.layers=4"])
    assert (config.model.hidden, config.model.layers) == (32, 4)
    assert config.training.epochs == build_config("fast", "colors").training.epochs


def test_another_learner_drops_the_parameters_of_the_first() -> None:
    config = build_config("paper+as_published", "cogs", settings=["lexicon.method=pmi"])
    assert config.lexicon.method == "pmi"
    assert config.lexicon.parameters == {}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.hiden=3", "no setting 'model.hiden'. Did you mean 'hidden'?"),
        ("modell.hidden=3", "no setting 'modell'. Did you mean 'model'?"),
        ("model.hidden=big", "model.hidden must be a whole number, not 'big'"),
        ("model.hidden=true", "model.hidden must be a whole number, not True"),
        ("model.hidden=0", "model.hidden must be positive"),
        ("model.transformer.heads=2", "model.transformer has no say, because model.backbone is 'lstm'"),
        ("model.transformer.hedas=2", "no setting 'model.transformer.hedas'. Did you mean 'heads'?"),
        ("model.transformer=2", "model.transformer is a group of settings"),
        ("model.gate=open", "model.gate must be one of 'sigmoid', 'copy_token', not 'open'"),
        ("model=3", "model is a group of settings"),
        ("model.dropout", "not of the form section.name=value"),
        ("lexicon.trained=true", "lexicon.trained needs lexicon.temperature > 0"),
        ("model.output=write", "fast_mapping needs model.output = 'lexical'"),
        ("training.keep=best", "needs training.stop_on"),
        ("training.schedule=noam", "needs warmup_updates or warmup_epochs"),
    ],
)
def test_a_bad_setting_says_what_is_wrong(setting: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build_config("fast", settings=[setting])
    assert message in str(caught.value)


def test_a_section_counts_where_its_backbone_is_chosen(tmp_path: Path) -> None:
    config = build_config(settings=["model.backbone=transformer", "model.transformer.heads=2"])
    assert config.model.transformer.heads == 2
    path = tmp_path / "both.toml"
    path.write_text("[model.transformer]\nheads = 2\n")
    assert build_config(file=path).model.backbone == "lstm", "a file may be for several backbones"


@pytest.mark.parametrize(
    ("tied", "fits"),
    [
        ({"lstm": {"features": "tanh"}}, True),
        ({"lstm": {"features": "concat"}}, False),
        ({"backbone": "transformer"}, True),
        ({"backbone": "syntactic_attention"}, False),
        ({"lstm": {"features": "tanh"}, "embedding": 64}, False),
    ],
)
def test_what_can_be_tied(tied: dict[str, Any], fits: bool) -> None:
    model = {"tied": True, **tied}
    if fits:
        assert from_layers([{"model": model}]).model.tied
    else:
        with pytest.raises(ConfigError, match=r"model\.tied needs"):
            from_layers([{"model": model}])


def test_bad_files_and_presets(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[model\n")
    with pytest.raises(ConfigError, match=r"broken\.toml: not a TOML file"):
        build_config(file=path)
    with pytest.raises(ConfigError, match="no such file"):
        build_config(file=tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"no preset 'fsat'\. Did you mean 'fast'"):
        build_config("fsat")


def test_defaults_are_consistent() -> None:
    assert from_layers([]) == Config()


def test_own_text_can_be_treated_like_a_data_set() -> None:
    config = build_config("fast", "mine.tsv", like="eng-cmn")
    assert config.decoding.beam == 5
    assert (config.data.source_tokenizer, config.data.target_tokenizer) == ("moses", "jieba")
    own = build_config("fast", "mine.tsv", like="eng-cmn", settings=["data.source_tokenizer=whitespace"])
    assert own.data.source_tokenizer == "whitespace"
    with pytest.raises(
        ConfigError, match=r"no data set 'eng-cm' to treat the data like\. Did you mean 'eng-cmn'"
    ):
        build_config("fast", "mine.tsv", like="eng-cm")


def test_what_may_change_after_training() -> None:
    changed = at_translation(build_config(), ["decoding.beam=7", "fast_mapping.policy=rare"])
    assert changed.decoding.beam == 7
    assert changed.fast_mapping.policy == "rare"
    with pytest.raises(ConfigError, match=r"training\.epochs cannot change after training"):
        at_translation(build_config(), ["training.epochs=1"])


def test_every_setting_is_explained() -> None:
    assert [setting.name for setting in all_settings() if not setting.explanation] == []
    assert [setting.name for setting in all_settings("greedy search")] == ["decoding.beam"]
