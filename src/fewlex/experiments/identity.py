"""Which run this is: what it was trained on and with which settings, as a table and as a short hash."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fewlex.config import Config
from fewlex.config_layers import build_config
from fewlex.experiments.experiment import Experiment

NOT_SETTINGS = ("preset", "seed")
"""A preset is only a name for settings, and the seed is what the runs of a row differ in."""


def config_of(experiment: Experiment, seed: int) -> Config:
    return build_config(experiment.preset, experiment.data, settings=experiment.settings, seed=seed)


def identity(experiment: Experiment, config: Config) -> str:
    """The same for all seeds of a row, and for every fewlex that only has more settings.

    Only what differs from the defaults counts, so that a setting which is added later and left alone does not make
    old results strangers; nor do settings of what is switched off.
    """
    what = {
        "data": experiment.data,
        "prepare": repr(experiment.prepare) if dataclasses.is_dataclass(experiment.prepare) else "",
        "lessons": {name: dataclasses.asdict(lesson) for name, lesson in experiment.lessons.items()},
        "settings": own_settings(config),
    }
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:12]


def own_settings(config: Config) -> dict[str, Any]:
    """The settings that differ from the defaults and have a say, as nested tables without empty ones."""
    silent = {*NOT_SETTINGS}
    silent |= set() if config.fast_mapping.is_on else {"fast_mapping"}
    silent |= set() if config.model.output == "lexical" else {"lexicon"}
    plain, default = dataclasses.asdict(config), dataclasses.asdict(Config())
    return _difference({k: v for k, v in plain.items() if k not in silent}, default)


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
