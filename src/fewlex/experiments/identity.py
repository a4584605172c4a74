"""The identity of a run: its data and its settings, as a table and as a short hash."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fewlex.config import Config
from fewlex.config.history import with_current_names
from fewlex.config.model import BACKBONE_NAMES
from fewlex.config_layers import build_config
from fewlex.errors import ConfigError
from fewlex.experiments.experiment import Experiment

NOT_SETTINGS = ("preset", "seed")
"""These settings do not count: a preset is only a name for settings, and the runs of a row differ in their seeds."""


def config_of(experiment: Experiment, seed: int) -> Config:
    return build_config(experiment.preset, experiment.data, settings=experiment.settings, seed=seed)


def identity(experiment: Experiment, config: Config) -> str:
    """A hash that is the same for all seeds of a row, also in later versions of fewlex that only add settings.

    Only settings that differ from their defaults count. So a setting that is added later and keeps its default does not
    change the identity of old results. Settings of parts that are switched off do not count either.
    """
    what = {
        "data": experiment.data,
        "prepare": repr(experiment.prepare) if dataclasses.is_dataclass(experiment.prepare) else "",
        "lessons": {name: dataclasses.asdict(lesson) for name, lesson in experiment.lessons.items()},
        "settings": own_settings(config),
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:12]


def own_settings(config: Config) -> dict[str, Any]:
    """The settings that differ from the defaults and have an effect, as nested tables without empty ones."""
    return _difference(_with_a_say(config), dataclasses.asdict(Config()))


def is_contradicted(config: Config, recorded: Mapping[str, Any]) -> bool:
    """True if an earlier run with the same identity had other settings, because a default has changed since."""
    now = json.loads(json.dumps(_with_a_say(config)))
    try:
        then = with_current_names(recorded)
    except ConfigError:
        return True  # The earlier run had a setting that does not exist any more.
    return bool(_difference(_in_common(now, then), then))


def _with_a_say(config: Config) -> dict[str, Any]:
    silent = {*NOT_SETTINGS}
    silent |= set() if config.fast_mapping.is_on else {"fast_mapping"}
    silent |= set() if config.model.output == "lexical" else {"lexicon"}
    table = {k: v for k, v in dataclasses.asdict(config).items() if k not in silent}
    if config.model.output == "copy":  # It has no lexicon, but these settings hold for copying too.
        names = ("end_mark", "reliance", "dropout")
        table["lexicon"] = {name: getattr(config.lexicon, name) for name in names}
    others = set(BACKBONE_NAMES) - {config.model.backbone}
    table["model"] = {k: v for k, v in table["model"].items() if k not in others}
    return table


def _in_common(table: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a table whose names the other table has too, with the values of the first table."""
    common = {}
    for key, value in table.items():
        if key in other:
            both = isinstance(value, dict) and isinstance(other[key], dict)
            common[key] = _in_common(value, other[key]) if both else value
    return common


def _difference(table: Mapping[str, Any], default: Mapping[str, Any]) -> dict[str, Any]:
    rest: dict[str, Any] = {}
    for key, value in table.items():
        before = default.get(key)
        if isinstance(value, dict) and isinstance(before, dict) and before:
            if inner := _difference(value, before):
                rest[key] = inner
        elif value != before:
            rest[key] = value
    return rest
