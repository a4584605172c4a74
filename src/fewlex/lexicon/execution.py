"""How a learner uses the machine: with threads of this process or with Ray tasks on a cluster.

The counts and the E-step are sums over chunks of the corpus, and Markov chains do not depend on each other. Both kinds
of work can therefore be spread over workers.
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
"""A function that is told the stage, how much of it is done, and how much there is to do (None if unknown)."""

BACKENDS = ("threads", "ray")


@dataclass(frozen=True)
class Execution:
    """How a learner uses the machine: the backend, the number of workers (0 = all cores), and whom it tells."""

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
        """The number of workers, with 0 replaced by the number of cores."""
        return self.workers or os.cpu_count() or 1

    def store(self) -> Store[Any]:
        """An empty store for chunks of a corpus, with its workers."""
        from fewlex.lexicon.stores import STORES  # so that numpy loads only when needed

        return STORES[self.backend](self.worker_count)

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """What the function returns for each item; the items are worked on in parallel."""
        if self.backend == "ray":
            ray = connected_ray(self.worker_count)
            task, shared = ray.remote(_call), ray.put(function)
            results: list[Result] = ray.get([task.remote(shared, item) for item in items])
            return results
        with ThreadPoolExecutor(self.worker_count) as pool:
            return list(pool.map(function, items))

    def report(self, stage: str, done: int, total: int | None = None) -> None:
        """Tell of progress, if anyone wants to know."""
        if self.on_progress:
            self.on_progress(stage, done, total)

    def follow(self, stage: str, results: Iterator[Result], total: int) -> Iterator[Result]:
        """Pass the results on, and report each as progress."""
        for done, result in enumerate(results, start=1):
            yield result
            self.report(stage, done, total)


def _call(function: Callable[[Item], Result], item: Item) -> Result:
    return function(item)
