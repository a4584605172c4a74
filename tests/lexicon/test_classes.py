from __future__ import annotations

import pytest

from fewlex.lexicon import best_translations, class_by_place, learn_lexicon, word_classes
from tests.lexicon.conftest import Pairs

NOUNS_AND_VERBS = """
cat sees dog | SEE ( CAT , DOG )
dog likes cow | LIKE ( DOG , COW )
cow sings | SING ( COW )
"""
TRANSLATIONS = {"sees": "SEE", "likes": "LIKE", "sings": "SING"} | {
    w: w.upper() for w in ("cat", "dog", "cow", "pig")
}


def test_words_in_the_same_slots_share_a_class(pairs: Pairs) -> None:
    classes = word_classes(pairs(NOUNS_AND_VERBS), TRANSLATIONS)
    # dog stands on both sides of the comma and so joins cat and cow; the unseen pig has no class.
    assert classes["sees"] == classes["likes"] == classes["sings"] == 0
    assert classes["cat"] == classes["dog"] == classes["cow"] == 1
    assert "pig" not in classes


def test_larger_classes_come_first(pairs: Pairs) -> None:
    translations = {word: word.upper() for word in "abc"}
    assert word_classes(pairs("a | x A x\nb | y B y\nc | y C y"), translations) == {"a": 1, "b": 0, "c": 0}


def test_a_translation_counts_only_where_its_word_is_present(pairs: Pairs) -> None:
    translations = {"a": "X", "b": "X", "c": "Z"}
    assert word_classes(pairs("a | ( X )\nb | X\nc | ( Z )"), translations) == {"a": 0, "b": 1, "c": 0}


def test_scan_has_one_class(published_train: Pairs) -> None:
    examples = published_train("addprim_jump")
    classes = word_classes(examples, best_translations(learn_lexicon(examples)))
    assert classes == dict.fromkeys(("jump", "look", "right", "walk", "left", "run"), 0)


AGENT, THEME = "agent =", "theme ="


@pytest.mark.parametrize(
    ("places_of_the", "places_of_names", "expected"),
    [
        pytest.param([AGENT, THEME], [AGENT, THEME], {"the": 0}, id="the same places"),
        pytest.param([AGENT, AGENT, THEME], [AGENT], {"the": 0}, id="the word is mostly where the class is"),
        pytest.param([AGENT], [AGENT, AGENT, THEME], {"the": 0}, id="the class is mostly where the word is"),
        pytest.param([AGENT, THEME, THEME], [AGENT], {}, id="the word is mostly elsewhere"),
        pytest.param([AGENT], [AGENT, THEME, THEME], {}, id="the class is mostly elsewhere"),
        pytest.param([AGENT], [AGENT, THEME], {}, id="half is not enough"),
        pytest.param([AGENT], [THEME], {}, id="never in the same place"),
    ],
)
def test_a_word_and_its_class_must_share_most_of_their_places(
    pairs: Pairs, places_of_the: list[str], places_of_names: list[str], expected: dict[str, int]
) -> None:
    """Both ways: of the word's occurrences and of the class's, more than half must be where the other was seen."""
    lines = [f"the | {place} *" for place in places_of_the] + [
        f"ann | {place} ANN" for place in places_of_names
    ]
    found = class_by_place(pairs("\n".join(lines)), {"the": "*"}, {"ann": "ANN"}, {"ann": 0})
    assert found == expected


def test_the_class_in_the_same_places_is_chosen(pairs: Pairs) -> None:
    examples = pairs("ann runs | agent = ANN RUN\nthe boy runs | agent = * boy RUN")
    translations = {"ann": "ANN", "runs": "RUN"}
    assert class_by_place(examples, {"the": "*"}, translations, {"ann": 1, "runs": 0}) == {"the": 1}


def test_a_place_counts_only_where_the_word_itself_is_present(pairs: Pairs) -> None:
    """Here the star comes from *a*, so that nothing is known of the places of *the*."""
    examples = pairs("ann | agent = ANN\na | agent = *")
    assert class_by_place(examples, {"the": "*", "a": "*"}, {"ann": "ANN"}, {"ann": 0}) == {"a": 0}
