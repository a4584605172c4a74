"""Small corpora for the lexicon tests, and the published ones where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fewlex.data import load
from fewlex.data.example import Example

Pairs = Callable[[str], list[Example]]
"""Makes examples of a text, or reads those of a name."""


def read_pairs(text: str) -> list[Example]:
    """Examples from lines of the form `source | target`."""
    sides = [line.split("|") for line in text.strip().splitlines()]
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in sides]


@pytest.fixture(scope="session")
def pairs() -> Pairs:
    return read_pairs


@pytest.fixture
def colors() -> list[Example]:
    return list(load("colors")["train"])


@pytest.fixture(scope="session")
def published_train(published: Path) -> Pairs:
    """The training examples of `cogs`, `eng-cmn` or a SCAN split, straight from the published file."""

    def read(name: str) -> list[Example]:
        if name in ("cogs", "eng-cmn"):
            lines = (published / name / "train.tsv").read_text().splitlines()
            return read_pairs("\n".join(" | ".join(line.split("\t")[:2]) for line in lines))
        lines = (published / "scan" / f"tasks_train_{name}.txt").read_text().splitlines()
        return read_pairs("\n".join(line.removeprefix("IN: ").replace(" OUT: ", " | ") for line in lines))

    return read
