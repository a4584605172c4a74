"""Small corpora for the lexicon tests, and the published ones where they are at hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fewlex.data.example import Example

COLORS_TRAIN = """
dax | RED
lug | BLUE
wif | GREEN
zup | YELLOW
lug fep | BLUE BLUE BLUE
dax fep | RED RED RED
lug blicket wif | BLUE GREEN BLUE
wif blicket dax | GREEN RED GREEN
lug kiki wif | GREEN BLUE
dax kiki lug | BLUE RED
lug fep kiki wif | GREEN BLUE BLUE BLUE
wif kiki dax blicket lug | RED BLUE RED GREEN
lug kiki wif fep | GREEN GREEN GREEN BLUE
wif blicket dax kiki lug | BLUE GREEN RED GREEN
"""


def read_pairs(text: str) -> list[Example]:
    """Examples from lines of the form `source | target`."""
    sides = [line.split("|") for line in text.strip().splitlines()]
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in sides]


@pytest.fixture(scope="session")
def pairs() -> Callable[[str], list[Example]]:
    return read_pairs


@pytest.fixture
def colors() -> list[Example]:
    return read_pairs(COLORS_TRAIN)


@pytest.fixture(scope="session")
def published() -> Path:
    folder = os.environ.get("FEWLEX_DATA")
    if not folder:
        pytest.skip("FEWLEX_DATA is not set: the published data are not at hand")
    return Path(folder)


@pytest.fixture(scope="session")
def published_train(published: Path) -> Callable[[str], list[Example]]:
    """The training examples of `cogs`, `eng-cmn` or a SCAN split, straight from the published file."""

    def read(name: str) -> list[Example]:
        if name in ("cogs", "eng-cmn"):
            lines = (published / name / "train.tsv").read_text().splitlines()
            return read_pairs("\n".join(" | ".join(line.split("\t")[:2]) for line in lines))
        lines = (published / "scan" / f"tasks_train_{name}.txt").read_text().splitlines()
        return read_pairs("\n".join(line.removeprefix("IN: ").replace(" OUT: ", " | ") for line in lines))

    return read
