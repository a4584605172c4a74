"""Ray is started in one place, and never mistakes somebody else's cluster for its own."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fewlex.cluster import connected_ray
from fewlex.errors import ConfigError
from fewlex.experiments.backends import RayBackend
from fewlex.lexicon import Execution


class FakeRay(SimpleNamespace):
    """Takes note of how it was started. The real Ray starts in the slow tests of the backends and the learners."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__(started=[])
        self._error = error

    def is_initialized(self) -> bool:
        return bool(self.started)

    def init(self, **options: Any) -> None:
        if self._error is not None:
            raise self._error
        self.started.append(options)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 4.0}

    def remote(self, *functions: object, **options: object) -> Any:
        return lambda function: function

    def put(self, value: object) -> object:
        return value

    def get(self, values: object) -> object:
        return values


@pytest.fixture
def fake_ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    for name in ("RAY_ADDRESS", "FEWLEX_CACHE", "FEWLEX_MIRROR", "FEWLEX_CHECKPOINT_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FEWLEX_DATA", "/data")
    return ray


def start_a_store(tmp_path: Path) -> None:
    Execution("ray", workers=3).store()


def map_over_nothing(tmp_path: Path) -> None:
    Execution("ray", workers=3).map(str, [])


def start_a_backend(tmp_path: Path) -> None:
    RayBackend(tmp_path / "results", tmp_path / "runs", processes=3)


STARTERS = [start_a_store, map_over_nothing, start_a_backend]


@pytest.mark.parametrize("start", STARTERS, ids=lambda start: start.__name__)
def test_a_cluster_of_its_own(start: Any, fake_ray: FakeRay, tmp_path: Path) -> None:
    start(tmp_path)
    (options,) = fake_ray.started
    assert options["address"] == "local", "otherwise Ray joins a cluster that somebody else runs here"
    assert options["num_cpus"] == 3
    assert options["runtime_env"] == {"env_vars": {"FEWLEX_DATA": "/data"}}


@pytest.mark.parametrize("start", STARTERS, ids=lambda start: start.__name__)
def test_the_cluster_that_the_environment_names(
    start: Any, fake_ray: FakeRay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "head:6379")
    start(tmp_path)
    (options,) = fake_ray.started
    assert options["address"] == "head:6379"
    assert "num_cpus" not in options, "Ray refuses a number of cores for a cluster that exists"


def test_the_address_that_is_given_goes_before_the_environment(
    fake_ray: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "head:6379")
    connected_ray(1, "other:6379")
    assert fake_ray.started[0]["address"] == "other:6379"


def test_whoever_is_connected_stays_so(fake_ray: FakeRay) -> None:
    assert connected_ray(1) is connected_ray(2, "other:6379")
    assert len(fake_ray.started) == 1


@pytest.mark.parametrize(
    ("error", "message"),
    [(ConnectionError(), "no Ray cluster at head:1"), (ValueError("bad\n port"), r"'head:1' \(bad port\)")],
)
def test_an_address_without_a_cluster(
    error: Exception, message: str, fake_ray: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", FakeRay(error))
    with pytest.raises(ConfigError, match=message):
        connected_ray(1, "head:1")
