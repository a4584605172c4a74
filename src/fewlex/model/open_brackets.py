"""Which brackets the outputs of a batch have opened, so that each is closed by its fellow before an output ends."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from jaxtyping import Float, Int
from torch import Tensor

from fewlex.data.vocabulary import EOS

Closers = Mapping[int, int]
"""The id of each opening bracket → the id of its closing bracket."""


class OpenBrackets:
    """A stack of open brackets for each row of a batch in decoding."""

    def __init__(self, closers: Closers, rows: int) -> None:
        self.closers = closers
        self.stacks: list[tuple[int, ...]] = [()] * rows

    def forbid(
        self, probs: Float[Tensor, "rows columns"], output_ids: Int[Tensor, " columns"], left: int
    ) -> None:
        """Set to 0, in place, what would break a pair: a foreign closing bracket, and an end with brackets open.

        Where only `left` tokens may still come, and these are needed to close what is open, nothing else may come.
        """
        wanted = torch.tensor([stack[-1] if stack else EOS for stack in self.stacks], device=probs.device)
        ends = torch.tensor(sorted({EOS, *self.closers.values()}), device=probs.device)
        column = torch.searchsorted(output_ids, ends)
        probs[:, column] *= ends == wanted[:, None]
        # What must come sooner or later may be improbable, but never impossible.
        place = torch.searchsorted(output_ids, wanted)[:, None]
        due = probs.gather(1, place).clamp_min(torch.finfo(probs.dtype).tiny)
        depth = torch.tensor([len(stack) for stack in self.stacks], device=probs.device)
        probs[(depth >= left) & (depth > 0)] = 0.0
        openers = torch.tensor(sorted(self.closers), device=probs.device)
        has_room = (depth + 2 <= left)[:, None]
        probs[:, torch.searchsorted(output_ids, openers)] *= has_room
        probs.scatter_(1, place, due)

    def read(self, token: Int[Tensor, " rows"], parent: Int[Tensor, " rows"] | None = None) -> None:
        """Take in the tokens that were chosen; `parent` says which row each of them goes on from."""
        from_rows = range(len(self.stacks)) if parent is None else parent.tolist()
        self.stacks = [
            self._after(self.stacks[row], chosen)
            for row, chosen in zip(from_rows, token.tolist(), strict=True)
        ]

    def keep(self, rows: Int[Tensor, " kept"]) -> None:
        self.stacks = [self.stacks[row] for row in rows.tolist()]

    def _after(self, stack: tuple[int, ...], token: int) -> tuple[int, ...]:
        if token in self.closers:
            return (*stack, self.closers[token])
        return stack[:-1] if stack and token == stack[-1] else stack
