from __future__ import annotations

import itertools
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.example import Example
from fewlex.errors import ConfigError, LexiconError
from fewlex.lexicon import BayesianSettings, Execution, best_translations, learn_lexicon
from fewlex.lexicon.bayes.posterior import split_r_hat
from fewlex.lexicon.bayes.referential import Referents, Sentences
from fewlex.lexicon.bayes.sampling import sample_posterior
from fewlex.lexicon.bayes.trace_plot import plot_traces
from tests.lexicon.conftest import Pairs

Entries = frozenset[tuple[str, str]]
GAMMA, KAPPA, ALPHA = 0.8, 0.3, 1.0
SMALL = "a b | X Y\na | X\nb c | Y Y Z\na b | X Y"
words = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple)
targets = st.lists(st.sampled_from("XYZ"), min_size=1, max_size=4).map(tuple)
corpora = st.lists(st.builds(Example, words, targets), min_size=1, max_size=5)


def word_prob(word: str, example: Example, entries: Entries, vocabulary: set[str]) -> float:
    """p(x | y, ℓ), as it is written down in `referential.py`."""
    known = {v for v, _ in entries}
    nonreferential = (KAPPA if word in known else 1) / (len(vocabulary - known) + KAPPA * len(known))
    prob = 0.0
    for y in example.target:
        linked = [v for v, w in entries if w == y]
        referential = (word in linked) / len(linked) if linked else nonreferential
        prob += ((1 - GAMMA) * nonreferential + GAMMA * referential) / len(example.target)
    return prob


def log_likelihood(examples: list[Example], entries: Entries) -> float:
    vocabulary = {v for example in examples for v in example.source}
    return sum(math.log(word_prob(x, e, entries, vocabulary)) for e in examples for x in e.source)


def exact_posterior(examples: list[Example]) -> dict[tuple[str, str], float]:
    """The probability of each entry, summed over all lexicons of pairs that co-occur."""
    pairs = sorted({(v, w) for e in examples for v in e.source for w in e.target})
    weights = {
        frozenset(entries): math.exp(log_likelihood(examples, frozenset(entries)) - ALPHA * len(entries))
        for size in range(len(pairs) + 1)
        for entries in itertools.combinations(pairs, size)
    }
    total = sum(weights.values())
    return {pair: sum(w for entries, w in weights.items() if pair in entries) / total for pair in pairs}


def test_chain_frequencies_match_the_exact_posterior(pairs: Pairs) -> None:
    """128 lexicons. 15,000 samples, autocorrelated: a standard error of about 0.01, so 0.04 is safe."""
    examples = pairs(SMALL)
    settings = BayesianSettings(ALPHA, GAMMA, KAPPA, burn_in=500, thinning=2, samples=7500, chains=2)
    posterior = sample_posterior(examples, settings)
    exact = exact_posterior(examples)
    assert posterior.probs.keys() <= exact.keys()
    for pair, prob in exact.items():
        assert posterior.probs.get(pair, 0.0) == pytest.approx(prob, abs=0.04)
    assert posterior.r_hat < 1.02
    assert 0.2 < posterior.acceptance_rate < 0.6


@given(corpora, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12))
def test_likelihood_follows_every_change(examples: list[Example], toggles: list[tuple[int, int]]) -> None:
    sentences = Sentences.from_examples(examples)
    referents = Referents(sentences, GAMMA, KAPPA)
    entries: set[tuple[str, str]] = set()
    for v, w in toggles:
        if v < len(sentences.source_words) and w < len(sentences.target_words):
            change = referents.change(v, w)
            referents.apply(v, w, change)
            entries ^= {(sentences.source_words[v], sentences.target_words[w])}
            assert referents.log_likelihood == pytest.approx(log_likelihood(examples, frozenset(entries)))


@given(corpora, st.sets(st.tuples(st.sampled_from("abc"), st.sampled_from("XYZ"))))
def test_source_words_have_a_distribution(examples: list[Example], entries: set[tuple[str, str]]) -> None:
    vocabulary = {v for example in examples for v in example.source}
    known = frozenset((v, w) for v, w in entries if v in vocabulary)
    total = sum(word_prob(x, examples[0], known, vocabulary) for x in vocabulary)
    assert total == pytest.approx(1)


def test_a_step_costs_the_touched_sentences(pairs: Pairs) -> None:
    crowd = "\n".join(f"c{i} d{i} | C{i} D{i}" for i in range(500))
    sentences = Sentences.from_examples(pairs(f"a b | X Y\n{crowd}"))
    change = Referents(sentences, GAMMA, KAPPA).change(0, 0)
    assert change.terms.tolist() == [0, 1]


def test_colors_beside_the_published_posterior(colors: list[Example], published: Path) -> None:
    """The same best entry for the four colour words; docs/lab/lexicons.md says why the other rows differ."""
    lexicon = learn_lexicon(colors, "bayesian")
    theirs = json.loads((published / "lexicons" / "colors.goodman.json").read_text())
    best = best_translations(lexicon)
    for word in ("dax", "lug", "wif", "zup"):
        assert best[word] == max(theirs[word], key=theirs[word].get)
    provenance: dict[str, Any] = dict(lexicon.provenance)
    assert 0 < provenance["acceptance_rate"] < 1
    assert provenance["r_hat"] < 1.2
    assert all(0 < entry.weight <= 1 for _, _, entry in lexicon)


