from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.example import Example
from fewlex.errors import LexiconError
from fewlex.lexicon import Entry, Lexicon, best_translation, best_translations, finish, learn_lexicon

words = st.sampled_from([*"abcdefgh"])
weights = st.floats(-1e6, 1e6)
lexicons = st.lists(st.tuples(words, words, st.builds(Entry, weights)), max_size=20).map(Lexicon)
vocabularies = st.lists(words, min_size=1, unique=True)


@given(
    lexicons,
    vocabularies,
    vocabularies,
    st.sampled_from([0.0, 0.01, 0.1, 1.0, 50.0]),
    st.sampled_from([0.0, 0.5]),
)
def test_every_row_is_a_distribution(
    lexicon: Lexicon, sources: list[str], targets: list[str], temperature: float, identity_weight: float
) -> None:
    finished = finish(lexicon, sources, targets, temperature, identity_weight)

    assert finished.rows.keys() | finished.background_rows == {*sources, *lexicon.sources}
    assert not finished.rows.keys() & finished.background_rows
    for source in {*sources, *lexicon.sources}:
        probs = finished.probs(source)
        assert all(prob > 0 for prob in probs.values())
        if source in finished.rows or finished.background:
            assert math.fsum(probs.values()) == pytest.approx(1)
    for source, row in finished.rows.items():
        best = finished.best(source)
        assert best is not None
        assert row[best] == max(row.values())
    mapped = {target for row in finished.rows.values() for target in row}
    assert set(finished.background) == set(targets) - mapped


def test_words_without_entry() -> None:
    lexicon = Lexicon([("dax", "RED", Entry(6))])
    finished = finish(lexicon, ["dax", "Tom", "fep", "kiki"], ["RED", "Tom", "BLUE", "GREEN"])
    assert finished.rows == {"dax": {"RED": 1.0}, "Tom": {"Tom": 1.0}}
    assert finished.background_rows == {"fep", "kiki"}
    assert finished.background == ("BLUE", "GREEN")
    assert finished.probs("fep") == {"BLUE": 0.5, "GREEN": 0.5}
    assert finished.best("dax") == "RED"
    assert finished.best("fep") is None


def test_the_background_is_empty_where_nothing_is_unmapped(colors: list[Example]) -> None:
    finished = finish(learn_lexicon(colors), ["dax", "fep"], ["RED", "BLUE", "GREEN", "YELLOW"])
    assert finished.background == ()
    assert finished.background_rows == {"fep"}


def test_without_mutual_exclusivity_a_word_without_entry_means_nothing() -> None:
    finished = finish(Lexicon(), ["fep"], ["RED"], mutual_exclusivity=False)
    assert finished.background == ()
    assert finished.background_rows == {"fep"}
    assert finished.probs("fep") == {}


def test_taught_words_are_part_of_the_matrix() -> None:
    finished = finish(Lexicon([("blork", "PURPLE", Entry(1))]), ["dax"], ["RED"])
    assert finished.rows == {"blork": {"PURPLE": 1.0}}
    assert finished.background == ("RED",)


def test_softmax_by_hand() -> None:
    lexicon = Lexicon([("v", "A", Entry(2.0)), ("v", "B", Entry(1.0)), ("v", "C", Entry(-1.0))])
    row = finish(lexicon, ["v"], ["A", "B", "C"], temperature=0.5).rows["v"]
    total = math.exp(4) + math.exp(2) + math.exp(-2)
    assert row == pytest.approx(
        {"A": math.exp(4) / total, "B": math.exp(2) / total, "C": math.exp(-2) / total}
    )


def test_softmax_is_stable_for_large_counts() -> None:
    lexicon = Lexicon([("v", "A", Entry(9108)), ("v", "B", Entry(1))])
    assert finish(lexicon, ["v"], ["A", "B"], temperature=0.1).rows["v"] == {"A": 1.0}


@pytest.mark.parametrize(
    ("row", "best"),
    [
        ({"B": Entry(1), "A": Entry(2)}, "A"),
        ({"B": Entry(1, dice=0.9), "v": Entry(1)}, "v"),
        ({"A": Entry(1, dice=0.5), "B": Entry(1, dice=0.9)}, "B"),
        ({"B": Entry(1), "A": Entry(1)}, "A"),
        ({"taught": Entry(1), "B": Entry(1)}, "B"),
        ({"taught": Entry(1), "new": Entry(1)}, "taught"),
    ],
    ids=["weight", "identity", "Dice", "order of target words", "known before taught", "order of entries"],
)
def test_ties(row: dict[str, Entry], best: str) -> None:
    assert best_translation("v", row, {"A": 0, "B": 1, "v": 2}) == best
    lexicon = Lexicon(("v", target, entry) for target, entry in row.items())
    assert finish(lexicon, ["v"], ["A", "B", "v"]).rows["v"] == {best: 1.0}
    assert finish(lexicon, ["v"], ["A", "B", "v"], temperature=1.0).best("v") == best
    assert best_translations(lexicon, ["A", "B", "v"]) == {"v": best}


def test_identity_weight_equals_the_authors_doubling() -> None:
    lexicon = Lexicon([("v", "A", Entry(3)), ("v", "B", Entry(1))])
    ours = finish(lexicon, ["v"], ["A", "B", "v"], temperature=0.1, identity_weight=0.5).rows["v"]
    theirs = {"A": 2 * 3 / 0.2, "B": 2 * 1 / 0.2, "v": 1 / 0.2}
    total = sum(map(math.exp, theirs.values()))
    assert ours == pytest.approx({target: math.exp(score) / total for target, score in theirs.items()})
    assert finish(lexicon, ["v"], ["A", "B", "v"], identity_weight=0.5).rows["v"] == {"A": 1.0}


@pytest.mark.parametrize("temperature", [-0.1, math.nan, math.inf])
def test_temperatures_that_make_no_sense(temperature: float) -> None:
    with pytest.raises(LexiconError, match="temperature"):
        finish(Lexicon(), ["v"], ["w"], temperature)
