from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from fewlex.data import load
from fewlex.data.example import Example
from fewlex.errors import LexiconError
from fewlex.lexicon import LEARNERS, Lexicon, best_translations, learn_lexicon, with_exact_rows
from tests.lexicon.conftest import Pairs


def weights(lexicon: Lexicon) -> dict[str, dict[str, float]]:
    return {
        source: {target: entry.weight for target, entry in lexicon.row(source).items()}
        for source in lexicon.sources
    }


# Hand-computed: `bless` and `blessed` share BLESS; `a` stands in every sentence, as does ".".
MANY_TO_ONE = """
a cat bless | . CAT BLESS
a cat blessed | . CAT BLESS
a dog bless | . DOG BLESS
a dog | . DOG
"""


def test_c1_asks_for_necessary_and_sufficient(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs(MANY_TO_ONE), rule="C1")
    assert weights(lexicon) == {"a": {".": 4}, "cat": {"CAT": 2}, "dog": {"DOG": 2}}


def test_c2_lets_a_group_explain_a_target_that_has_no_winner(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs(MANY_TO_ONE), rule="C2")
    # `blessed` and `cat` are sufficient for BLESS too; CAT and "." have winners.
    assert weights(lexicon) == {
        "a": {".": 4},
        "cat": {"CAT": 2, "BLESS": 2},
        "bless": {"BLESS": 2},
        "blessed": {"BLESS": 1},
        "dog": {"DOG": 2},
    }


def test_c3_drops_targets_with_too_many_competitors(pairs: Pairs) -> None:
    # Sufficient for ".": all five source words; for BLESS: cat, bless, blessed.
    strict = learn_lexicon(pairs(MANY_TO_ONE), max_competitors=2)
    assert weights(strict) == {"cat": {"CAT": 2}, "dog": {"DOG": 2}}
    paper = learn_lexicon(pairs(MANY_TO_ONE), max_competitors=3)
    assert "." not in paper.targets
    assert weights(paper)["bless"] == {"BLESS": 2}


def test_identity_bonus_decides_ties(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs("dish | dish 10"), identity_bonus=True)
    assert weights(lexicon) == {"dish": {"dish": 2, "10": 1}}


def test_candidates_are_the_other_words_of_a_row(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs(MANY_TO_ONE), max_competitors=2, candidates=True)
    assert weights(lexicon) == {"cat": {"CAT": 2, ".": 0, "BLESS": 0}, "dog": {"DOG": 2, ".": 0, "BLESS": 0}}
    assert best_translations(lexicon) == {"cat": "CAT", "dog": "DOG"}


TYPO = "\n".join([*["a b | A B"] * 9, "a c | X C", *["c | C"] * 9])


def test_one_typo_empties_a_row_of_the_strict_rule(pairs: Pairs) -> None:
    assert "a" not in learn_lexicon(pairs(TYPO), rule="C1")
    tolerant = learn_lexicon(pairs(TYPO), rule="C1", tolerance=0.1)
    # A is missing in one of the ten sentences with `a`.
    assert tolerant.row("a")["A"].weight == 9
    assert "A" not in learn_lexicon(pairs(TYPO), rule="C1", tolerance=0.09).row("a")


def test_rare_pairs_do_not_compete(pairs: Pairs) -> None:
    examples = pairs("v | W\nv | W\na | W\nb | W\nc | W")
    assert len(learn_lexicon(examples)) == 0  # v, a, b and c are sufficient for W, more than ε = 3
    assert weights(learn_lexicon(examples, min_count=2)) == {"v": {"W": 2}}


