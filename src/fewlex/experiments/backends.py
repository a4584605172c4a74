"""The backends that carry out runs: processes on this machine, one for each run, or tasks on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from fewlex.cluster import connected_ray
from fewlex.errors import ConfigError, FewlexError
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.paper import TASKS
from fewlex.experiments.plan import Job
from fewlex.experiments.results import failure_path, read_failure
from fewlex.experiments.runner import BusyRunError, make_run, run_one, write_failure, write_result

BUSY = 75
"""The exit status of a process that leaves its run alone, because another process works on it (EX_TEMPFAIL)."""


@dataclass(frozen=True)
class Outcome:
    job: Job
    error: str = ""
    """Why the run failed; empty if it succeeded."""
    is_busy: bool = False
    """True if nothing was done, because another process works on the run."""


class Backend(Protocol):
    slots: int

    def start(self, job: Job) -> None: ...

    def wait(self) -> Outcome:
        """Wait for the next run that ends. Its result or its failure has been written by then."""

    def stop(self) -> None:
        """Stop all runs that are going on. They can be continued later."""


def carry_out(
    jobs: Sequence[Job],
    backend: Backend,
    *,
    budget: float | None = None,
    tell: Callable[[Outcome], None] = lambda outcome: None,
    clock: Callable[[], float] = time.monotonic,
) -> list[Job]:
    """Run jobs in order, as many at a time as the backend has slots, and return those that did not fit into the budget.

    A job is not started if its estimate says that it would end after the budget (in seconds). A later job that fits is
    started in its place.
    """
    waiting, running, started = list(jobs), 0, clock()
    try:
        while waiting or running:
            left = None if budget is None else budget - (clock() - started)
            fitting = next((job for job in waiting if left is None or job.seconds <= left), None)
            if fitting is not None and running < backend.slots:
                waiting.remove(fitting)
                backend.start(fitting)
                running += 1
            elif running:
                tell(backend.wait())
                running -= 1
            else:
                break
    finally:
        backend.stop()
    return waiting


class LocalBackend:
    """Processes on this machine, each with its own threads.

    A process ends together with the one that started it, even if that one is killed.
    """

    def __init__(self, results: Path, runs: Path, processes: int = 0, threads: int = 1) -> None:
        self.results, self.runs, self.threads = results, runs, threads
        self.slots = processes or max(1, (os.cpu_count() or 1) // threads)
        self._processes: dict[BaseProcess, Job] = {}
        self._context = multiprocessing.get_context("spawn")

    def start(self, job: Job) -> None:
        arguments = (job.experiment, job.seed, self.results, self.runs, self.threads)
        # A file about an earlier failure would be mistaken for one about this run.
        failure_path(self.results, job.experiment.name, job.seed).unlink(missing_ok=True)
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        self._processes[process] = job

    def wait(self) -> Outcome:
        ended = multiprocessing.connection.wait([process.sentinel for process in self._processes])
        process = next(p for p in self._processes if p.sentinel in ended)
        process.join()
        job = self._processes.pop(process)
        if process.exitcode == BUSY:
            return Outcome(job, is_busy=True)
        if process.exitcode != 0:
            failure = read_failure(self.results, job.experiment.name, job.seed)
            if failure is None:  # The process died before it could write down why.
                error = (
                    f"the process ended with status {process.exitcode} (-9: killed, maybe for lack of memory)"
                )
                write_failure(self.results, job.experiment, job.seed, error)
                return Outcome(job, error)
            return Outcome(job, failure.error)
        return Outcome(job)

    def stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        self._processes.clear()


def _work(experiment: Experiment, seed: int, results: Path, runs: Path, threads: int) -> None:
    """Make one run in its own process and write a file about it, whether it succeeds or fails."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        run_one(experiment, seed, results, runs, threads)
    except BusyRunError:
        os._exit(BUSY)
    except KeyboardInterrupt:
        os._exit(130)
    except Exception as error:
        write_failure(results, experiment, seed, describe(error))
        os._exit(1)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def describe(error: BaseException) -> str:
    """An error as text. A user's mistake is told by its message, any other error with the place where it happened."""
    if isinstance(error, FewlexError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(place[0].filename).name}:{place[0].lineno})" if place else ""
    return f"{type(error).__name__}: {error}{where}"


class RayBackend:
    """Tasks on a Ray cluster. Each task reserves its threads and its memory there and sends its result back.

    Every machine of the cluster needs fewlex and the data. Run folders are on these machines, so an interrupted run can
    only be continued if `runs` is a path that they share.
    """

    def __init__(
        self, results: Path, runs: Path, address: str = "", processes: int = 0, threads: int = 1
    ) -> None:
        self.results, self.runs, self.threads = results, runs.absolute(), threads
        self._ray = connected_ray(processes * threads or max(os.cpu_count() or 1, threads), address)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        self.slots = processes or max(1, cores // threads)
        # Each run gets a new process, because the peak memory that a run reports is that of its whole process.
        self._make_run = self._ray.remote(max_calls=1, max_retries=0)(make_run)
        self._jobs: dict[Any, Job] = {}

    def start(self, job: Job) -> None:
        memory_mib = TASKS[job.experiment.task].memory_mib
        self._require_room(job, memory_mib)
        task = self._make_run.options(num_cpus=self.threads, memory=memory_mib * 2**20, name=job.name)
        self._jobs[task.remote(job.experiment, job.seed, self.runs, self.threads)] = job

    def wait(self) -> Outcome:
        (done,), _ = self._ray.wait(list(self._jobs), num_returns=1)
        job = self._jobs.pop(done)
        try:
            write_result(self.results, self._ray.get(done))
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None) or error
            if isinstance(cause, BusyRunError):
                return Outcome(job, is_busy=True)
            text = describe(cause)
            write_failure(self.results, job.experiment, job.seed, text)
            return Outcome(job, text)
        return Outcome(job)

    def stop(self) -> None:
        for task in self._jobs:
            self._ray.cancel(task, force=True)
        self._jobs.clear()

    def _require_room(self, job: Job, memory_mib: int) -> None:
        """Refuse a job that no machine is large enough for, because Ray would wait for ever and say nothing."""
        resources = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        machines = [(int(r.get("CPU", 0)), int(r.get("memory", 0)) // 2**20) for r in resources]
        enough_cores = [machine for machine in machines if machine[0] >= self.threads]
        if any(memory >= memory_mib for _, memory in enough_cores):
            return
        if enough_cores:
            cores, memory = max(enough_cores, key=lambda machine: machine[1])
            cure = "Add a machine with more memory, or start Ray again when more of it is free."
        else:
            cores, memory = max(machines, default=(0, 0))
            cure = f"Set --threads to {cores} or less, or add a larger machine." if cores else "Add one."
        raise ConfigError(
            f"{job.name} needs {self.threads} cores and {memory_mib} MiB on one machine, but the largest machine "
            f"of the Ray cluster has {cores} cores and {memory} MiB. {cure}"
        )
