"""Chunks of a corpus that are kept outside of memory, and the workers that work on them: threads or Ray tasks.

A store returns results in the order of the corpus, so sums over them depend neither on the number of workers nor on the
backend. The only thing that a store knows about a chunk is that it is a named tuple of arrays.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from fewlex.cluster import connected_ray

Item = TypeVar("Item", bound=tuple[npt.NDArray[Any], ...])
Result = TypeVar("Result")


class Store(Protocol, Generic[Item]):
    """Chunks of a corpus, and the workers that work on them."""

    def __enter__(self) -> Store[Item]: ...

    def __exit__(self, *error: object) -> None: ...

    def __len__(self) -> int: ...

    def add(self, make: Callable[..., Item], *arguments: object) -> None:
        """Let a worker call `make`, and keep the chunk that it returns."""

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        """What the function returns for each chunk, in the order in which the chunks were added."""

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        """Replace each chunk by what the function returns for it."""


class ThreadStore(Generic[Item]):
    """Chunks in temporary files. Threads are enough, because numpy lets them run in parallel wherever it takes long."""

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
        while len(self._adding) > self._window:  # reading must not outrun the workers and fill the memory
            self._adding.popleft().result()
        path = self._folder / str(len(self._kinds))
        self._kinds[path] = tuple  # type: ignore[assignment]  # the type is known only when the chunk is made
        self._adding.append(self._pool.submit(self._make, path, make, arguments))

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        self._finish_adding()
        waiting: deque[Future[Result]] = deque()
        for path in self._kinds:
            waiting.append(self._pool.submit(self._work, path, function, shared))
            if len(waiting) > self._window:  # results wait in memory, so they must not become too many
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        def remake(path: Path) -> None:
            self._make(path, function, (self._read(path), *shared))

        self._finish_adding()
        for remade in [self._pool.submit(remake, path) for path in self._kinds]:
            remade.result()

    def _finish_adding(self) -> None:
        while self._adding:
            self._adding.popleft().result()

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
    """Chunks in the object store of a Ray cluster, which moves them to disk if memory is short."""

    def __init__(self, workers: int) -> None:
        self._ray = connected_ray(workers)
        self._window = 2 * workers
        self._items: list[Any] = []

    def __enter__(self) -> RayStore[Item]:
        return self

    def __exit__(self, *error: object) -> None:
        self._items.clear()  # Ray frees objects without references; the cluster stays up for the next store

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


STORES: dict[str, Callable[[int], Store[Any]]] = {"threads": ThreadStore, "ray": RayStore}
