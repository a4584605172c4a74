"""How a learner may use the machine: threads of this process, or Ray tasks on a cluster, and whom to tell.

Counting and the E-step are sums over chunks of the corpus, and Markov chains do not talk to each other: all of
them can be spread over workers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fewlex.cluster import connected_ray
from fewlex.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from fewlex.lexicon.stores import Store

Item = TypeVar("Item")
Result = TypeVar("Result")
OnProgress: TypeAlias = Callable[[str, int, int | None], None]
"""Told the stage, what is done of it, and how much there is, where that is known."""

BACKENDS = ("threads", "ray")


@dataclass(frozen=True)
class Execution:
    """How a learner may use the machine: `threads` or `ray`, how many workers (0 = all cores), whom to tell."""

    backend: str = "threads"
    workers: int = 0
    on_progress: OnProgress | None = None

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise ConfigError(f"there is no backend {self.backend!r}. {did_you_mean(self.backend, BACKENDS)}")
        if self.workers < 0:
            raise ConfigError(
                f"workers = {self.workers} makes no sense. Give at least 1, or 0 for all cores."
            )

    @property
    def worker_count(self) -> int:
        return self.workers or os.cpu_count() or 1

    def store(self) -> Store[Any]:
        from fewlex.lexicon.stores import STORES  # numpy loads when something is learned

        return STORES[self.backend](self.worker_count)

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """What the function returns for each item, worked on side by side."""
        if self.backend == "ray":
            ray = connected_ray(self.worker_count)
            task, shared = ray.remote(_call), ray.put(function)
            results: list[Result] = ray.get([task.remote(shared, item) for item in items])
            return results
        with ThreadPoolExecutor(self.worker_count) as pool:
            return list(pool.map(function, items))

    def report(self, stage: str, done: int, total: int | None = None) -> None:
        if self.on_progress:
            self.on_progress(stage, done, total)

    def follow(self, stage: str, results: Iterator[Result], total: int) -> Iterator[Result]:
        """The same results, each reported as it passes."""
        for done, result in enumerate(results, start=1):
            yield result
            self.report(stage, done, total)


def _call(function: Callable[[Item], Result], item: Item) -> Result:
    return function(item)
