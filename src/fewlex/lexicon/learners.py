"""The registry of lexicon learners, and the one function that calls any of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from fewlex.data.limits import CUT, too_long
from fewlex.errors import LexiconError, did_you_mean
from fewlex.lexicon.alignment.ibm2 import learn_ibm2
from fewlex.lexicon.bayes.bayesian import learn_bayesian
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.pmi import learn_pmi
from fewlex.lexicon.reference import learn_identity, learn_random, learn_uniform
from fewlex.lexicon.simple import learn_simple
from fewlex.parameters import checked_parameters, defaults_of

if TYPE_CHECKING:
    from fewlex.data.example import Example
    from fewlex.lexicon.execution import Execution

Learner: TypeAlias = Callable[..., Lexicon]
"""A function from examples, and parameters by name, to a lexicon."""

LEARNERS: dict[str, Learner] = {
    "simple": learn_simple,
    "pmi": learn_pmi,
    "ibm2": learn_ibm2,
    "bayesian": learn_bayesian,
    "identity": learn_identity,
    "uniform": learn_uniform,
    "random": learn_random,
}


def learn_lexicon(
    examples: Iterable[Example],
    method: str = "simple",
    *,
    execution: Execution | None = None,
    **parameters: Any,
) -> Lexicon:
    """Learn a lexicon (§4) from examples, which are read only once; `parameters` are those of the learner.

    `execution` says how to use the machine and does not change the lexicon. Learners that use one thread anyway are not
    given it.
    """
    if method not in LEARNERS:
        raise LexiconError(f"there is no lexicon learner {method!r}. {did_you_mean(method, LEARNERS)}")
    settings = default_parameters(method)
    settings |= checked_parameters(f"the learner {method!r}", settings, parameters, LexiconError)
    uses_execution = "execution" in inspect.signature(LEARNERS[method]).parameters
    how = {"execution": execution} if uses_execution else {}
    lexicon = LEARNERS[method](_with_words(examples), **settings, **how)
    lexicon.provenance = {"method": method, **settings, **lexicon.provenance}
    return lexicon


def with_exact_rows(lexicon: Lexicon, examples: Iterable[Example]) -> Lexicon:
    """The lexicon, with additional rows by the rule C1 (§4.2) for the words that have no entry.

    C1 pairs words that occur in exactly the same sentences. The rule C3 leaves out pairs such as *the* ↦ `*`, because
    many rare words were seen only beside *the*.
    """
    known = set(lexicon.sources)
    exact = learn_lexicon(examples, "simple", rule="C1")
    return Lexicon([*lexicon, *(line for line in exact if line[0] not in known)], lexicon.provenance)


def default_parameters(method: str) -> dict[str, Any]:
    """The parameters of a learner with their defaults."""
    return defaults_of(LEARNERS[method], besides=("execution",))


def _with_words(examples: Iterable[Any]) -> Iterator[Example]:
    """The examples that have words on both sides; it is an error if there are none. A pair of texts is an example."""
    from fewlex.data.example import Example

    found = False
    for number, example in enumerate(examples, start=1):
        if isinstance(example, tuple) and len(example) == 2:
            example = Example(*example)
        if not isinstance(example, Example):
            raise LexiconError(
                f"{example!r} is no example. Give pairs such as ('dax fep', 'RED RED RED'), or "
                "`fewlex.load(file)['train']`."
            )
        if problem := too_long("source", example.source) or too_long("target", example.target):
            raise LexiconError(f"example {number}: {problem}. {CUT}")
        if example.source and example.target:
            found = True
            yield example
    if not found:
        raise LexiconError("no example has words on both sides. Give at least one example that has.")
