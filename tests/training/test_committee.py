"""Several networks that are trained one after the other and answer together."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import shutil
import time
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from fewlex.advice import next_steps
from fewlex.cli import app
from fewlex.config import Config
from fewlex.doctor import DAMAGED, SET_ASIDE, SOUND, examine
from fewlex.errors import ConfigError, DamagedError, RunError
from fewlex.evaluation import evaluate
from fewlex.run import Run
from fewlex.studio.library import Library
from fewlex.training import Progress, train
from fewlex.training.keeping import keep
from fewlex.translator import Translator
from fewlex.unfinished import can_be_kept, resumes_at
from tests.model.conftest import EXAMPLES
from tests.training.test_training import CORPUS, KilledError, config_of, weights_of

UPDATES = 6 * math.ceil(len(EXAMPLES) / 2)
"""Those of one network."""


def config(seed: int = 0, networks: int = 3, **training: object) -> Config:
    return dataclasses.replace(config_of(networks=networks, **training), seed=seed)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return train(CORPUS, config(seed=1), tmp_path_factory.mktemp("committee") / "run")


def test_each_network_is_that_of_a_run_with_its_seed(made: Run, tmp_path: Path) -> None:
    for number, seed in enumerate([3, 4, 5]):
        alone = train(CORPUS, config(seed, networks=1), tmp_path / str(seed))
        expected, found = weights_of(alone.path), weights_of(made.member(number).path)
        assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert not made.weights.exists()


def test_the_mean_of_the_networks_answers(made: Run) -> None:
    together = Translator.load(made.path)
    each = [Translator.load(member.path).score(EXAMPLES) for member in made.members]
    for row, rows in zip(together.score(EXAMPLES), zip(*each, strict=True), strict=True):
        means = [math.log(sum(map(math.exp, token)) / 3) for token in zip(*rows, strict=True)]
        assert row == pytest.approx(means, abs=1e-5)
    best = together.translate_tokens([EXAMPLES[0].source], beam=3)[0][0]
    scored = together.score([dataclasses.replace(EXAMPLES[0], target=best.published)])
    assert best.log_prob == pytest.approx(sum(scored[0]), abs=1e-4)
    assert all(sum(row) <= 1.0001 for row in best.attention)
    assert len(best.origins) == len(best.tokens)


def test_all_networks_know_what_is_taught(tmp_path: Path) -> None:
    run = train(CORPUS, config(networks=2, epochs=100, validate_every=1000), tmp_path / "run")
    translator = Translator.load(run.path)
    assert evaluate(translator, EXAMPLES).exact_match == 1.0
    translator.teach("blork", "BLORK")
    assert translator.translate("blork twice") == "BLORK BLORK"
    answer = translator.translate_lines(["blork"])[0][0]
    assert answer.log_prob > math.log(0.6)  # one network alone could give it a half
    assert {origin.how for origin in answer.origins} == {"translated"}


@pytest.mark.parametrize("pause", ["0", "1000"])
def test_a_killed_training_goes_on_with_the_network_it_was_at(
    made: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pause: str
) -> None:
    """With long pauses between checkpoints, the second network begins anew and what it had told is told again."""
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", pause)
    news: list[Progress] = []

    def kill(told: Progress) -> None:
        news.append(told)
        if told.update == UPDATES + 5:
            raise KilledError

    resumed = Run(tmp_path / "resumed")
    with pytest.raises(KilledError):
        train(CORPUS, config(seed=1), resumed.path, observe=kill)
    assert [member.is_finished for member in resumed.members] == [True, False]
    assert (resumes_at(resumed) is None) == (pause == "1000")
    with pytest.raises(RunError, match="did not finish"):
        Translator.load(resumed.path)
    first = resumed.member(0).weights.stat().st_mtime_ns
    news.clear()
    train(CORPUS, config(seed=1), resumed.path, observe=news.append)
    assert resumed.member(0).weights.stat().st_mtime_ns == first
    for ours, theirs in zip(resumed.members, made.members, strict=True):
        expected, found = weights_of(theirs.path), weights_of(ours.path)
        assert all(torch.equal(expected[name], found[name]) for name in expected)
    assert _updates(resumed) == _updates(made)
    assert len(_updates(made)) == 3 * 6
    assert [told.share for told in news] == sorted(told.share for told in news)
    assert news[-1].share == 1.0
    assert resumed.read_json("result.json")["updates"] == 3 * UPDATES


def _updates(run: Run) -> list[int]:
    lines = (run.path / "metrics.jsonl").read_text().splitlines()
    return [json.loads(line)["update"] for line in lines]


def test_a_stopped_training_keeps_the_networks_that_are_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", "0")
    for stop_at, left in ((5, 1), (2 * UPDATES + 5, 2)):

        def kill(told: Progress, at: int = stop_at) -> None:
            if told.update == at:
                raise KilledError

        run = Run(tmp_path / str(stop_at))
        with pytest.raises(KilledError):
            train(CORPUS, config(), run.path, observe=kill)
        assert can_be_kept(run)
        keep(run)
        result = run.read_json("result.json")
        assert (result["networks"], result["stopped_by"]) == (left, "person")
        assert Translator.load(run.path).translate_tokens([EXAMPLES[0].source])


def test_a_time_budget_is_for_all_networks(tmp_path: Path) -> None:
    began = time.monotonic()
    run = train(CORPUS, config(epochs=0, seconds=3.0), tmp_path / "run")
    assert time.monotonic() - began < 15
    each = [member.read_json("result.json") for member in run.members]
    assert [result["stopped_by"] for result in each] == ["time"] * 3
    assert all(result["seconds"] < 2.5 for result in each)


def test_damage_to_one_network_is_found_and_mended(tmp_path: Path) -> None:
    run = train(CORPUS, config(networks=2), tmp_path / "run")
    assert {finding.state for finding in examine(run.path)} == {SOUND}
    weights = run.member(1).weights
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(DamagedError, match=r"networks.1.model\.safetensors"):
        Translator.load(run.path)
    name = str(Path("networks", "1", "model.safetensors"))
    assert {f.file: f.state for f in examine(run.path)}[name] == DAMAGED
    assert {f.file: f.state for f in examine(run.path, mend=True)}[name] == SET_ASIDE
    first = run.member(0).weights.stat().st_mtime_ns
    train(CORPUS, config(networks=2), run.path)
    assert weights.read_bytes() == whole
    assert run.member(0).weights.stat().st_mtime_ns == first
    Translator.load(run.path)


def test_a_pipe_in_the_place_of_weights_is_named(made: Run, tmp_path: Path) -> None:
    run = Run(shutil.copytree(made.path, tmp_path / "run"))
    run.member(2).weights.unlink()
    os.mkfifo(run.member(2).weights)
    with pytest.raises(RunError, match="a pipe"):
        Translator.load(run.path)


def test_the_studio_shows_one_run(made: Run) -> None:
    library = Library(made.path.parent)
    (card,) = library.cards()
    assert (card.path, card.state) == ("run", "finished")
    assert len(library.curve("run")) == 3 * 6


def test_a_network_that_begins_is_not_taken_for_one_that_is_not_done(made: Run, tmp_path: Path) -> None:
    """The loss jumps up where the next network begins, and falls to where the one before ended."""
    run = Run(shutil.copytree(made.path, tmp_path / "run"))
    last = run.members[-1]
    for each in (run, last):
        each.cut_metrics(0)
    for update in range(1, 31):
        loss = 2.0 if update % 10 < 9 else 1.0
        run.append_metrics({"update": update, "loss": loss})
        last.append_metrics({"update": update, "loss": 1.0})
    assert not any("not done" in step for step in next_steps(run, "colors"))
    for update in range(31, 41):
        last.append_metrics({"update": update, "loss": 30 / update})
    last.append_metrics({"update": 41, "loss": 0.1})
    assert any("not done" in step for step in next_steps(run, "colors"))


def test_what_cannot_be_is_refused() -> None:
    for networks in (0, 101):
        with pytest.raises(ConfigError, match=r"training\.networks"):
            config(networks=networks)
    sound = config()
    with pytest.raises(ConfigError, match="share one lexicon"):
        dataclasses.replace(sound, lexicon=dataclasses.replace(sound.lexicon, trained=True, temperature=0.1))


def test_the_command(tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = CliRunner().invoke(
        app,
        [
            *("train", "colors", "--preset", "fast", "--out", str(run)),
            "--networks=2",
            "--set=training.epochs=2",
        ],
    )
    assert done.exit_code == 0, done.output
    assert [member.is_finished for member in Run(run).members] == [True, True]
    asked = CliRunner().invoke(app, ["translate", str(run)], input="dax fep\n")
    assert asked.exit_code == 0, asked.output
