from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from fewlex.data.example import Example
from fewlex.errors import ConfigError
from fewlex.lexicon import BayesianSettings, Execution, Ibm2Settings, learn_lexicon
from fewlex.lexicon import counts as counts_module
from fewlex.lexicon.alignment import cells as cells_module
from fewlex.lexicon.alignment.aligner import Aligner
from fewlex.lexicon.bayes.sampling import sample_posterior


class Numbers(NamedTuple):
    numbers: np.ndarray[Any, Any]


def make(first: int) -> Numbers:
    return Numbers(np.arange(first, first + 3))


def doubled(item: Numbers) -> Numbers:
    return Numbers(2 * item.numbers)


def total(item: Numbers, offset: int) -> int:
    return int(item.numbers.sum()) + offset


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_results_come_in_order(workers: int) -> None:
    with Execution(workers=workers).store() as store:
        for first in range(40):
            store.add(make, first)
        store.replace(doubled)
        assert len(store) == 40
        assert list(store.map(total, 1)) == [6 * first + 7 for first in range(40)]


def test_what_goes_wrong_in_a_worker_is_told() -> None:
    with Execution(workers=2).store() as store:
        store.add(make, 0)
        with pytest.raises(TypeError):
            list(store.map(total, "one"))


@pytest.mark.parametrize("method", ["simple", "pmi", "ibm2", "bayesian"])
def test_progress_is_reported(method: str, colors: list[Example]) -> None:
    news = []
    few = {"burn_in": 10, "samples": 5} if method == "bayesian" else {}
    execution = Execution(on_progress=lambda stage, done, total: news.append((stage, done, total)))
    learn_lexicon(colors, method, execution=execution, **few)
    stage, done, total_work = news[-1]
    assert stage
    assert done == total_work


@pytest.mark.parametrize(
    ("arguments", "message"), [({"backend": "rai"}, "Did you mean 'ray'"), ({"workers": -1}, "workers = -1")]
)
def test_executions_that_make_no_sense(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Execution(**arguments)


def test_ray_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch, colors: list[Example]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install .fewlex\[cluster\]"):
        learn_lexicon(colors, "ibm2", execution=Execution("ray"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_ray_gives_the_same(colors: list[Example], monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(cells_module, "CHUNK_CELLS", 20)
    monkeypatch.setattr(counts_module, "CHUNK_PAIRS", 20)
    cluster = Execution("ray", workers=2)
    try:
        for method in ("simple", "pmi", "ibm2"):
            assert learn_lexicon(colors, method, execution=cluster) == learn_lexicon(colors, method)
        settings = Ibm2Settings(favor_diagonal=True, variational_bayes=True)
        there, here = (Aligner.fit(colors, settings, how) for how in (cluster, Execution()))
        assert there.models["forward"].probs == pytest.approx(here.models["forward"].probs, rel=1e-12)
        few = BayesianSettings(samples=10, chains=3)
        assert sample_posterior(colors, few, execution=cluster).probs == sample_posterior(colors, few).probs
    finally:
        ray.shutdown()