@pytest.mark.parametrize(("tolerance", "entries"), [(0.0, 0), (0.1, 6)])
def test_tolerance_finds_the_words_of_scan_with_exchanged_targets(tolerance: float, entries: int) -> None:
    clean = load("scan:jump")["train"]
    chosen = random.Random(0).sample(range(len(clean)), len(clean) // 20)
    targets = [example.target for example in clean]
    for one, other in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        targets[one] = clean[other].target
    noisy = [Example(example.source, target) for example, target in zip(clean, targets, strict=True)]
    lexicon = learn_lexicon(noisy, tolerance=tolerance)
    assert len(lexicon) == entries
    if entries:
        assert best_translations(lexicon) == best_translations(learn_lexicon(clean))


def test_pmi_by_hand(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs("a b | X\na | X\na | Y\nc | Y"), method="pmi")
    assert lexicon.row("a")["X"].weight == pytest.approx(math.log(2 * 4 / (3 * 2)))
    assert lexicon.row("a")["Y"].weight == pytest.approx(math.log(1 * 4 / (3 * 2)))
    assert lexicon.row("c")["Y"].weight == pytest.approx(math.log(1 * 4 / (1 * 2)))
    assert "X" not in lexicon.row("c")


def test_equal_ratios_tie_exactly_in_pmi(pairs: Pairs) -> None:
    lexicon = learn_lexicon(pairs("a | X Y\na | Y\nb | X\nb | Y\nb | Y\nc | Z\nc | Z"), method="pmi")
    row = lexicon.row("a")
    assert row["X"].weight == row["Y"].weight


def test_reference_learners(pairs: Pairs) -> None:
    examples = pairs("a x | x 1\nb | 2")
    assert weights(learn_lexicon(examples, "identity")) == {"x": {"x": 1}}
    assert weights(learn_lexicon(examples, "uniform")) == {
        "a": {"x": 1, "1": 1},
        "x": {"x": 1, "1": 1},
        "b": {"2": 1},
    }
    drawn = learn_lexicon(examples, "random", seed=3)
    assert drawn.sources == ("a", "x", "b")
    assert len(drawn) == 3
    assert drawn == learn_lexicon(examples, "random", seed=3)
    assert any(drawn != learn_lexicon(examples, "random", seed=seed) for seed in range(10))


@pytest.mark.parametrize("method", LEARNERS)
def test_every_learner_signs_its_work_and_reads_a_stream_once(method: str, colors: list[Example]) -> None:
    lexicon = learn_lexicon(iter(colors), method)
    assert {entry.origin for _, _, entry in lexicon} <= {method}
    assert lexicon.provenance["method"] == method


def test_provenance_holds_all_parameters(colors: list[Example]) -> None:
    lexicon = learn_lexicon(colors, max_competitors=2)
    assert lexicon.provenance == {
        "method": "simple",
        "rule": "C3",
        "max_competitors": 2,
        "candidates": False,
        "identity_bonus": False,
        "tolerance": 0.0,
        "min_count": 1,
    }


@pytest.mark.parametrize(
    ("method", "parameters", "message"),
    [
        ("simpel", {}, "Did you mean 'simple'"),
        ("simple", {"max_competitor": 2}, "'max_competitor'.*Did you mean 'max_competitors'"),
        (
            "simple",
            {"seed": 2},
            "'seed'. Known: candidates, identity_bonus, max_competitors, min_count, rule, tolerance",
        ),
        ("identity", {"rule": "C1"}, "It has no parameters"),
        ("pmi", {"max_entries": 0}, "max_entries = 0 leaves no entry"),
        ("simple", {"rule": 3}, "rule must be a text, not 3. The default is 'C3'"),
        ("simple", {"tolerance": "x"}, "tolerance must be a finite number, not 'x'. The default is 0.0"),
        ("simple", {"identity_bonus": 1}, "identity_bonus must be true or false, not 1"),
        ("ibm2", {"symmetrize": True}, "symmetrize must be a text, not True. The default is 'intersect'"),
        ("ibm2", {"iterations": 2.5}, "iterations must be a whole number, not 2.5. The default is 5"),
        ("ibm2", {"tension": float("nan")}, "tension must be a finite number, not nan"),
        ("bayesian", {"chains": {"a": 1}}, "chains must be a whole number, not a dict"),
        ("simple", {"rule": "C4"}, "C4"),
        ("simple", {"max_competitors": 0}, "at least 1"),
        ("simple", {"tolerance": 1.0}, "tolerance = 1.0 is not a share"),
        ("simple", {"tolerance": -0.1}, "tolerance"),
        ("simple", {"min_count": 0}, "min_count = 0"),
    ],
)
def test_mistakes_are_named(
    colors: list[Example], method: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(LexiconError, match=message):
        learn_lexicon(colors, method, **parameters)


@pytest.mark.parametrize("method", LEARNERS)
@pytest.mark.parametrize("text", ["", "a b |", "| X"])
def test_nothing_to_learn_from_is_an_error(pairs: Pairs, method: str, text: str) -> None:
    with pytest.raises(LexiconError, match="no example has words on both sides"):
        learn_lexicon(pairs(text), method)


def test_simple_on_colors_is_exactly_the_four_colour_words(colors: list[Example]) -> None:
    assert weights(learn_lexicon(colors)) == {
        "dax": {"RED": 6},
        "lug": {"BLUE": 9},
        "wif": {"GREEN": 8},
        "zup": {"YELLOW": 1},
    }


def test_simple_equals_the_published_lexicons(
    published: Path, published_train: Pairs, colors: list[Example]
) -> None:
    for name, examples in (("colors", colors), ("scan-jump", published_train("addprim_jump"))):
        expected = json.loads((published / "lexicons" / f"{name}.simple.align.v3.json").read_text())
        assert weights(learn_lexicon(examples)) == expected


@pytest.mark.parametrize(("name", "entries"), [("cogs", 734), ("eng-cmn", 6757)])
def test_simple_has_the_published_size(published_train: Pairs, name: str, entries: int) -> None:
    assert len(learn_lexicon(published_train(name))) == entries


def test_pmi_is_the_published_softmax(published: Path, published_train: Pairs, colors: list[Example]) -> None:
    for name, examples in (("colors", colors), ("scan-jump", published_train("addprim_jump"))):
        expected = json.loads((published / "lexicons" / f"{name}.pmi.align.json").read_text())
        lexicon = learn_lexicon(examples, "pmi")
        for source, percents in expected.items():
            row = lexicon.row(source)
            total = sum(math.exp(entry.weight) for entry in row.values())
            probs = {target: math.exp(entry.weight) / total for target, entry in row.items()}
            # Pairs that never co-occur are smoothed to next to nothing there and absent here.
            assert percents == pytest.approx(
                {target: 100 * probs.get(target, 0.0) for target in percents}, abs=1e-4
            )


def test_exact_rows_are_for_words_without_entry() -> None:
    """`the` and `*` occur in the same sentences, but so many words only beside `the` that C3 leaves it out."""
    nouns = ["cat", "dog", "cow", "hen"]
    examples = [Example(("the", noun), ("*", noun.upper())) for noun in nouns]
    lexicon = learn_lexicon(examples, "simple")
    assert "the" not in lexicon.sources
    exact = with_exact_rows(lexicon, examples)
    assert set(exact.row("the")) == {"*"}
    assert all(exact.row(noun) == lexicon.row(noun) for noun in nouns)
