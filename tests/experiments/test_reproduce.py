"""`fewlex reproduce` and `fewlex report` from the outside: plan, kill, go on, report."""

from __future__ import annotations

import fcntl
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from safetensors import safe_open
from typer.testing import CliRunner

from fewlex.cli import app
from fewlex.errors import ConfigError
from fewlex.experiments.paper import METHODS, OURS
from tests.experiments.fabricated import fabricate

SMALL = ("--task", "colors", "--set", "training.epochs=3", "--set", "model.hidden=8")


def command(folder: Path, *options: str) -> list[str]:
    places = ("--results", str(folder / "results"), "--runs", str(folder / "runs"))
    return [sys.executable, "-m", "fewlex", "reproduce", *SMALL, *options, *places]


def reports(folder: Path) -> list[str]:
    names = [f"report{ending}" for ending in (".html", ".md", ".tex")]
    wanted = [option for name in names for option in ("--out", str(folder / name))]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "fewlex",
            "report",
            "--without-times",
            "--results",
            str(folder / "results"),
            *wanted,
        ],
        check=True,
        capture_output=True,
    )
    return [(folder / name).read_text() for name in names]


def test_a_dry_run_shows_the_plan_and_does_nothing(tmp_path: Path) -> None:
    results = tmp_path / "results"
    fabricate(results, "colors-lstm", 0, 0.5)
    options = ["--quick", "--dry-run", "--results", str(results), "--runs", str(tmp_path / "runs")]
    shown = CliRunner().invoke(app, ["reproduce", *options])
    assert shown.exit_code == 0
    assert "jump-bayesian" in shown.output
    assert "1 runs are done" in shown.output
    assert "15 runs, about" in shown.output
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        (["--set", "model.hidden=8"], "Give --results too"),
        (["--results", __file__], "Name a folder"),
        (["--runs", __file__], "Name a folder"),
    ],
)
def test_what_would_spoil_something_is_refused(options: list[str], cure: str) -> None:
    failed = CliRunner().invoke(app, ["reproduce", "--task", "colors", "--dry-run", *options])
    assert isinstance(failed.exception, ConfigError)
    assert cure in str(failed.exception)


def test_a_budget_that_no_run_fits_into(tmp_path: Path) -> None:
    places = ["--results", str(tmp_path / "results"), "--runs", str(tmp_path / "runs")]
    options = ["--preset", "paper", "--task", "jump", "--method", "lstm", "--seeds", "1", "--budget", "2h"]
    told = CliRunner().invoke(app, ["reproduce", *options, *places])
    assert told.exit_code == 0
    assert "1 of them will probably take longer than 2h, up to 10.0 h" in told.output


def test_a_report_has_a_known_ending(tmp_path: Path) -> None:
    failed = CliRunner().invoke(app, ["report", "--results", str(tmp_path), "--out", "report.doc"])
    assert isinstance(failed.exception, ConfigError)
    assert ".html, .md, .tex" in str(failed.exception)


def test_the_report_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    told = CliRunner().invoke(app, ["report", "--results", str(tmp_path), "--out", str(out)])
    assert told.exit_code == 0
    assert "There are no results" in told.output
    assert "There are no results" in out.read_text()


@pytest.mark.slow
def test_all_methods_on_colors(tmp_path: Path) -> None:
    """`--quick` in a smaller form: every method of Table 2, one seed, few epochs."""
    done = subprocess.run(command(tmp_path, "--quick"), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("test 0.") == 8, done.stdout
    again = subprocess.run(command(tmp_path, "--quick"), capture_output=True, text=True)
    assert "nothing to do" in again.stderr
    _, markdown, _ = reports(tmp_path)
    rows = [line for line in markdown.partition("## Table 3")[0].splitlines() if line.startswith("| ")]
    without_run = [row for row in rows if row.split(" | ")[1].startswith("–")]
    ours = [f"| *{METHODS[method].label}*" for method in OURS["colors"] if method != "fast-mapping"]
    assert [row.partition(" |")[0] for row in without_run] == ours, "which are not of the paper"


@pytest.mark.slow
def test_killed_at_ten_random_moments_the_report_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", "0.1")
    options = ("--method", "lstm", "--method", "simple", "--seeds", "2", "--set", "training.epochs=200")
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    started = time.monotonic()
    subprocess.run(command(undisturbed, *options), check=True, capture_output=True)
    whole = time.monotonic() - started

    rng = random.Random(0)
    left: list[tuple[Path, str]] = []
    for number in range(10):
        started = time.time()
        process = subprocess.Popen(
            command(killed, *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if number % 2:  # in training, which at any moment of the command would be hit by chance only
            while process.poll() is None and not is_training(killed / "runs", started):
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.5))
        else:
            time.sleep(rng.uniform(0.1, 0.5) * whole)
        process.kill()
        process.wait()
        left += checkpoints(killed / "runs")
    for _ in range(3):  # a process of the last killed command may be about to notice
        last = subprocess.run(command(killed, *options), check=True, capture_output=True, text=True)
    assert "nothing to do" in last.stderr
    assert reports(killed) == reports(undisturbed)
    assert not list((killed / "results").rglob("*.failed.json"))
    gone_on = 0
    for metrics, line in left:
        lines = metrics.read_text().splitlines()
        assert line in lines, "with its times: what a checkpoint has is not trained again"
        gone_on += line != lines[-1]
    assert gone_on, "no kill left a checkpoint of an unfinished training"


def is_training(runs: Path, since: float) -> bool:
    """Whether a run has written a checkpoint since then."""
    try:
        return any(path.stat().st_mtime > since for path in runs.rglob("checkpoint.safetensors"))
    except FileNotFoundError:  # the run has just ended
        return False


def checkpoints(runs: Path) -> list[tuple[Path, str]]:
    """The metrics of each run that was killed in training, and the last line of them that its checkpoint has."""
    for path in runs.rglob("*.lock"):
        with path.open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # not before the killed command's process has noticed
    found = []
    for checkpoint in runs.rglob("checkpoint.safetensors"):
        metrics = checkpoint.with_name("metrics.jsonl")
        with safe_open(checkpoint, "pt") as file:
            update = json.loads(file.metadata()["position"])["update"]
        lines = [line for line in metrics.read_text().splitlines() if json.loads(line)["update"] <= update]
        if lines and not checkpoint.with_name("result.json").exists():
            found.append((metrics, lines[-1]))
    return found