@pytest.mark.slow
def test_jump_has_the_verbs(published_train: Pairs) -> None:
    best = best_translations(learn_lexicon(published_train("addprim_jump"), "bayesian"))
    assert best == {"jump": "I_JUMP", "look": "I_LOOK", "run": "I_RUN", "walk": "I_WALK"}


def test_same_seed_same_posterior_whatever_the_workers(colors: list[Example]) -> None:
    settings = BayesianSettings(samples=20, chains=5)
    one = sample_posterior(colors, settings, execution=Execution(workers=1))
    many = sample_posterior(colors, settings, execution=Execution(workers=3))
    assert one.probs == many.probs
    assert one.traces == many.traces
    assert len(set(one.traces)) == 5  # the chains differ from each other


def test_more_chains_than_cores(colors: list[Example]) -> None:
    settings = BayesianSettings(burn_in=10, samples=5, chains=(os.cpu_count() or 1) * 4 + 1)
    assert len(sample_posterior(colors, settings).traces) == settings.chains


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path, colors: list[Example]) -> None:
    """The run is killed in another process as soon as it has kept a state, and resumed here."""
    code = (
        "import sys; from fewlex.data import load; from fewlex.lexicon import learn_lexicon\n"
        "learn_lexicon(load('colors')['train'], 'bayesian', samples=300, chains=2, state=sys.argv[1])"
    )
    state = tmp_path / "state"
    process = subprocess.Popen([sys.executable, "-c", code, str(state)])
    deadline = time.monotonic() + 60
    while not list(state.glob("chain-*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()

    settings = BayesianSettings(samples=300, chains=2)
    kept = [json.loads(path.read_text())["step"] for path in state.glob("chain-*.json")]
    assert kept
    resumed = sample_posterior(colors, settings, state=state)
    assert np.array(resumed.traces) == pytest.approx(np.array(sample_posterior(colors, settings).traces))
    assert resumed.probs == sample_posterior(colors, settings, state=state).probs  # nothing left to do


def test_states_that_do_not_fit(tmp_path: Path, colors: list[Example]) -> None:
    settings = BayesianSettings(burn_in=10, samples=5, chains=1)
    sample_posterior(colors, settings, state=tmp_path)
    with pytest.raises(LexiconError, match="other data or with other settings"):
        sample_posterior(colors[:5], settings, state=tmp_path)
    state = (tmp_path / "chain-0.json").read_bytes()
    (tmp_path / "chain-0.json").write_bytes(state.replace(b'"accepted": ', b'"accepted": 1'))
    with pytest.raises(LexiconError, match="is damaged"):
        sample_posterior(colors, settings, state=tmp_path)
    (tmp_path / "chain-0.json").write_text("{")
    with pytest.raises(LexiconError, match="cannot be read"):
        sample_posterior(colors, settings, state=tmp_path)


def test_one_token_corpus(pairs: Pairs) -> None:
    posterior = sample_posterior(pairs("a | X"), BayesianSettings(chains=1))
    # One word can only be that word: the lexicon explains nothing, and the prior decides, odds e^−α.
    assert posterior.probs["a", "X"] == pytest.approx(math.exp(-2) / (1 + math.exp(-2)), abs=0.06)


def test_split_r_hat() -> None:
    generator = np.random.default_rng(0)
    assert split_r_hat(generator.normal(size=(4, 500)).tolist()) == pytest.approx(1, abs=0.02)
    assert split_r_hat([[1.0, 2.0, 1.0, 2.0], [5.0, 6.0, 5.0, 6.0]]) > 2
    assert split_r_hat([[1.0] * 4, [1.0] * 4]) == 1
    assert split_r_hat([[1.0] * 4, [2.0] * 4]) == math.inf
    assert math.isnan(split_r_hat([[1.0]]))
    # By hand: halves (0, 2), (2, 4); within 2, between 2, n = 2: √((2 · ½ + 2) / 2).
    assert split_r_hat([[0.0, 2.0, 2.0, 4.0]]) == pytest.approx(math.sqrt(1.5))


def test_trace_plot(tmp_path: Path, colors: list[Example]) -> None:
    lexicon_file = tmp_path / "trace.svg"
    learn_lexicon(colors, "bayesian", burn_in=10, samples=5, trace_plot=str(lexicon_file))
    assert b"<svg" in lexicon_file.read_bytes()
    posterior = sample_posterior(colors, BayesianSettings(burn_in=1, samples=1, chains=1))
    with pytest.raises(LexiconError, match="png, svg, pdf"):
        plot_traces(posterior, tmp_path / "trace.doc")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prior_strength": math.inf}, "prior_strength"),
        ({"referential_prob": 1.0}, "referential_prob"),
        ({"nonreferential_weight": 0.0}, "nonreferential_weight"),
        ({"burn_in": -1}, "burn_in = -1"),
        ({"thinning": 0}, "thinning = 0"),
        ({"samples": 0}, "samples = 0"),
        ({"chains": 0}, "chains = 0"),
        ({"seed": -1}, "seed = -1"),
    ],
)
def test_settings_that_make_no_sense(colors: list[Example], parameters: dict[str, Any], message: str) -> None:
    with pytest.raises((ConfigError, LexiconError), match=message):
        learn_lexicon(colors, "bayesian", **parameters)
