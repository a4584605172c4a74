"""The training sentences that a run keeps for its network to recall: memory.json (docs/memory.md). Needs no torch."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fewlex.data.example import Example
from fewlex.errors import RunError
from fewlex.run import Run
from fewlex.strict import StrictError, Within, checked

FILE = "memory.json"
MAX_REMEMBERED = 100_000
"""A run keeps at most this many sentences; of more, as many are drawn at random."""


@dataclass(frozen=True)
class Remembered:
    """Sentence pairs as the network reads and writes them, and how far they are trusted."""

    examples: tuple[Example, ...]
    trust: Mapping[str, Sequence[float]]
    """The weights of the judge that says how far to trust them at each step (`model/trust.py`)."""

    def write(self, run: Run) -> None:
        content = {
            "trust": {name: list(weights) for name, weights in self.trust.items()},
            "sources": [list(example.source) for example in self.examples],
            "targets": [list(example.target) for example in self.examples],
        }
        run.write_json(FILE, content, indent=None)  # with an indent, every token would have its own line

    @classmethod
    def read(cls, run: Run) -> Remembered | None:
        """The sentences of a run; None if its network recalls none."""
        if not (run.path / FILE).exists():
            return None
        try:
            told = checked(run.read_json(FILE), _Content)
            if len(told.sources) != len(told.targets):
                raise StrictError(f"there are {len(told.sources)} sources and {len(told.targets)} targets")
        except StrictError as error:
            raise damaged(run, error) from error
        pairs = zip(told.sources, told.targets, strict=True)
        examples = tuple(Example(tuple(source), tuple(target)) for source, target in pairs)
        return cls(examples, told.trust)


@dataclass(frozen=True)
class _Content:
    trust: dict[str, list[Annotated[float, Within(-1e6, 1e6)]]]
    sources: list[list[str]]
    targets: list[list[str]]


def damaged(run: Run, error: ValueError) -> RunError:
    """What is said of a memory that cannot be read."""
    cure = "Train the run again, or delete the file to translate without it."
    return RunError(f"{run.path / FILE}: damaged ({error}). {cure}")


def drawn(examples: Sequence[Example], most: int, seed: int) -> tuple[Example, ...]:
    """All examples, or `most` of them, in their order."""
    if len(examples) <= most:
        return tuple(examples)
    return tuple(examples[i] for i in sorted(random.Random(seed).sample(range(len(examples)), most)))
