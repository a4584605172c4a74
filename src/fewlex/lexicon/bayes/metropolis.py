"""Lexicons are drawn from their posterior by Metropolis–Hastings, as in §4.1 and appendix C.

Each step proposes, with probability ½ each, either to add an entry or to remove one. An entry to add is drawn in
proportion to the number of sentence pairs in which its two words occur together; an entry to remove is drawn uniformly.
If the entry to add is in the lexicon already, or if there is nothing to remove, the lexicon stays as it is. The
acceptance ratio corrects for the unequal proposals. The frequencies of the samples therefore converge to
p(ℓ | corpus), over all lexicons of pairs that co-occur, with the prior p(ℓ) ∝ exp(−α |ℓ|).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from fewlex.errors import DamagedError, LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon.bayes.referential import Referents, Sentences
from fewlex.seal import read_sealed_text, seal_json
from fewlex.strict import Count, checked, parse_json

if TYPE_CHECKING:
    from fewlex.lexicon.bayes.settings import BayesianSettings
    from fewlex.lexicon.counts import IntArray


class _State(TypedDict):
    """The file that a chain saves."""

    fingerprint: str
    generator: dict[str, Any]
    entries: list[Count]
    step: Count
    accepted: Count
    seen: list[list[Count]]
    trace: list[float]
    sizes: list[Count]


def _check_state(state: _State, problem: Problem) -> None:
    """Refuse a state that no chain of this problem can have."""
    pairs, settings = len(problem.pair_source), problem.settings
    if len(set(state["entries"])) != len(state["entries"]) or any(k >= pairs for k in state["entries"]):
        raise ValueError("its entries are not pairs of this corpus")
    if any(len(one) != 2 or one[0] >= pairs for one in state["seen"]):
        raise ValueError("what it has seen are not pairs of this corpus")
    samples = max(0, state["step"] - settings.burn_in) // settings.thinning
    if state["step"] > settings.steps or not len(state["trace"]) == len(state["sizes"]) == samples:
        raise ValueError("its samples are not as many as its steps make")


SAVE_EVERY = 500
"""A chain saves its state after so many steps, if it was given a file for it."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What all chains share: the corpus, the pairs of words that co-occur, and the settings."""

    sentences: Sentences
    pair_source: IntArray  # [k]: v
    pair_target: IntArray  # [k]: w
    cumulative: IntArray  # [k]: Σ #(v, w) over the pairs 0 … k
    settings: BayesianSettings
    fingerprint: str  # of corpus and settings, so that no chain goes on with others

    def proposal_prob(self, pair: int) -> float:
        """The probability that an insertion proposes this pair."""
        below = self.cumulative[pair - 1] if pair else 0
        return float(self.cumulative[pair] - below) / float(self.cumulative[-1])


