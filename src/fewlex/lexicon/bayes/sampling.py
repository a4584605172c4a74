"""Running the Markov chains, and putting together what they have seen (§4.1, appendix C)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fewlex.lexicon.bayes.metropolis import Chain, Problem
from fewlex.lexicon.bayes.posterior import Posterior
from fewlex.lexicon.bayes.referential import Sentences
from fewlex.lexicon.bayes.settings import BayesianSettings
from fewlex.lexicon.counts import Counts
from fewlex.lexicon.execution import Execution

if TYPE_CHECKING:
    from fewlex.data.example import Example


def sample_posterior(
    examples: Iterable[Example],
    settings: BayesianSettings | None = None,
    *,
    state: Path | str = "",
    execution: Execution | None = None,
) -> Posterior:
    """Run the chains, and count for each entry how many of their samples contain it.

    `state` is a folder in which the chains keep their state, so that they can go on after they were killed.
    """
    settings, execution = settings or BayesianSettings(), execution or Execution()
    problem, counts = _problem(examples, settings)
    folder = Path(state) if state else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    # The observer of progress lives in this process, so chains on other machines cannot report to it.
    observer = execution if execution.backend == "threads" else None
    finished = execution.map(partial(_run_chain, problem, folder, observer), range(settings.chains))
    return _posterior(finished, counts, settings)


def _run_chain(problem: Problem, folder: Path | None, observer: Execution | None, number: int) -> Chain:
    """Run one chain to its end; it goes on from its saved state if the folder has one."""

    def tell(step: int) -> None:
        if observer is not None:
            observer.report(f"chain {number + 1}", step, problem.settings.steps)

    path = folder / f"chain-{number}.json" if folder is not None else None
    chain = Chain.resume(problem, number, path) if path is not None else Chain.start(problem, number)
    return chain.run(path, tell)


def _problem(examples: Iterable[Example], settings: BayesianSettings) -> tuple[Problem, Counts]:
    """The corpus in the two forms that sampling needs; both number the words by first appearance."""
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
    """The samples of all chains, taken together."""
    seen: Counter[int] = Counter()
    for chain in chains:
        seen.update(chain.seen)
    samples = settings.samples * settings.chains
    probs, dice = {}, {}
    for k in sorted(seen):
        v, w = int(counts.pair_source[k]), int(counts.pair_target[k])
        pair = counts.source_words[v], counts.target_words[w]
        probs[pair] = seen[k] / samples
        dice[pair] = float(2 * counts.cooccurrence[k] / (counts.source_count[v] + counts.target_count[w]))
    return Posterior(
        probs=probs,
        dice=dice,
        traces=tuple(tuple(chain.trace) for chain in chains),
        sizes=tuple(tuple(chain.sizes) for chain in chains),
        acceptance_rate=sum(chain.accepted for chain in chains) / (settings.steps * settings.chains),
    )
