from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from fewlex.data.example import Example
from fewlex.errors import ConfigError, LexiconError
from fewlex.lexicon import Execution, Ibm2Settings, best_translations, learn_lexicon
from fewlex.lexicon.alignment import cells as cells_module
from fewlex.lexicon.alignment.aligner import Aligner
from fewlex.lexicon.alignment.bitext import Bitext
from fewlex.lexicon.alignment.cells import TARGET_BITS
from fewlex.lexicon.alignment.em import digamma
from tests.lexicon.conftest import Pairs

words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=5).map(tuple)
corpora = st.lists(st.builds(Example, words, words), min_size=1, max_size=8)
THREE_SENTENCES = "a b | X Y\na | X\nb | Y"


def plain_em(
    examples: list[Example], settings: Ibm2Settings
) -> tuple[dict[str | None, dict[str, float]], list[float]]:
    """Model 2 with a fixed tension, sentence by sentence as it is written down; None is the null word."""
    targets = {w for example in examples for w in example.target}
    theta: dict[str | None, dict[str, float]] = defaultdict(lambda: defaultdict(lambda: 1 / len(targets)))
    log_likelihoods = []
    for _ in range(settings.iterations - 1):
        counts: dict[str | None, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        log_likelihood = 0.0
        for example in examples:
            n, m = len(example.source), len(example.target)
            for j, w in enumerate(example.target, start=1):
                prior = [1 / (n + 1)] * (n + 1)
                if settings.favor_diagonal:
                    pull = [math.exp(-settings.tension * abs(i / n - j / m)) for i in range(1, n + 1)]
                    rest = (1 - settings.null_prob) / sum(pull)
                    prior = [settings.null_prob, *(rest * p for p in pull)]
                sources = (None, *example.source)
                joint = [theta[v][w] * p for v, p in zip(sources, prior, strict=True)]
                log_likelihood += math.log(sum(joint))
                for v, p in zip(sources, joint, strict=True):
                    counts[v][w] += p / sum(joint)
        log_likelihoods.append(log_likelihood)
        theta = {v: {w: c / sum(row.values()) for w, c in row.items()} for v, row in counts.items()}
    return theta, log_likelihoods


@pytest.mark.parametrize(("steps", "expected"), [(1, 0.75), (2, 0.875)])
def test_em_by_hand_without_null_word(pairs: Pairs, steps: int, expected: float) -> None:
    # Each step leaves (a, X) one whole link from `a | X`, and θ(X | a) of the one it shares in `a b | X Y`.
    aligner = Aligner.fit(pairs(THREE_SENTENCES), Ibm2Settings(iterations=steps + 1, null_prob=0))
    assert aligner.translation_prob("a", "X") == pytest.approx(expected)
    assert aligner.translation_prob("a", "Y") == pytest.approx(1 - expected)
    assert aligner.translation_prob("X", "a") == 1e-9
    assert aligner.models["forward"].log_likelihoods[0] == pytest.approx(4 * math.log(0.5))


def test_em_by_hand_with_null_word(pairs: Pairs) -> None:
    aligner = Aligner.fit(pairs(THREE_SENTENCES), Ibm2Settings(iterations=2))
    # In `a b | X Y` three words share X, in `a | X` two: (a, X) gets 1/3 + 1/2 and (a, Y) 1/3.
    assert aligner.translation_prob("a", "X") == pytest.approx((5 / 6) / (7 / 6))


@hypothesis_settings(max_examples=30)
@given(corpora, st.booleans(), st.sampled_from([0.5, 4.0, 12.0]))
def test_em_equals_plain_em(examples: list[Example], favor_diagonal: bool, tension: float) -> None:
    settings = Ibm2Settings(4, favor_diagonal, optimize_tension=False, tension=tension)
    theta, log_likelihoods = plain_em(examples, settings)
    aligner = Aligner.fit(examples, settings, Execution(workers=1))
    model = aligner.models["forward"]

    assert model.log_likelihoods == pytest.approx(log_likelihoods)
    for v, row in theta.items():
        for w, prob in row.items():
            key = (aligner.source_ids[v] if v else 0) << TARGET_BITS | aligner.target_ids[w]
            assert model.translation_probs(np.array([key]))[0] == pytest.approx(prob, abs=1e-12)


@hypothesis_settings(max_examples=30)
@given(corpora, st.booleans(), st.sampled_from([0.0, 0.08]))
def test_likelihood_never_falls_and_rows_are_distributions(
    examples: list[Example], favor_diagonal: bool, null_prob: float
) -> None:
    settings = Ibm2Settings(8, favor_diagonal, optimize_tension=False, null_prob=null_prob)
    for model in Aligner.fit(examples, settings, Execution(workers=1)).models.values():
        steps = np.diff(model.log_likelihoods)
        assert (steps >= -1e-9).all()
        given_word = model.pairs >> TARGET_BITS
        totals = np.bincount(given_word, weights=model.probs)[np.unique(given_word[given_word > 0])]
        assert totals == pytest.approx(1)


def test_viterbi_breaks_ties_as_fast_align_does(pairs: Pairs) -> None:
    # One iteration: all translations are equally likely, so the null word wins; without it, the first word.
    examples = pairs("a b c | X Y")
    assert list(_links(examples, Ibm2Settings(iterations=1), "forward")) == [[]]
    assert list(_links(examples, Ibm2Settings(iterations=1, null_prob=0), "forward")) == [[(0, 0), (0, 1)]]
    diagonal = Ibm2Settings(iterations=1, favor_diagonal=True)
    assert list(_links(pairs("a b | X Y"), diagonal, "forward")) == [[(0, 0), (1, 1)]]


def _links(
    examples: list[Example],
    settings: Ibm2Settings,
    heuristic: str = "intersect",
    execution: Execution | None = None,
) -> Iterator[list[tuple[int, int]]]:
    with Bitext(examples, execution=execution) as bitext:
        yield from bitext.align(bitext.fit(settings), heuristic)


def test_digamma() -> None:
    x = np.array([0.01, 0.5, 1.0, 3.3, 50.0])
    # ψ(1) = −γ, ψ(½) = −γ − 2 ln 2; the others by the recurrence from a large argument.
    euler = 0.57721566490153286
    assert digamma(x)[2] == pytest.approx(-euler)
    assert digamma(x)[1] == pytest.approx(-euler - 2 * math.log(2))
    assert digamma(x + 1) - digamma(x) == pytest.approx(1 / x)


def test_variational_bayes_by_hand(pairs: Pairs) -> None:
    aligner = Aligner.fit(
        pairs("a | X"), Ibm2Settings(iterations=2, null_prob=0, variational_bayes=True, dirichlet=0.5)
    )
    psi = digamma(np.array([1.5]))[0]
    assert aligner.translation_prob("a", "X") == pytest.approx(math.exp(psi - psi))
    loose = Aligner.fit(
        pairs("a | X Y"), Ibm2Settings(iterations=2, null_prob=0, variational_bayes=True, dirichlet=0.5)
    )
    assert loose.translation_prob("a", "X") == pytest.approx(
        math.exp(digamma(np.array([1.5]))[0] - digamma(np.array([3.0]))[0])
    )


@pytest.mark.parametrize("chunk", [1, 10, 100])
def test_chunks_and_workers_do_not_change_the_links(
    colors: list[Example], monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    settings = Ibm2Settings(favor_diagonal=True, variational_bayes=True)
    whole = list(_links(colors, settings, "union"))
    monkeypatch.setattr(cells_module, "CHUNK_CELLS", chunk)
    assert list(_links(colors, settings, "union", Execution(workers=3))) == whole
    lexicon = learn_lexicon(colors, "ibm2")
    monkeypatch.undo()
    assert lexicon == learn_lexicon(colors, "ibm2")


def test_published_lexicons(published: Path, published_train: Pairs, colors: list[Example]) -> None:
    """All published rows, with their counts. Jump has one more row here, `left`, exactly like `right`."""
    for name, examples in (("colors", colors), ("scan-jump", published_train("addprim_jump"))):
        expected = json.loads((published / "lexicons" / f"{name}.intersect.align.o.json").read_text())
        lexicon = learn_lexicon(examples, "ibm2")
        rows = {
            source: {target: entry.weight for target, entry in lexicon.row(source).items()}
            for source in lexicon.sources
        }
        more = {"left": {"I_TURN_LEFT": 9108}} if name == "scan-jump" else {}
        assert rows == expected | more


def test_published_forward_lexicons(published: Path, published_train: Pairs, colors: list[Example]) -> None:
    for name, examples in (("colors", colors), ("scan-jump", published_train("addprim_jump"))):
        expected = json.loads((published / "lexicons" / f"{name}.forward.align.o.json").read_text())
        lexicon = learn_lexicon(examples, "ibm2", symmetrize="forward")
        assert {s: {t: e.weight for t, e in lexicon.row(s).items()} for s in lexicon.sources} == expected


def test_around_right_has_the_right_rows(published_train: Pairs) -> None:
    lexicon = learn_lexicon(published_train("template_around_right"), "ibm2")
    assert best_translations(lexicon) == {
        "right": "I_TURN_RIGHT",
        "left": "I_TURN_LEFT",
        "walk": "I_WALK",
        "run": "I_RUN",
        "look": "I_LOOK",
        "jump": "I_JUMP",
    }


@pytest.mark.parametrize(
    ("passes", "variational_bayes", "agreement"), [(1, False, 1.0), (4, True, 0.98), (10, True, 0.98)]
)
def test_links_agree_with_sil_thot(
    published_train: Pairs, passes: int, variational_bayes: bool, agreement: float
) -> None:
    """One M-step: all links are the same. Later the tensions differ: see docs/lab/lexicons.md."""
    thot = pytest.importorskip("thot.alignment")
    examples = published_train("eng-cmn")[:2000]
    model = thot.FastAlignModel()
    model.variational_bayes = variational_bayes
    for example in examples:
        model.add_sentence_pair(list(example.source), list(example.target))
    model.start_training()
    for _ in range(passes):
        model.train()
    model.end_training()
    settings = Ibm2Settings(passes + 1, favor_diagonal=True, variational_bayes=variational_bayes)
    shared = total = 0
    for example, links in zip(examples, _links(examples, settings, "forward"), strict=True):
        _, matrix = model.get_best_alignment(list(example.source), list(example.target))
        n, m = len(example.source), len(example.target)
        theirs = {(i, j) for i in range(n) for j in range(m) if matrix[i, j]}
        shared += 2 * len(theirs & set(links))
        total += len(theirs) + len(links)
    assert shared / total >= agreement


def test_parameters_are_kept_and_align_new_text(colors: list[Example], tmp_path: Path) -> None:
    settings = Ibm2Settings(favor_diagonal=True)
    aligner = Aligner.fit(colors, settings)
    aligner.save(tmp_path / "aligner.safetensors")
    loaded = Aligner.load(tmp_path / "aligner.safetensors")

    assert list(loaded.align(colors)) == list(aligner.align(colors)) == list(_links(colors, settings))
    assert loaded.models["reverse"].settings == aligner.models["reverse"].settings
    new = [Example(("zup", "kiki", "blork"), ("PURPLE", "YELLOW"))]
    assert (0, 1) in next(loaded.align(new, "forward"))


def test_parameters_that_are_none(tmp_path: Path, pairs: Pairs) -> None:
    with pytest.raises(LexiconError, match="cannot be read"):
        Aligner.load(tmp_path / "missing")
    (tmp_path / "text").write_text("not tensors at all")
    with pytest.raises(LexiconError, match="cannot be read"):
        Aligner.load(tmp_path / "text")
    from safetensors.numpy import save_file

    save_file({"x": np.zeros(1)}, tmp_path / "other")
    with pytest.raises(LexiconError, match="not the parameters"):
        Aligner.load(tmp_path / "other")
    with Bitext(pairs("a | X"), ["forward"]) as bitext:
        aligner = Aligner(bitext.source_ids, bitext.target_ids, bitext.fit(Ibm2Settings()))
    with pytest.raises(LexiconError, match="reverse direction"):
        list(aligner.align(pairs("a | X")))


@pytest.mark.parametrize("favor_diagonal", [False, True])
def test_empty_sides_have_no_links(favor_diagonal: bool) -> None:
    examples = [
        Example((), ("X",)),
        Example(("a",), ("X",)),
        Example(("a",), ()),
        Example((), ()),
        Example(("a",), ("X",)),
    ]
    settings = Ibm2Settings(favor_diagonal=favor_diagonal, null_prob=0)
    assert list(_links(examples, settings)) == [[], [(0, 0)], [], [], [(0, 0)]]
    assert list(Aligner.fit(examples, settings).align(examples)) == [[], [(0, 0)], [], [], [(0, 0)]]
    with pytest.raises(LexiconError, match="both sides"):
        Bitext([Example((), ("X",))])


@pytest.mark.parametrize("favor_diagonal", [False, True])
@pytest.mark.parametrize("variational_bayes", [False, True])
def test_one_token_corpora(pairs: Pairs, favor_diagonal: bool, variational_bayes: bool) -> None:
    settings = Ibm2Settings(favor_diagonal=favor_diagonal, variational_bayes=variational_bayes, null_prob=0)
    assert list(_links(pairs("a | X"), settings)) == [[(0, 0)]]


@pytest.mark.slow
def test_very_long_lines_take_little_memory() -> None:
    import tracemalloc

    line = Example(tuple(f"s{i % 977}" for i in range(10_000)), tuple(f"t{i % 977}" for i in range(10_000)))
    settings = Ibm2Settings(iterations=2, favor_diagonal=True, null_prob=0)
    tracemalloc.start()
    with Bitext([line], ["forward"], Execution(workers=2)) as bitext:
        links = next(bitext.align(bitext.fit(settings), "forward"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert links == [(i, i) for i in range(10_000)]
    assert peak < 600e6  # the cells alone, all at a time, would be 800 MB an array


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"iterations": 0}, "iterations = 0"),
        ({"null_prob": 1.0}, "null_prob"),
        ({"null_prob": -0.1}, "null_prob"),
        ({"tension": 0.0}, "tension"),
        ({"dirichlet": 0.0}, "dirichlet"),
    ],
)
def test_settings_that_make_no_sense(colors: list[Example], parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        learn_lexicon(colors, "ibm2", **parameters)


def test_a_symmetrization_that_does_not_exist(colors: list[Example]) -> None:
    with pytest.raises(LexiconError, match="Did you mean 'intersect'"):
        learn_lexicon(colors, "ibm2", symmetrize="intersection")
