"""The Bayesian learner of Frank et al. as a lexicon learner (§4.1): an entry weighs its posterior probability."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.lexicon.bayes.settings import BayesianSettings
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example


def learn_bayesian(
    examples: Iterable[Example],
    *,
    prior_strength: float = 2.0,
    referential_prob: float = 0.95,
    nonreferential_weight: float = 0.1,
    burn_in: int = 1000,
    thinning: int = 10,
    samples: int = 400,
    chains: int = 5,
    seed: int = 0,
    state: str = "",
    trace_plot: str = "",
    execution: Execution | None = None,
) -> Lexicon:
    """Every entry that was in a sampled lexicon, weighted by its posterior probability (§4.1).

    `state` is a folder in which the chains keep their state, so that they can go on after they were killed.
    `trace_plot` is a .png, .svg or .pdf file into which the chains are drawn.
    """
    from fewlex.lexicon.bayes.sampling import sample_posterior  # so that numpy loads only when needed

    settings = BayesianSettings(
        prior_strength, referential_prob, nonreferential_weight, burn_in, thinning, samples, chains, seed
    )
    posterior = sample_posterior(examples, settings, state=state, execution=execution)
    if trace_plot:
        from fewlex.lexicon.bayes.trace_plot import plot_traces

        plot_traces(posterior, trace_plot)
    figures = {"acceptance_rate": posterior.acceptance_rate, "r_hat": posterior.r_hat}
    return Lexicon(posterior.lines(), figures)
