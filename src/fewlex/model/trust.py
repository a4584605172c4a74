"""How far the memory is trusted at a step of a translation: a few clues, judged by a network of eight units.

A constant share would give the memory as much say where it knows nothing as where it has seen this very phrase. So
the share and the temperature of each step follow from what can be seen there (Zheng et al. 2021): how near the nearest
places are, whether they agree, and how sure the network is without them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

CLUES = 7
UNITS = 8
LEAST_DISTANCE = 1e-3
"""Squared distances below this are all the same place."""
EXTREME = 20.0
"""The judge's verdicts end here, so that shares and temperatures stay numbers that can be computed with."""
FIRST_SHARE, FIRST_TEMPERATURE = 0.3, 10.0
"""What a judge says before it has learned anything."""

Numbers = Mapping[str, Sequence[float]]
"""The weights of a judge by name, as a file keeps them."""


def clues(
    near: Float[Tensor, "rows near"], tokens: Int[Tensor, "rows near"], probs: Float[Tensor, "rows columns"]
) -> Float[Tensor, "rows clues"]:
    """What tells how good the memory is at a step: `near` has the squared distances of the nearest places, the nearest
    first, `tokens` what followed there, and `probs` what the network thinks of every token without the memory."""
    near = near.clamp_min(LEAST_DISTANCE).log()
    surest, choice = probs.max(1, keepdim=True)
    nearest = tokens[:, :1]
    return torch.cat(
        [
            near[:, :1],
            near[:, -1:] - near[:, :1],
            (tokens == nearest).float().mean(1, keepdim=True),
            (tokens == choice).float().mean(1, keepdim=True),
            (nearest == choice).float(),
            surest.clamp(1e-4, 1 - 1e-4).logit(),
            probs.gather(1, nearest).clamp_min(1e-6).log(),
        ],
        1,
    )


class Trust(nn.Module):
    """Judges from the clues of a step which part of the probability is the memory's."""

    def __init__(self, share: float = FIRST_SHARE, temperature: float = FIRST_TEMPERATURE) -> None:
        """A judge that has learned nothing: it says the same at every step, whatever the clues are."""
        super().__init__()
        self.units = nn.Linear(CLUES, UNITS)
        self.verdict = nn.Linear(UNITS, 2)
        with torch.no_grad():
            self.verdict.weight.zero_()
            self.verdict.bias[0] = torch.tensor(share).logit()
            self.verdict.bias[1] = torch.tensor(temperature).log()

    def forward(
        self, seen: Float[Tensor, "rows clues"]
    ) -> tuple[Float[Tensor, "rows 1"], Float[Tensor, "rows 1"]]:
        """The memory's share of the probability, and the temperature: a place counts exp(−d² / temperature)."""
        verdict = self.verdict(self.units(seen).tanh()).clamp(-EXTREME, EXTREME)
        return verdict[:, :1].sigmoid(), verdict[:, 1:].exp()

    def numbers(self) -> dict[str, list[float]]:
        """The weights, for a file."""
        return {name: weight.flatten().tolist() for name, weight in self.state_dict().items()}

    @classmethod
    def of_numbers(cls, numbers: Numbers) -> Trust:
        """The judge that has these weights. ValueError if they are not those of a judge."""
        trust = cls()
        wanted = {name: weight.numel() for name, weight in trust.state_dict().items()}
        if wanted != {name: len(values) for name, values in numbers.items()}:
            raise ValueError(f"trust must have {wanted}")
        with torch.no_grad():
            for name, weight in trust.state_dict().items():
                weight.copy_(torch.tensor(numbers[name]).view_as(weight))
        return trust.requires_grad_(False)
