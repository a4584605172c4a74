"""Several processes that train one model together, started by `torchrun`; on its own, a process is the only worker.

Every worker goes through the same batches and takes its own rows of each. Gradients are summed, the loss having been
divided by the size of the whole batch, so all workers make the same update, and it is the one that a single
process would make. `DistributedDataParallel` is not used: it wraps `forward` where we train on `loss`, and averages
over workers, which weighs the tokens of uneven shares differently. One sum over all gradients does what is meant.
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
"""How long a worker waits for the others, one of which may be learning the lexicon meanwhile."""

Row = TypeVar("Row")


def is_first_worker() -> bool:
    """Whether this process is the one that writes and talks."""
    return int(os.environ.get("RANK", "0")) == 0


@dataclass(frozen=True)
class Workers:
    """All workers, as seen by one of them."""

    rank: int
    """This worker's number, from 0; the first one writes files and reports."""
    count: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def own(self, rows: Sequence[Row]) -> Sequence[Row]:
        """This worker's share: every n-th, since neighbours in a batch are of similar length. May be empty."""
        return rows[self.rank :: self.count]

    def sum(self, numbers: Sequence[float]) -> list[float]:
        """Of each number, the sum over all workers."""
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
        """Until all workers are here."""
        self.sum([0.0])

    def sum_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Put the sum of all workers' gradients in the place of this worker's, in one message."""
        if self.count == 1:
            return
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        own = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]  # no rows, no gradient
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
    """The workers that torchrun has started, connected for as long as the block lasts."""
    here = torch.device(device)
    count = int(os.environ.get("WORLD_SIZE", "1"))
    if count == 1:
        yield Workers(0, 1, here)
        return
    if device == "cuda":  # each worker of a machine has its own
        here = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(here)
    dist.init_process_group("nccl" if here.type == "cuda" else "gloo", timeout=PATIENCE)
    try:
        yield Workers(dist.get_rank(), count, here)
    finally:
        dist.destroy_process_group()
