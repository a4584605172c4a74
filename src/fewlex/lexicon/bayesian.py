"""The Bayesian learner of Frank et al. as in §4.1: the posterior probability of each entry, by sampling lexicons."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fewlex.errors import ConfigError
from fewlex.lexicon.entry import Entry, Line
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.counts import Counts
    from fewlex.lexicon.metropolis import Chain, Problem


@dataclass(frozen=True)
class BayesianSettings:
    """The paper's values (appendix C); it does not say how many samples a run draws."""

    prior_strength: float = 2.0  # α
    referential_prob: float = 0.95  # γ
    nonreferential_weight: float = 0.1  # κ
    burn_in: int = 1000
    thinning: int = 10
    samples: int = 400  # of each chain
    chains: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        if not abs(self.prior_strength) < float("inf"):
            raise ConfigError(f"prior_strength = {self.prior_strength} is not finite. Give such as 2.")
        if not 0 < self.referential_prob < 1:
            raise ConfigError(
                f"referential_prob = {self.referential_prob} is not between 0 and 1. Give such as 0.95."
            )
        if not 0 < self.nonreferential_weight <= 1:
            raise ConfigError(
                f"nonreferential_weight = {self.nonreferential_weight} is not above 0 and up to 1. Give such as 0.1."
            )
        for name, least in (("burn_in", 0), ("thinning", 1), ("samples", 1), ("chains", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} = {getattr(self, name)} makes no sense. Give at least {least}.")

    @property
    def steps(self) -> int:
        return self.burn_in + self.thinning * self.samples


@dataclass(frozen=True, eq=False)
class Posterior:
    """What the chains have seen: the probability of each entry, and whether they agree."""

    probs: dict[tuple[str, str], float]  # p((v, w) ∈ ℓ | corpus)
    dice: dict[tuple[str, str], float]
    traces: tuple[tuple[float, ...], ...]  # log p(ℓ, corpus) of each sample of each chain
    sizes: tuple[tuple[int, ...], ...]  # |ℓ| of each sample of each chain
    acceptance_rate: float

    @property
    def r_hat(self) -> float:
        """The split R̂ of log p(ℓ, corpus): near 1 where the chains agree."""
        from fewlex.lexicon.convergence import split_r_hat

        return split_r_hat(self.traces)

    def lines(self) -> Iterator[Line]:
        for (source, target), prob in self.probs.items():
            yield source, target, Entry(prob, "bayesian", self.dice[source, target])


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

    `state` is a folder in which the chains keep where they are, to go on there if they are killed;
    `trace_plot` a .png, .svg or .pdf file to draw them in.
    """
    settings = BayesianSettings(
        prior_strength, referential_prob, nonreferential_weight, burn_in, thinning, samples, chains, seed
    )
    posterior = sample_posterior(examples, settings, state=state, execution=execution)
    if trace_plot:
        from fewlex.lexicon.convergence import plot_traces

        plot_traces(posterior, trace_plot)
    figures = {"acceptance_rate": posterior.acceptance_rate, "r_hat": posterior.r_hat}
    return Lexicon(posterior.lines(), figures)


def sample_posterior(
    examples: Iterable[Example],
    settings: BayesianSettings | None = None,
    *,
    state: Path | str = "",
    execution: Execution | None = None,
) -> Posterior:
    """Run the chains and count in how many of their samples each entry is."""
    settings, execution = settings or BayesianSettings(), execution or Execution()
    problem, counts = _problem(examples, settings)
    folder = Path(state) if state else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    # Who is told of progress lives in this process: other machines run in silence.
    observer = execution if execution.backend == "threads" else None
    finished = execution.map(partial(_run_chain, problem, folder, observer), range(settings.chains))
    return _posterior(finished, counts, settings)


def _run_chain(problem: Problem, folder: Path | None, observer: Execution | None, number: int) -> Chain:
    from fewlex.lexicon.metropolis import Chain

    def tell(step: int) -> None:
        if observer is not None:
            observer.report(f"chain {number + 1}", step, problem.settings.steps)

    path = folder / f"chain-{number}.json" if folder is not None else None
    chain = Chain.resume(problem, number, path) if path is not None else Chain.start(problem, number)
    return chain.run(path, tell)


def _problem(examples: Iterable[Example], settings: BayesianSettings) -> tuple[Problem, Counts]:
    """The corpus in the two forms that sampling needs; both number words by first appearance."""
    import numpy as np

    from fewlex.lexicon.counts import Counts
    from fewlex.lexicon.metropolis import Problem
    from fewlex.lexicon.referential import Sentences

    read = list(examples)
    counts, sentences = Counts.from_examples(read), Sentences.from_examples(read)
    digest = hashlib.sha256(json.dumps(asdict(settings)).encode())
    for part in (sentences.source_words, sentences.target_words):
        digest.update(json.dumps(part).encode())
    for array in (sentences.term_sentence, sentences.term_source, sentences.term_weight, counts.cooccurrence):
        digest.update(array.tobytes())
    cumulative = np.cumsum(counts.cooccurrence)
    problem = Problem(
        sentences, counts.pair_source, counts.pair_target, cumulative, settings, digest.hexdigest()
    )
    return problem, counts


def _posterior(chains: list[Chain], counts: Counts, settings: BayesianSettings) -> Posterior:
    seen: Counter[int] = Counter()
    for chain in chains:
        seen.update(chain.seen)
    samples = settings.samples * settings.chains
    pairs = {}
    dice = {}
    for k in sorted(seen):
        v, w = int(counts.pair_source[k]), int(counts.pair_target[k])
        pair = counts.source_words[v], counts.target_words[w]
        pairs[pair] = seen[k] / samples
        dice[pair] = float(2 * counts.cooccurrence[k] / (counts.source_count[v] + counts.target_count[w]))
    return Posterior(
        probs=pairs,
        dice=dice,
        traces=tuple(tuple(chain.trace) for chain in chains),
        sizes=tuple(tuple(chain.sizes) for chain in chains),
        acceptance_rate=sum(chain.accepted for chain in chains) / (settings.steps * settings.chains),
    )
