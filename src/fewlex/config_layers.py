"""A configuration is built in layers, each overriding the one before; TOML in, TOML out.

First the defaults (`config/`), then one or more presets (`fast`, `paper`, `paper+as_published`; see
`presets/*.toml`), a file of the user's, single settings (`model.hidden=256`). A misspelt name is an error in every
layer, and the error suggests the right one.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from fewlex.config import Config
from fewlex.config.history import with_current_names
from fewlex.config.model import BACKBONE_NAMES
from fewlex.data import DATASETS, find_dataset
from fewlex.errors import ConfigError, did_you_mean
from fewlex.strict import parse_toml
from fewlex.tables import Layer, build, merge, parse_setting

AT_TRANSLATION = (
    "decoding.beam",
    "decoding.length_penalty",
    "decoding.max_length",
    "fast_mapping.policy",
    "memory.neighbours",
    "memory.sentences",
    "rules.precision",
)
"""Settings that may change after training, since no weight depends on them."""

AUTO = "auto"
"""The preset that a recipe completes (recipe.py)."""


def build_config(
    preset: str = "fast",
    dataset: str = "",
    *,
    like: str = "",
    file: Path | None = None,
    settings: Iterable[str] = (),
    seed: int | None = None,
    recipe: Layer | None = None,
) -> Config:
    """Defaults, then presets, then a file, then single `section.name=value` settings.

    `like` names a published data set. One's own data is then treated as that is: with its part of the presets and,
    because one's own text is not cut into words yet, with its tokenizers. A `recipe`, the settings that follow from the
    data, is laid directly over the preset `auto`.
    """
    layers: list[Layer] = []
    for name in preset.split("+"):
        layers.append(preset_layer(name, like or dataset))
        if name == AUTO and recipe is not None:
            layers.append(recipe)
    if like:
        layers.append(_tokenizers_of(like, dataset))
    if file is not None:
        layers.append(read_toml(file))
    layers.append({"preset": preset})
    single = [parse_setting(text) for text in settings]
    layers.extend(single)
    if seed is not None:
        layers.append({"seed": seed})
    config = from_layers(layers)
    _require_own_backbone(config, [with_current_names(layer) for layer in single])
    return config


def at_translation(config: Config, settings: Iterable[str]) -> Config:
    """The config of a trained run with other settings of AT_TRANSLATION."""
    layers = [parse_setting(text) for text in settings]
    for layer in layers:
        for name in _names_in(layer):
            if name not in AT_TRANSLATION:
                raise ConfigError(
                    f"{name} cannot change after training. These can: {', '.join(AT_TRANSLATION)}."
                )
    return from_layers([dataclasses.asdict(config), *layers])


def _names_in(layer: Layer, before: str = "") -> Iterator[str]:
    for key, value in layer.items():
        if isinstance(value, Mapping):
            yield from _names_in(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def _tokenizers_of(like: str, data: str) -> Layer:
    """The tokenizers of a published data set, for text of one's own."""
    published = find_dataset(like)
    if published is None:
        raise ConfigError(
            f"there is no data set {like!r} to treat the data like. {did_you_mean(like, DATASETS)}"
        )
    if find_dataset(data) is not None:
        return {}
    sides = {"source_tokenizer": published.source_tokenizer, "target_tokenizer": published.target_tokenizer}
    return {"data": sides}


def from_layers(layers: Iterable[Layer]) -> Config:
    merged: dict[str, Any] = {}
    for layer in map(with_current_names, layers):
        for section in ("lexicon", "augmentation"):  # parameters belong to the method that a layer chooses
            if "method" in _table(layer, section) and isinstance(merged.get(section), dict):
                merged[section].pop("parameters", None)
        merged = merge(merged, layer)
    config: Config = build(Config, merged)
    return config


def _table(layer: Layer, section: str) -> Layer:
    """A section of a layer; empty where it is missing, or where a single value stands, which `build` will refuse."""
    table = layer.get(section)
    return table if isinstance(table, Mapping) else {}


def _require_own_backbone(config: Config, settings: Sequence[Layer]) -> None:
    """A preset or a file may set what another backbone needs; whoever names a single setting wants it to count."""
    chosen = config.model.backbone
    for name in BACKBONE_NAMES:
        if name != chosen and any(name in _table(layer, "model") for layer in settings):
            raise ConfigError(
                f"model.{name} has no say, because model.backbone is {chosen!r}. Set model.backbone={name} too, or "
                f"leave the settings of model.{name} out."
            )


def preset_names() -> list[str]:
    return sorted(
        p.name.removesuffix(".toml") for p in _preset_folder().iterdir() if p.name.endswith(".toml")
    )


def preset_summary(name: str) -> str:
    """What a preset is: the first sentence of the comment that its file begins with."""
    comment: list[str] = []
    for line in (_preset_folder() / f"{name}.toml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        comment.append(line.removeprefix("#").strip())
    first, stop, _ = " ".join(comment).partition(". ")
    return first + stop.strip()


def preset_layer(name: str, dataset: str = "") -> Layer:
    """A preset's settings: its general part, then what it says for a data set (`scan`, then `scan:jump`)."""
    if name not in preset_names():
        raise ConfigError(f"no preset {name!r}. {did_you_mean(name, preset_names())}")
    table = tomllib.loads((_preset_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    special = table.pop("for", {})
    known = find_dataset(dataset)
    for key in dict.fromkeys((known.name, dataset)) if known else ():
        table = merge(table, special.get(key, {}))
    return table


def read_toml(path: Path) -> Layer:
    try:
        return parse_toml(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file. Write one, or leave --config out.") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}). Check its name.") from error
    except ValueError as error:
        raise ConfigError(f"{path}: not a TOML file: {error}.") from error


def to_toml(config: Config) -> str:
    import tomli_w

    return tomli_w.dumps(dataclasses.asdict(config))


def _preset_folder() -> resources.abc.Traversable:
    return resources.files("fewlex") / "presets"
