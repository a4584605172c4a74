"""IBM Model 2 as a lexicon learner (§4.1): what can be set, and link counts as weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fewlex.errors import ConfigError
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example


@dataclass(frozen=True)
class Ibm2Settings:
    """The defaults are fast_align's with its option `-o` alone, which the published lexicons come from.

    `optimize_tension` has no effect without `favor_diagonal`, as in fast_align: the published lexicons are
    Model 1. `null_prob` = 0 means no null word; `dirichlet` is the prior of variational Bayes.
    """

    iterations: int = 5
    favor_diagonal: bool = False
    optimize_tension: bool = True
    tension: float = 4.0
    null_prob: float = 0.08
    variational_bayes: bool = False
    dirichlet: float = 0.01

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ConfigError(f"iterations = {self.iterations} learns nothing. Give at least 1.")
        if not 0 <= self.null_prob < 1:
            raise ConfigError(
                f"null_prob = {self.null_prob} is no probability below 1. Give one, such as 0.08."
            )
        if not 0 < self.tension < float("inf"):
            raise ConfigError(
                f"tension = {self.tension} is not above 0. Give such as 4, or turn favor_diagonal off."
            )
        if not 0 < self.dirichlet < float("inf"):
            raise ConfigError(f"dirichlet = {self.dirichlet} is not above 0. Give such as 0.01.")


def learn_ibm2(
    examples: Iterable[Example],
    *,
    iterations: int = 5,
    favor_diagonal: bool = False,
    optimize_tension: bool = True,
    tension: float = 4.0,
    null_prob: float = 0.08,
    variational_bayes: bool = False,
    dirichlet: float = 0.01,
    symmetrize: str = "intersect",
    execution: Execution | None = None,
) -> Lexicon:
    """How often IBM Model 2 links two words (§4.1, eq. 12), by default as the published lexicons were learned."""
    from fewlex.lexicon.bitext import Bitext, directions_of  # numpy loads when something is aligned

    settings = Ibm2Settings(
        iterations, favor_diagonal, optimize_tension, tension, null_prob, variational_bayes, dirichlet
    )
    with Bitext(examples, directions_of(symmetrize), execution, counts_words=True) as bitext:
        return Lexicon(bitext.lexicon_lines(bitext.fit(settings), symmetrize, origin="ibm2"))
