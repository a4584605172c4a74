"""A small trained run, and servers on loopback that answer for copies of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

import fewlex
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.lock import exclusive
from fewlex.run import Run
from fewlex.serve.guard import Access
from fewlex.serve.limits import Limits
from tests.serve.running import Running, serving


@pytest.fixture(scope="session")
def colors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Colors, learned in a few seconds by whichever test process comes first. Tests that edit take a copy: `run`."""
    folder = (
        tmp_path_factory.getbasetemp().parent / f"{os.environ.get('PYTEST_XDIST_TESTRUNUID', os.getpid())}"
    )
    folder.mkdir(exist_ok=True)
    with exclusive(folder / "lock", patience=300):
        run = Run(folder / "colors")
        if not run.is_finished:
            config = fewlex.build_config("fast", "colors", seed=0, settings=["training.epochs=100"])
            fewlex.train(fewlex.load("colors"), config, run.path)
    return run.path


@pytest.fixture
def run(colors: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(colors, tmp_path / "colors"))


@pytest.fixture(scope="session")
def walking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of rules alone."""
    verbs = {"walk": "WALK", "run": "RUN", "look": "LOOK", "jump": "JUMP"}
    times = {"": 1, " twice": 2, " thrice": 3}
    examples = tuple(
        Example(tuple((verb + word).split()), (target,) * count)
        for verb, target in verbs.items()
        for word, count in times.items()
        if (verb, word) != ("jump", " thrice")
    )
    folder = tmp_path_factory.mktemp("rules") / "walking"
    return fewlex.train(Corpus("walking", {"train": examples}), fewlex.build_config("rules"), folder).path


Start = Callable[..., Running]


@pytest.fixture
def start(run: Path) -> Iterator[Start]:
    """Starts a server for `run`, or for the given folders, with other limits or another access where wanted."""
    stops = []

    def begin(*runs: Path, access: Access | None = None, limits: Limits | None = None) -> Running:
        context = serving(runs or (run,), access, limits)
        stops.append(context)
        return context.__enter__()

    yield begin
    for context in stops:
        context.__exit__(None, None, None)


@pytest.fixture
def client(start: Start) -> httpx.Client:
    """A client of a server for `run`."""
    return start().client


@pytest.fixture(scope="session")
def reading(colors: Path) -> Iterator[httpx.Client]:
    """A client of one server for all tests that change nothing."""
    with serving((colors,)) as running:
        yield running.client
