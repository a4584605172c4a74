"""The registry of lexicon learners, and the one function that calls any of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from fewlex.errors import LexiconError, did_you_mean
from fewlex.lexicon.alignment.ibm2 import learn_ibm2
from fewlex.lexicon.bayes.bayesian import learn_bayesian
from fewlex.lexicon.lexicon import Lexicon
from fewlex.lexicon.pmi import learn_pmi
from fewlex.lexicon.reference import learn_identity, learn_random, learn_uniform
from fewlex.lexicon.simple import learn_simple

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
    for name in parameters:
        if name not in settings:
            known = did_you_mean(name, settings) if settings else "It has no parameters."
            raise LexiconError(f"the learner {method!r} has no parameter {name!r}. {known}")
    settings.update(parameters)
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
    parameters = inspect.signature(LEARNERS[method]).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "execution"}


def _with_words(examples: Iterable[Any]) -> Iterator[Example]:
    """The examples that have words on both sides; it is an error if there are none. A pair of texts is an example."""
    from fewlex.data.example import Example

    found = False
    for example in examples:
        if isinstance(example, tuple) and len(example) == 2:
            example = Example(*example)
        if not isinstance(example, Example):
            raise LexiconError(
                f"{example!r} is no example. Give pairs such as ('dax fep', 'RED RED RED'), or "
                "`fewlex.load(file)['train']`."
            )
        if example.source and example.target:
            found = True
            yield example
    if not found:
        raise LexiconError("no example has words on both sides. Give at least one example that has.")
