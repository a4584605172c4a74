"""What the Markov chains have found together, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fewlex.lexicon.entry import Entry, Line


@dataclass(frozen=True, eq=False)
class Posterior:
    """The probability of each entry, and the traces from which one can see whether the chains agree."""

    probs: dict[tuple[str, str], float]  # p((v, w) ∈ ℓ | corpus)
    dice: dict[tuple[str, str], float]
    traces: tuple[tuple[float, ...], ...]  # log p(ℓ, corpus) of each sample of each chain
    sizes: tuple[tuple[int, ...], ...]  # |ℓ| of each sample of each chain
    acceptance_rate: float

    @property
    def r_hat(self) -> float:
        """The split R̂ of log p(ℓ, corpus), which is near 1 if the chains agree."""
        return split_r_hat(self.traces)

    def lines(self) -> Iterator[Line]:
        """The entries as lines of a lexicon."""
        for (source, target), prob in self.probs.items():
            yield source, target, Entry(prob, "bayesian", self.dice[source, target])


def split_r_hat(traces: Sequence[Sequence[float]]) -> float:
    """√((W (n − 1)/n + B/n) / W) over the halves of all chains (Gelman et al.); 1 if nothing varies.

    A value above about 1.01 says that the chains have not mixed. It is infinite if each chain stands still, but at
    another place than the others.
    """
    half = min(map(len, traces)) // 2
    if half < 2:
        return float("nan")
    parts = np.array([part for trace in traces for part in (trace[:half], trace[-half:])])
    within = float(parts.var(axis=1, ddof=1).mean())
    between = float(parts.mean(axis=1).var(ddof=1))
    if within == 0:
        return 1.0 if between == 0 else float("inf")
    return float(np.sqrt((within * (half - 1) / half + between) / within))
