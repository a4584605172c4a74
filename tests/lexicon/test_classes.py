from __future__ import annotations

from fewlex.lexicon import best_translations, learn_lexicon, word_classes

NOUNS_AND_VERBS = """
cat sees dog | SEE ( CAT , DOG )
dog likes cow | LIKE ( DOG , COW )
cow sings | SING ( COW )
"""
TRANSLATIONS = {"sees": "SEE", "likes": "LIKE", "sings": "SING"} | {
    w: w.upper() for w in ("cat", "dog", "cow", "pig")
}


def test_words_in_the_same_slots_share_a_class(pairs):
    classes = word_classes(pairs(NOUNS_AND_VERBS), TRANSLATIONS)
    # dog stands on both sides of the comma and so joins cat and cow; the unseen pig has no class.
    assert classes["sees"] == classes["likes"] == classes["sings"] == 0
    assert classes["cat"] == classes["dog"] == classes["cow"] == 1
    assert "pig" not in classes


def test_larger_classes_come_first(pairs):
    translations = {word: word.upper() for word in "abc"}
    assert word_classes(pairs("a | x A x\nb | y B y\nc | y C y"), translations) == {"a": 1, "b": 0, "c": 0}


def test_a_translation_counts_only_where_its_word_is_present(pairs):
    translations = {"a": "X", "b": "X", "c": "Z"}
    assert word_classes(pairs("a | ( X )\nb | X\nc | ( Z )"), translations) == {"a": 0, "b": 1, "c": 0}


def test_scan_has_one_class(published_train):
    examples = published_train("addprim_jump")
    classes = word_classes(examples, best_translations(learn_lexicon(examples)))
    assert classes == dict.fromkeys(("jump", "look", "right", "walk", "left", "run"), 0)
