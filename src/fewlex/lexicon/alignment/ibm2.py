"""IBM Model 2 as a lexicon learner (§4.1): a pair of words weighs as much as it has links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fewlex.lexicon.alignment.settings import Ibm2Settings
from fewlex.lexicon.execution import Execution
from fewlex.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from fewlex.data.example import Example


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
    """Weight each pair of words by how often IBM Model 2 links them (§4.1, eq. 12).

    The defaults are the settings with which the published lexicons were learned.
    """
    from fewlex.lexicon.alignment.bitext import Bitext, directions_of  # so that numpy loads only when needed

    settings = Ibm2Settings(
        iterations, favor_diagonal, optimize_tension, tension, null_prob, variational_bayes, dirichlet
    )
    with Bitext(examples, directions_of(symmetrize), execution, counts_words=True) as bitext:
        return Lexicon(bitext.lexicon_lines(bitext.fit(settings), symmetrize, origin="ibm2"))