@dataclass
class Chain:
    """One Markov chain: its present lexicon, what it has seen so far, and how it is saved and resumed."""

    problem: Problem
    generator: np.random.Generator
    referents: Referents
    entries: list[int] = field(default_factory=list)  # k of each entry; their order has no meaning
    step: int = 0
    accepted: int = 0
    seen: dict[int, int] = field(default_factory=dict)  # k ↦ how many samples contain the entry
    trace: list[float] = field(default_factory=list)  # log p(ℓ, corpus) of each sample, up to a constant
    sizes: list[int] = field(default_factory=list)  # |ℓ| of each sample

    @classmethod
    def start(cls, problem: Problem, number: int) -> Chain:
        """A new chain with an empty lexicon; each chain has random numbers of its own."""
        settings = problem.settings
        seeds = np.random.SeedSequence(settings.seed).spawn(settings.chains)
        referents = Referents(problem.sentences, settings.referential_prob, settings.nonreferential_weight)
        return cls(problem, np.random.Generator(np.random.PCG64(seeds[number])), referents)

    @property
    def log_posterior(self) -> float:
        """log p(ℓ, corpus) of the present lexicon, up to a constant."""
        return self.referents.log_likelihood - self.problem.settings.prior_strength * len(self.entries)

    def run(self, path: Path | None = None, on_steps: Callable[[int], None] = lambda steps: None) -> Chain:
        """Make all remaining steps, and save the state to the file from time to time."""
        settings = self.problem.settings
        while self.step < settings.steps:
            self.move()
            self.step += 1
            past_burn_in = self.step - settings.burn_in
            if past_burn_in > 0 and past_burn_in % settings.thinning == 0:
                self._observe()
            if self.step % SAVE_EVERY == 0 or self.step == settings.steps:
                on_steps(self.step)
                if path is not None:
                    self.save(path)
        return self

    def move(self) -> None:
        """Make one step of Metropolis–Hastings."""
        inserts, place, luck = self.generator.random(3).tolist()
        cumulative = self.problem.cumulative
        if inserts < 0.5:
            pair = int(np.searchsorted(cumulative, int(place * int(cumulative[-1])), side="right"))
            if pair not in self._places:
                self._consider(pair, luck)
        elif self.entries:
            self._consider(self.entries[int(place * len(self.entries))], luck)

    def save(self, path: Path) -> None:
        """Write all that `resume` needs in order to go on from here."""
        state = {
            "fingerprint": self.problem.fingerprint,
            "generator": self.generator.bit_generator.state,
            "entries": self.entries,
            "step": self.step,
            "accepted": self.accepted,
            "seen": list(self.seen.items()),
            "trace": self.trace,
            "sizes": self.sizes,
        }
        with atomic_write(path) as file:
            file.write(seal_json(json.dumps(state)))

    @classmethod
    def resume(cls, problem: Problem, number: int, path: Path) -> Chain:
        """The chain as it was when it was last saved, or a new one if it never was."""
        chain = cls.start(problem, number)
        if not path.exists():
            return chain
        try:
            state = checked(parse_json(read_sealed_text(path)), _State)
            if state["fingerprint"] != problem.fingerprint:
                raise LexiconError(
                    f"{path}: the chain was started on other data or with other settings. Remove the file."
                )
            _check_state(state, problem)
            chain.generator.bit_generator.state = state["generator"]
        except DamagedError as error:
            raise LexiconError(f"{path}: the state of the chain is damaged. Remove the file.") from error
        except (OSError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise LexiconError(
                f"{path}: the state of the chain cannot be read ({error}). Remove the file."
            ) from error
        for pair in state["entries"]:
            chain._toggle(pair)
        chain.step, chain.accepted = state["step"], state["accepted"]
        chain.seen = {one[0]: one[1] for one in state["seen"]}
        chain.trace, chain.sizes = state["trace"], state["sizes"]
        return chain

    def __post_init__(self) -> None:
        self._places = {pair: place for place, pair in enumerate(self.entries)}
        # Most proposals are rejected. Until one is accepted, what a proposal would lead to need not be computed twice.
        self._likelihood_after: dict[int, float] = {}

    def _consider(self, pair: int, luck: float) -> None:
        """Accept or reject (by Hastings' ratio) to add the pair or, if it is an entry, to remove it."""
        source, target = int(self.problem.pair_source[pair]), int(self.problem.pair_target[pair])
        if pair not in self._likelihood_after:
            self._likelihood_after[pair] = self.referents.change(source, target).log_likelihood
        adds = pair not in self._places
        gain = self._likelihood_after[pair] - self.referents.log_likelihood
        size = len(self.entries) + adds  # the size of the larger one of the two lexicons
        # Adding the pair brings the factors (1 / |ℓ'|) / q(pair) and exp(−α) to the ratio, removing it their inverse.
        correction = -math.log(size * self.problem.proposal_prob(pair)) - self.problem.settings.prior_strength
        log_ratio = gain + (correction if adds else -correction)
        if log_ratio >= 0 or luck < math.exp(log_ratio):
            self.accepted += 1
            self._toggle(pair)

    def _toggle(self, pair: int) -> None:
        """Add the pair to the entries, or remove it from them."""
        source, target = int(self.problem.pair_source[pair]), int(self.problem.pair_target[pair])
        self.referents.apply(source, target, self.referents.change(source, target))
        self._likelihood_after.clear()
        place = self._places.pop(pair, None)
        if place is None:
            self._places[pair] = len(self.entries)
            self.entries.append(pair)
        else:
            last = self.entries.pop()  # the last entry fills the gap, which takes the same time for any size
            if last != pair:
                self.entries[place] = last
                self._places[last] = place

    def _observe(self) -> None:
        """Count the present lexicon as a sample."""
        for pair in self.entries:
            self.seen[pair] = self.seen.get(pair, 0) + 1
        self.trace.append(self.log_posterior)
        self.sizes.append(len(self.entries))
