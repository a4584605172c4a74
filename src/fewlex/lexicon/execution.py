"""Where the work on a large corpus is done: threads of this process, or Ray tasks on a cluster.

Counting and the E-step are sums over chunks of the corpus. A store keeps the chunks, out of memory, close to
where they are worked on, and hands the results over in the order of the corpus: the sums do not depend on the
number of workers or on the backend. Knows nothing of what a chunk holds but that it is a tuple of arrays.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from fewlex.errors import ConfigError, did_you_mean

Item = TypeVar("Item", bound=tuple[npt.NDArray[Any], ...])
Result = TypeVar("Result")
OnProgress: TypeAlias = Callable[[str, int, int | None], None]
"""Told the stage, what is done of it, and how much there is, where that is known."""


class Store(Protocol, Generic[Item]):
    """Chunks of a corpus, and the workers that work on them."""

    def __enter__(self) -> Store[Item]: ...

    def __exit__(self, *error: object) -> None: ...

    def __len__(self) -> int: ...

    def add(self, make: Callable[..., Item], *arguments: object) -> None:
        """Keep what `make` returns."""

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        """What the function returns for each chunk, in the order in which they were added."""

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        """Put what the function returns for each chunk in its place."""


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
        return BACKENDS[self.backend](self.worker_count)

    def report(self, stage: str, done: int, total: int | None = None) -> None:
        if self.on_progress:
            self.on_progress(stage, done, total)

    def follow(self, stage: str, results: Iterator[Result], total: int) -> Iterator[Result]:
        """The same results, each reported as it passes."""
        for done, result in enumerate(results, start=1):
            yield result
            self.report(stage, done, total)


class ThreadStore(Generic[Item]):
    """Chunks in temporary files; numpy lets threads run side by side in all that takes long."""

    def __init__(self, workers: int) -> None:
        self._window = 2 * workers
        self._kinds: dict[Path, type[Item]] = {}
        self._adding: deque[Future[None]] = deque()
        self._stack = ExitStack()
        self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="fewlex-")))
        self._pool = self._stack.enter_context(ThreadPoolExecutor(workers))

    def __enter__(self) -> ThreadStore[Item]:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return len(self._kinds)

    def add(self, make: Callable[..., Item], *arguments: object) -> None:
        while len(self._adding) > self._window:  # whoever reads the corpus must not run away from the workers
            self._adding.popleft().result()
        path = self._folder / str(len(self._kinds))
        self._kinds[path] = tuple  # type: ignore[assignment]  # to be known when it is made
        self._adding.append(self._pool.submit(self._make, path, make, arguments))

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        while self._adding:
            self._adding.popleft().result()
        waiting: deque[Future[Result]] = deque()
        for path in self._kinds:
            waiting.append(self._pool.submit(self._work, path, function, shared))
            if len(waiting) > self._window:  # results wait for whoever sums them: not too many at a time
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        def work(item: Item, path: Path) -> None:
            self._make(path, function, (item, *shared))

        while self._adding:
            self._adding.popleft().result()
        for done in [self._pool.submit(lambda p: work(self._read(p), p), path) for path in self._kinds]:
            done.result()

    def _make(self, path: Path, make: Callable[..., Item], arguments: tuple[object, ...]) -> None:
        item = make(*arguments)
        self._kinds[path] = type(item)
        with path.open("wb") as file:
            for array in item:
                np.lib.format.write_array(file, array, allow_pickle=False)

    def _read(self, path: Path) -> Item:
        kind = self._kinds[path]
        with path.open("rb") as file:
            arrays = [
                np.lib.format.read_array(file, allow_pickle=False)
                for _ in range(len(kind._fields))  # type: ignore[attr-defined]  # a named tuple
            ]
        return kind(*arrays)

    def _work(self, path: Path, function: Callable[..., Result], shared: tuple[object, ...]) -> Result:
        return function(self._read(path), *shared)


class RayStore(Generic[Item]):
    """Chunks in the object store of a Ray cluster, which moves them to disk where memory is short."""

    def __init__(self, workers: int) -> None:
        try:
            import ray
        except ModuleNotFoundError as error:
            raise ConfigError(
                "the backend 'ray' needs Ray, which is not installed. Run: pip install \"fewlex[cluster]\""
            ) from error
        if not ray.is_initialized():
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        self._ray: Any = ray
        self._window = 2 * workers
        self._items: list[Any] = []

    def __enter__(self) -> RayStore[Item]:
        return self

    def __exit__(self, *error: object) -> None:
        self._items.clear()  # Ray frees what nobody refers to; the cluster stays up for the next store

    def __len__(self) -> int:
        return len(self._items)

    def add(self, make: Callable[..., Item], *arguments: object) -> None:
        unfinished = self._items[-self._window :]
        if len(unfinished) == self._window:
            self._ray.wait(unfinished[:1])
        self._items.append(self._ray.remote(make).remote(*arguments))

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        task, shared_once = self._ray.remote(function), [self._ray.put(value) for value in shared]
        waiting: deque[Any] = deque()
        for item in self._items:
            waiting.append(task.remote(item, *shared_once))
            if len(waiting) > self._window:
                yield self._ray.get(waiting.popleft())
        while waiting:
            yield self._ray.get(waiting.popleft())

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        task, shared_once = self._ray.remote(function), [self._ray.put(value) for value in shared]
        self._items = [task.remote(item, *shared_once) for item in self._items]


BACKENDS: dict[str, Callable[[int], Store[Any]]] = {"threads": ThreadStore, "ray": RayStore}
