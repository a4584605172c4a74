"""What can be set in the Bayesian learner (§4.1, appendix C)."""

from __future__ import annotations

from dataclasses import dataclass

from fewlex.errors import ConfigError


@dataclass(frozen=True)
class BayesianSettings:
    """The settings of the Bayesian learner, with the paper's values (appendix C) as defaults.

    The paper does not say how many samples a chain draws; 400 is our choice.
    """

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
            raise ConfigError(
                f"prior_strength = {self.prior_strength} is not finite. Give a number such as 2."
            )
        if not 0 < self.referential_prob < 1:
            raise ConfigError(
                f"referential_prob = {self.referential_prob} is not between 0 and 1. Give a number such as 0.95."
            )
        if not 0 < self.nonreferential_weight <= 1:
            raise ConfigError(
                f"nonreferential_weight = {self.nonreferential_weight} is not above 0 and at most 1. "
                "Give a number such as 0.1."
            )
        for name, least in (("burn_in", 0), ("thinning", 1), ("samples", 1), ("chains", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise ConfigError(f"{name} = {getattr(self, name)} makes no sense. Give at least {least}.")

    @property
    def steps(self) -> int:
        """How many steps a chain makes in all."""
        return self.burn_in + self.thinning * self.samples
