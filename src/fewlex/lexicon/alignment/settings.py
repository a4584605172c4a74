"""What can be set in IBM Model 2 (§4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from fewlex.errors import ConfigError


@dataclass(frozen=True)
class Ibm2Settings:
    """The settings of IBM Model 2; the defaults are those of fast_align when it is given only its option `-o`.

    The published lexicons were made that way. As in fast_align, `optimize_tension` has no effect without
    `favor_diagonal`, so the published lexicons are those of Model 1. `null_prob` = 0 switches the null word off;
    `dirichlet` is the prior of variational Bayes.
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
                f"null_prob = {self.null_prob} is not a probability below 1. Give a number such as 0.08."
            )
        if not 0 < self.tension < float("inf"):
            raise ConfigError(
                f"tension = {self.tension} is not a finite number above 0. Give one such as 4, "
                "or turn favor_diagonal off."
            )
        if not 0 < self.dirichlet < float("inf"):
            raise ConfigError(
                f"dirichlet = {self.dirichlet} is not a finite number above 0. Give one such as 0.01."
            )
