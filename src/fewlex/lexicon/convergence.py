"""Whether Markov chains have come to agree: split R̂, and their traces to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fewlex.errors import LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon.view import FIGURE_FORMATS

if TYPE_CHECKING:
    from fewlex.lexicon.bayesian import Posterior


def split_r_hat(traces: Sequence[Sequence[float]]) -> float:
    """√((W (n − 1)/n + B/n) / W) over the halves of all chains (Gelman et al.); 1 where nothing varies.

    Above about 1.01 the chains have not mixed; infinite if they stand still at different places.
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


def plot_traces(posterior: Posterior, path: Path | str) -> None:
    """Draw log p(ℓ, corpus) and |ℓ| over the samples, one line for each chain."""
    from matplotlib.figure import Figure

    path = Path(path)
    image_format = path.suffix.removeprefix(".").lower()
    if image_format not in FIGURE_FORMATS:
        raise LexiconError(
            f"{path}: a plot is a {', '.join(FIGURE_FORMATS)} file. Give its name such an ending."
        )
    figure = Figure(figsize=(7, 5), layout="constrained")
    above, below = figure.subplots(2, sharex=True)
    for number, (trace, sizes) in enumerate(zip(posterior.traces, posterior.sizes, strict=True)):
        above.plot(trace, linewidth=0.8, label=f"chain {number + 1}")
        below.plot(sizes, linewidth=0.8)
    above.set_ylabel("log p(ℓ, corpus)")
    below.set_ylabel("entries |ℓ|")
    below.set_xlabel("sample")
    above.legend(fontsize=7, ncols=5, frameon=False)
    figure.suptitle(
        f"acceptance {posterior.acceptance_rate:.1%} · split R̂ {posterior.r_hat:.3f}", fontsize=10
    )
    with atomic_write(path) as file:
        figure.savefig(file, format=image_format, dpi=150)
