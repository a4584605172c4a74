"""Requests that arrive together are decoded together.

One thread for each run waits for requests, gathers those that come together, and decodes them as one batch. The event
loop only waits for the outcome, so torch never keeps it from reading and answering.

Clients that were just answered mostly ask again, but their next requests trickle in while the answers go out. So a
batch waits until as many requests have come as were answered and were waiting when the last batch ended, or until
nobody has come for a moment. Otherwise two halves of the clients would take turns, each waiting for the other. Who asks
alone never waits.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeAlias

from fewlex.answer import Answer
from fewlex.knowledge import Knowledge
from fewlex.mind import Mind

PAUSE, LONGEST_WAIT = 0.15, 0.5
"""A batch waits no more once nobody has come for a pause, and it never waits longer than the second. Both are shares of
the time that the last batch took: on a busy machine requests trickle in more slowly, and the slower the network is, the
more is company worth."""
SHORTEST_PAUSE = 0.003
"""The pause is at least so many seconds long."""
BATCH_SENTENCES = 256


@dataclass(frozen=True)
class Snapshot:
    """A run as it is at one moment: rules and network that never change, and the version of its files."""

    mind: Mind
    version: str

    @property
    def knowledge(self) -> Knowledge:
        return self.mind.knowledge

    @property
    def rows(self) -> Mapping[str, Mapping[str, float]]:
        """The rows of the matrix L; a run without a network has none."""
        return {} if self.mind.network is None else self.mind.network.rows


@dataclass(frozen=True)
class Decoded:
    """The n-best answers to each sentence, and the run that gave them."""

    answers: list[list[Answer]]
    snapshot: Snapshot


@dataclass(frozen=True)
class Job:
    """Sentences of one request, in text or in tokens; `snapshot` = None means the run as it is when its turn comes."""

    sentences: Sequence[str | Sequence[str]]
    beam: int | None
    snapshot: Snapshot | None
    by: str
    outcome: Future[Decoded] = field(default_factory=Future)


Observe: TypeAlias = Callable[[int], None]
"""Told how many sentences a batch had."""


class Batcher:
    """The thread of one run. It must be closed, and then answers what it has accepted."""

    def __init__(self, current: Callable[[], Snapshot], observe: Observe = lambda sentences: None) -> None:
        self._current = current
        self._observe = observe
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="fewlex-batcher", daemon=True)
        self._thread.start()

    def submit(
        self,
        sentences: Sequence[str | Sequence[str]],
        beam: int | None = None,
        snapshot: Snapshot | None = None,
        by: str = "both",
    ) -> Future[Decoded]:
        """Put sentences into the queue; the future gets their answers. `by` says who is asked (`Mind`)."""
        job = Job(sentences, beam, snapshot, by)
        with self._closing:
            if self._is_closed:
                raise RuntimeError("the batcher is closed")
            self._jobs.put(job)
        return job.outcome

    def close(self) -> None:
        """Answer what is in the queue, and stop."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        company, took = 1, 0.0
        while True:
            jobs, is_last = self._gather(company, took)
            began = time.monotonic()
            groups: dict[tuple[object, ...], list[Job]] = defaultdict(list)
            for job in jobs:
                if job.outcome.set_running_or_notify_cancel():
                    groups[job.beam, job.by, id(job.snapshot)].append(job)
            for group in groups.values():
                self._decode(group)
            company, took = len(jobs) + self._jobs.qsize(), time.monotonic() - began
            if is_last:
                return

    def _gather(self, company: int, took: float) -> tuple[list[Job], bool]:
        """The jobs of the next batch, and whether they are the last ones.

        So many jobs, the `company`, were answered or waiting when the last batch ended, which `took` so many seconds.
        """
        first = self._jobs.get()
        if first is None:
            return [], True
        jobs, sentences = [first], len(first.sentences)
        pause, end = max(SHORTEST_PAUSE, PAUSE * took), time.monotonic() + LONGEST_WAIT * took
        while sentences < BATCH_SENTENCES:
            wait = min(pause, end - time.monotonic()) if len(jobs) < company else 0.0
            try:
                job = self._jobs.get(timeout=max(0.0, wait))
            except queue.Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
            sentences += len(job.sentences)
        return jobs, False

    def _decode(self, group: Sequence[Job]) -> None:
        """Decode all sentences of a group at once and hand each job its share."""
        try:
            snapshot = group[0].snapshot or self._current()
            read = snapshot.knowledge.form.source_tokens
            sources = [read(s) if isinstance(s, str) else s for job in group for s in job.sentences]
            answers = iter(snapshot.mind.answer(sources, group[0].beam, group[0].by, lambda done: None))
            self._observe(len(sources))
        except BaseException as error:  # whatever it is, those who wait must learn of it
            for job in group:
                job.outcome.set_exception(error)
            return
        for job in group:
            job.outcome.set_result(Decoded([next(answers) for _ in job.sentences], snapshot))
