"""The traces of the Markov chains as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fewlex.files import atomic_write
from fewlex.lexicon.view import figure_format

if TYPE_CHECKING:
    from fewlex.lexicon.bayes.posterior import Posterior


def plot_traces(posterior: Posterior, path: Path | str) -> None:
    """Draw log p(ℓ, corpus) and |ℓ| over the samples, with one line for each chain."""
    from matplotlib.figure import Figure

    image_format = figure_format(path)
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
