"""Chunks of a corpus that are kept outside of memory, and the workers that work on them: threads or Ray tasks.

A store returns results in the order of the corpus, so sums over them depend neither on the number of workers nor on the
backend. The only thing that a store knows about a chunk is that it is a named tuple of arrays.
"""

from __future__ import annotations

import io
import os
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
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


class Spool(Generic[Item]):
    """Chunks in one file without a name, which the system removes even if the process is killed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="fewlex-")  # noqa: SIM115  # closed by `close`
        self._places: dict[int, tuple[type[Item], int, int]] = {}
        self._end = 0
        self._lock = threading.Lock()

    def write(self, number: int, item: Item) -> None:
        content = io.BytesIO()
        for array in item:
            np.lib.format.write_array(content, array, allow_pickle=False)
        view = content.getbuffer()
        with self._lock:
            first, self._end = self._end, self._end + len(view)
            self._places[number] = type(item), first, len(view)
        written = 0
        while written < len(view):  # the system may write less than it was asked to
            written += os.pwrite(self._file.fileno(), view[written:], first + written)

    def read(self, number: int) -> Item:
        kind, first, size = self._places[number]
        content = io.BytesIO(os.pread(self._file.fileno(), size, first))
        arrays = [
            np.lib.format.read_array(content, allow_pickle=False)
            for _ in range(len(kind._fields))  # type: ignore[attr-defined]  # a named tuple
        ]
        return kind(*arrays)

    def close(self) -> None:
        self._file.close()


class ThreadStore(Generic[Item]):
    """Chunks in a temporary file. Threads are enough, since numpy lets them run in parallel wherever it takes long."""

    def __init__(self, workers: int) -> None:
        self._window = 2 * workers
        self._count = 0
        self._adding: deque[Future[None]] = deque()
        self._spool: Spool[Item] = Spool()
        self._pool = ThreadPoolExecutor(workers)

    def __enter__(self) -> ThreadStore[Item]:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown()
        self._spool.close()

    def __len__(self) -> int:
        return self._count

    def add(self, make: Callable[..., Item], *arguments: object) -> None:
        while len(self._adding) > self._window:  # reading must not outrun the workers and fill the memory
            self._adding.popleft().result()
        self._adding.append(self._pool.submit(self._make, self._count, make, arguments))
        self._count += 1

    def map(self, function: Callable[..., Result], *shared: object) -> Iterator[Result]:
        self._finish_adding()
        waiting: deque[Future[Result]] = deque()
        for number in range(self._count):
            waiting.append(self._pool.submit(self._work, number, function, shared))
            if len(waiting) > self._window:  # results wait in memory, so they must not become too many
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def replace(self, function: Callable[..., Item], *shared: object) -> None:
        self._finish_adding()
        new: Spool[Item] = Spool()

        def remake(number: int) -> None:
            new.write(number, function(self._spool.read(number), *shared))

        try:
            for remade in [self._pool.submit(remake, number) for number in range(self._count)]:
                remade.result()
        except BaseException:
            new.close()
            raise
        self._spool.close()
        self._spool = new

    def _finish_adding(self) -> None:
        while self._adding:
            self._adding.popleft().result()

    def _make(self, number: int, make: Callable[..., Item], arguments: tuple[object, ...]) -> None:
        self._spool.write(number, make(*arguments))

    def _work(self, number: int, function: Callable[..., Result], shared: tuple[object, ...]) -> Result:
        return function(self._spool.read(number), *shared)


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
