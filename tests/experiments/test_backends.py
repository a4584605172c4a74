"""Runs are made here or on a cluster, within a budget, and whatever befalls one is told."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fewlex.errors import ConfigError
from fewlex.experiments.backends import LocalBackend, Outcome, RayBackend, carry_out, describe
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.paper import TASKS
from fewlex.experiments.plan import Job
from fewlex.experiments.results import read_result, read_results
from fewlex.experiments.runner import write_failure

QUICK = ("training.epochs=2", "model.hidden=8")


def job(seed: int = 0, *, settings: tuple[str, ...] = QUICK, seconds: float = 1.0) -> Job:
    experiment = Experiment("quick", "colors", "colors", "simple", settings=settings)
    return Job(experiment, seed, "missing", False, seconds)


class PretendBackend:
    """Jobs that take exactly as long as they were thought to."""

    def __init__(self, slots: int) -> None:
        self.slots, self.now = slots, 0.0
        self.ends: list[tuple[float, Job]] = []
        self.started: list[int] = []

    def start(self, job: Job) -> None:
        self.started.append(job.seed)
        self.ends.append((self.now + job.seconds, job))
        assert len(self.ends) <= self.slots

    def wait(self) -> Outcome:
        first = min(self.ends, key=lambda end: end[0])
        self.ends.remove(first)
        self.now = first[0]
        return Outcome(first[1])

    def stop(self) -> None:
        assert not self.ends


@pytest.mark.parametrize("slots", [1, 2, 5])
def test_all_jobs_are_run_in_order(slots: int) -> None:
    backend = PretendBackend(slots)
    told: list[Outcome] = []
    assert carry_out([job(seed) for seed in range(7)], backend, tell=told.append) == []
    assert backend.started == list(range(7))
    assert len(told) == 7


def test_no_run_is_started_that_would_not_fit() -> None:
    backend = PretendBackend(1)
    jobs = [job(seed, seconds=seconds) for seed, seconds in enumerate((4, 4, 9, 1, 4))]
    left = carry_out(jobs, backend, budget=10, clock=lambda: backend.now)
    assert backend.started == [0, 1, 3], "what is too long is passed over for what fits"
    assert [job.seed for job in left] == [2, 4]
    assert backend.now <= 10


def test_local_processes(tmp_path: Path) -> None:
    results = tmp_path / "results"
    told: list[Outcome] = []
    wrong = job(1, settings=("lexicon.method=nowhere.json",))
    backend = LocalBackend(results, tmp_path / "runs", processes=2)
    carry_out([job(0), wrong], backend, tell=told.append)
    assert read_result(results, "quick", 0).scores["test"]["examples"] == 10
    (failed,) = [outcome for outcome in told if outcome.error]
    (failure,) = read_results(results).failures["quick"]
    assert (failure.seed, failure.error) == (1, failed.error)
    assert "nowhere.json" in failure.error


def test_a_killed_process_is_a_failure(tmp_path: Path) -> None:
    write_failure(tmp_path / "results", job().experiment, 0, "the mistake of last week")
    backend = LocalBackend(tmp_path / "results", tmp_path / "runs", processes=1)
    backend.start(job(settings=("training.epochs=100000",)))
    (process,) = backend._processes
    assert process.pid is not None
    threading.Timer(0.5, os.kill, (process.pid, signal.SIGKILL)).start()
    assert "status -9" in backend.wait().error
    (failure,) = read_results(tmp_path / "results").failures["quick"]
    assert "status -9" in failure.error


def test_stopping_ends_what_runs(tmp_path: Path) -> None:
    backend = LocalBackend(tmp_path / "results", tmp_path / "runs", processes=1)
    backend.start(job(settings=("training.epochs=100000",)))
    (process,) = backend._processes
    started = time.monotonic()
    backend.stop()
    assert not process.is_alive()
    assert time.monotonic() - started < 30
    assert read_results(tmp_path / "results").failures == {}, "it can be continued"


def test_a_checkpoint_time_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEWLEX_CHECKPOINT_SECONDS", "often")
    backend = LocalBackend(tmp_path / "results", tmp_path / "runs", processes=1)
    backend.start(job())
    assert "FEWLEX_CHECKPOINT_SECONDS is 'often' in the environment. Set it to" in backend.wait().error


def test_errors_are_described() -> None:
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int("x")
    assert describe(caught.value).startswith("ValueError: invalid literal")
    assert "(test_backends.py:" in describe(caught.value)
    assert describe(ConfigError("plain words.")) == "plain words."


@pytest.fixture
def own_ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test does with Ray, it is no cluster of the user's and ends with the test."""
    ray = pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_ray_cluster_makes_the_same_results(tmp_path: Path) -> None:
    told: list[Outcome] = []
    backend = RayBackend(tmp_path / "ray", tmp_path / "ray-runs", processes=2)
    assert backend.slots == 2
    wrong = job(9, settings=("lexicon.method=nowhere.json",))
    carry_out([job(0), job(1), wrong], backend, tell=told.append)
    carry_out([job(0), job(1)], LocalBackend(tmp_path / "local", tmp_path / "runs", processes=1))
    for seed in (0, 1):
        here, there = (read_result(tmp_path / place, "quick", seed).content for place in ("local", "ray"))
        assert here["scores"] == there["scores"]
        assert here["curve"]["loss"] == there["curve"]["loss"]
    (failure,) = read_results(tmp_path / "ray").failures["quick"]
    assert "nowhere.json" in failure.error
    assert [outcome.job.seed for outcome in told if outcome.error] == [9]


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_the_memory_of_a_ray_run_is_its_own(tmp_path: Path) -> None:
    """Not that of the larger run before it."""
    large = job(0, settings=("training.epochs=1", "model.hidden=1024"))
    carry_out([large, job(1)], RayBackend(tmp_path / "results", tmp_path / "runs", processes=1))
    before, after = (
        read_result(tmp_path / "results", "quick", seed).content["training"]["peak_memory_mib"]
        for seed in (0, 1)
    )
    assert after < before - 100


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_run_that_no_machine_has_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray itself would wait for a larger machine, for ever."""
    places = (tmp_path / "results", tmp_path / "runs")
    cores = (os.cpu_count() or 1) + 2
    first = RayBackend(*places, threads=cores)
    assert first.slots == 1, "a Ray that is started here has the cores that a run asks for"
    with monkeypatch.context() as patch:
        patch.setitem(TASKS, "colors", replace(TASKS["colors"], memory_mib=10**8))
        with pytest.raises(
            ConfigError, match=rf"quick seed 0 needs {cores} cores and 100000000 MiB .*more memory"
        ):
            carry_out([job()], first)
    second = RayBackend(*places, threads=cores + 1)  # the Ray that runs already
    with pytest.raises(
        ConfigError, match=rf"needs {cores + 1} cores .* has {cores} cores .*--threads to {cores} "
    ):
        carry_out([job()], second)
    assert not places[0].exists(), "it is no failure of the run"


@pytest.mark.slow
@pytest.mark.usefixtures("own_ray")
@pytest.mark.filterwarnings("ignore")  # Ray's own
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("bogus", r"the address 'bogus' \(.*\)\. Give the host and port"),
        ("http://head:8265", r"the address 'http://head:8265' \(.*\)\. Give the host and port"),
        ("ray://127.0.0.1:9", "ray://127.0.0.1:9.* (Give|Start) "),
    ],
)
def test_an_address_without_a_ray_cluster(tmp_path: Path, address: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RayBackend(tmp_path / "results", tmp_path / "runs", address)
