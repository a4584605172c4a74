"""A results folder in every state it may be found in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fewlex.experiments.paper import EXPERIMENTS
from fewlex.experiments.results import Result, read_results, result_path, state_of
from fewlex.experiments.runner import write_failure
from tests.experiments.fabricated import fabricate

JUMP = EXPERIMENTS["jump-simple"]


def test_figures_by_path() -> None:
    scores = {"test": {"exact_match": 1, "hits": "01", "bleu": None, "by_group": {"a → b": 0.5}}}
    result = Result("x", 0, {"scores": scores})
    paths = ("test.exact_match", "test.hits.1", "test.hits.0", "test.by_group.a → b")
    assert [result.figure(path) for path in paths] == [1.0, 1.0, 0.0, 0.5]
    for missing in ("test.hits.2", "test.bleu", "test.nothing", "nothing.at.all", "test.exact_match.deeper"):
        assert result.figure(missing) is None


def test_what_is_there(tmp_path: Path) -> None:
    assert read_results(tmp_path / "nowhere").number_of_runs == 0
    for seed in (10, 2):
        fabricate(tmp_path, JUMP.name, seed, 0.9)
    write_failure(tmp_path, JUMP, 3, "out of luck")
    results = read_results(tmp_path)
    assert [r.seed for r in results.runs[JUMP.name]] == [2, 10], "by number"
    assert [state_of(JUMP, seed, results) for seed in (2, 3, 4)] == ["done", "failed", "missing"]


def test_a_result_takes_the_place_of_a_failure(tmp_path: Path) -> None:
    write_failure(tmp_path, JUMP, 0, "out of luck")
    fabricate(tmp_path, JUMP.name, 0, 0.9)
    assert read_results(tmp_path).failures == {}


def test_other_settings_and_other_versions(tmp_path: Path) -> None:
    fabricate(tmp_path, JUMP.name, 0, 0.9, identity="something else")
    fabricate(tmp_path, JUMP.name, 1, 0.9, fewlex="0.0.1")
    results = read_results(tmp_path)
    assert [state_of(JUMP, seed, results) for seed in (0, 1)] == ["other settings", "older"]


def test_a_default_that_has_changed_since_makes_another_run(tmp_path: Path) -> None:
    config = fabricate(tmp_path, JUMP.name, 0, 0.9)["config"]
    training = {**config["training"], "adam_beta2": 0.5}
    fabricate(tmp_path, JUMP.name, 1, 0.9, config={**config, "training": training})
    del training["adam_beta2"]
    fabricate(tmp_path, JUMP.name, 2, 0.9, config={**config, "training": training})
    idle = {**config["model"], "transformer": {"heads": 8}}
    fabricate(tmp_path, JUMP.name, 3, 0.9, config={**config, "model": idle})
    states = [state_of(JUMP, seed, read_results(tmp_path)) for seed in range(4)]
    assert states == ["done", "other settings", "done", "done"], "new and idle settings are no difference"


def test_a_result_with_the_old_names_of_settings_is_the_same_run(tmp_path: Path) -> None:
    config = fabricate(tmp_path, JUMP.name, 0, 0.9)["config"]
    model = {name: value for name, value in config["model"].items() if not isinstance(value, dict)}
    old = {**model, **config["model"]["lstm"], "heads": 4, "lexical_head": "mean"}
    fabricate(tmp_path, JUMP.name, 0, 0.9, config={**config, "model": old})
    fabricate(tmp_path, JUMP.name, 1, 0.9, config={**config, "model": {**old, "features": "tanh"}})
    states = [state_of(JUMP, seed, read_results(tmp_path)) for seed in range(2)]
    assert states == ["done", "other settings"]


def test_a_result_with_a_setting_that_is_gone_is_another_run(tmp_path: Path) -> None:
    row = EXPERIMENTS["jump-transformer"]
    config = fabricate(tmp_path, row.name, 0, 0.9)["config"]
    fabricate(
        tmp_path, row.name, 0, 0.9, config={**config, "model": {**config["model"], "lexical_head": "mean"}}
    )
    assert state_of(row, 0, read_results(tmp_path)) == "other settings"


def test_a_failure_is_of_its_settings(tmp_path: Path) -> None:
    with_mistake = replace(JUMP, settings=(*JUMP.settings, "lexicon.method=nowhere.json"))
    write_failure(tmp_path, with_mistake, 0, "nowhere.json is not there")
    assert state_of(JUMP, 0, read_results(tmp_path)) == "missing"
    assert state_of(with_mistake, 0, read_results(tmp_path)) == "failed"
    fabricate(tmp_path, JUMP.name, 1, 0.9, identity="another")
    write_failure(tmp_path, JUMP, 1, "out of luck")
    assert state_of(JUMP, 1, read_results(tmp_path)) == "failed", "whatever else is there"


def test_a_copy_does_not_count_twice(tmp_path: Path) -> None:
    fabricate(tmp_path, JUMP.name, 0, 0.9)
    path = result_path(tmp_path, JUMP.name, 0)
    path.with_name("seed0 copy.json").write_text(path.read_text())
    results = read_results(tmp_path)
    assert results.number_of_runs == 1
    assert "seed0 copy.json: a result of that seed belongs in seed0.json" in results.damaged[0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"curve": None}, "curve must be a JSON object"),
        ({"curve": {"epoch": 3}}, "curve.epoch must be a list"),
        ({"machine": None}, "machine must be a JSON object"),
        ({"evaluation_seconds": None}, "evaluation_seconds must be a finite number"),
        (
            {"training": {"seconds": 1, "peak_memory_mib": None}},
            "training.peak_memory_mib must be a whole number",
        ),
        ({"settings": None}, "settings must be a list"),
        ({"config": []}, "config must be a JSON object"),
        ({"lexicon": 3}, "lexicon must be a JSON object"),
        ({"lexicon": {"dax": 3}}, "lexicon.dax must be a JSON object"),
        ({"lexicon": {"dax": {"RED": "all"}}}, "lexicon.dax.RED must be a finite number"),
        ({"one_shot": 3}, "one_shot must be a text"),
        ({"scores": {"test": {"hits": "01x"}}}, "hits are not a string of 0 and 1"),
    ],
)
def test_parts_of_a_wrong_kind(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    fabricate(tmp_path, JUMP.name, 0, 0.9, **changes)
    assert reason in read_results(tmp_path).damaged[0]


def test_an_old_result_is_known_by_its_preset_and_settings(tmp_path: Path) -> None:
    result = fabricate(tmp_path, JUMP.name, 0, 0.9)
    old = {key: result[key] for key in ("seed", "fewlex", "preset", "settings", "scores", "training")}
    path = result_path(tmp_path, JUMP.name, 0)
    path.write_text(json.dumps(old))
    assert state_of(JUMP, 0, read_results(tmp_path)) == "older"
    path.write_text(json.dumps({**old, "settings": ["model.hidden=3"]}))
    assert state_of(JUMP, 0, read_results(tmp_path)) == "other settings"
    path.write_text(json.dumps({**old, "settings": ["model.gone=3"]}))
    assert state_of(JUMP, 0, read_results(tmp_path)) == "other settings"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"seed": 0, "sco', "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "'seed' is missing"),
        (b'{"seed": 0}', "'scores' is missing"),
        (b'{"seed": 0, "scores": 3, "training": {"seconds": 1}}', "scores must be a JSON object"),
        (b'{"seed": 0, "scores": {}, "training": {}}', "'training.seconds' is missing"),
        (b'{"seed": 0, "scores": {}, "training": 3}', "training"),
        (b"\xff\xfe\x00", "decode"),
    ],
)
def test_damaged_files_are_listed(tmp_path: Path, content: bytes, reason: str) -> None:
    fabricate(tmp_path, JUMP.name, 1, 0.9)
    result_path(tmp_path, JUMP.name, 0).write_bytes(content)
    results = read_results(tmp_path)
    assert results.number_of_runs == 1
    (damaged,) = results.damaged
    assert damaged.startswith("jump-simple/seed0.json: ")
    assert reason in damaged
    assert state_of(JUMP, 0, results) == "missing", "to be made again"
