"""Several processes that train one model together, started by `torchrun`; on its own, a process is the only worker.

Every worker goes through the same batches and takes its own rows of each. The loss is divided by the size of the whole
batch and the gradients of all workers are summed, so every worker makes the update that a single process would make.
`DistributedDataParallel` does not fit: it wraps `forward`, but we train on `loss`; and it averages over workers, which
would weigh tokens differently where shares are uneven. One sum over all gradients is enough.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

from fewlex.errors import RunError

PATIENCE = timedelta(hours=1)
"""How long a worker waits for the others. It is long because the first worker may be learning the lexicon meanwhile."""

Row = TypeVar("Row")


def is_first_worker() -> bool:
    """True in the process that writes files and reports progress."""
    return int(os.environ.get("RANK", "0")) == 0


@dataclass(frozen=True)
class Workers:
    """The workers of a training run, from the view of one of them."""

    rank: int
    """The number of this worker, counted from 0. The first one writes files and reports."""
    count: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def own(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The share of this worker, which may be empty. It takes every n-th row, because neighbours are of similar
        length."""
        return rows[self.rank :: self.count]

    def sum(self, numbers: Sequence[float]) -> list[float]:
        """The sum of each number over all workers."""
        if self.count == 1:
            return list(numbers)
        total: list[float] = self._sum(
            torch.tensor(numbers, dtype=torch.float64, device=self.device)
        ).tolist()
        return total

    def agree(self, number: float) -> float:
        """The first worker's number."""
        return self.sum([number if self.is_first else 0.0])[0]

    def wait(self) -> None:
        """Wait until all workers have come here."""
        self.sum([0.0])

    def sum_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Replace the gradients of this worker by the sum over all workers. One message carries all of them."""
        if self.count == 1:
            return
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        own = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]  # None if it had no rows
        total = self._sum(torch.cat([gradient.flatten() for gradient in own]))
        parts = torch.split_with_sizes(total, [gradient.numel() for gradient in own])
        for parameter, part in zip(trained, parts, strict=True):
            parameter.grad = part.view_as(parameter)

    def _sum(self, tensor: Tensor) -> Tensor:
        try:
            dist.all_reduce(tensor)
        except RuntimeError as error:
            raise RunError(
                f"worker {self.rank} has lost the others: one of them stopped, and its message says why ({error})."
            ) from error
        return tensor


@contextmanager
def join_workers(device: str) -> Iterator[Workers]:
    """The workers that torchrun has started. They stay connected until the block ends."""
    here = torch.device(device)
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Workers(0, 1, here)
        return
    if device == "cuda":  # each worker of a machine has a GPU of its own
        here = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(here)
    dist.init_process_group("nccl" if here.type == "cuda" else "gloo", timeout=PATIENCE)
    try:
        yield Workers(dist.get_rank(), count, here)
    finally:
        dist.destroy_process_group()
