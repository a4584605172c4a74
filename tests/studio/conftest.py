"""Runs for the studio to show: one that was trained hastily, for what needs no sense, and one that has learned."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import fewlex
from tests.studio.running import studio_at


def train_colors(folder: Path, *settings: str) -> Path:
    config = fewlex.build_config("fast", "colors", seed=0, settings=settings)
    return fewlex.train(fewlex.load("colors"), config, folder).path


@pytest.fixture(scope="session")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Colors after two passes: its lexicon is right, its sentences are not."""
    return train_colors(tmp_path_factory.mktemp("hasty") / "colors", "training.epochs=2")


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train_colors(tmp_path_factory.mktemp("trained") / "colors")


@pytest.fixture
def folder(hasty: Path, tmp_path: Path) -> Path:
    """A folder with one run, `colors`, that a test may change."""
    shutil.copytree(hasty, tmp_path / "runs" / "colors")
    return tmp_path / "runs"


@pytest.fixture
def client(folder: Path) -> Iterator[httpx.Client]:
    with studio_at(folder) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client
