"""Words that are said within a frame: *the sum of*, *the product of*, and what follows for rare and taught words."""

from __future__ import annotations

from itertools import product

from fewlex.data.example import Example
from fewlex.rules import RuleParser, learn_rules
from fewlex.rules.book import Calibration, RuleBook, Word
from fewlex.rules.frames import Frame, frame_around, frames_of
from fewlex.rules.lessons import with_lessons

SUMS = [Word(("the", name, "of"), (sign,), "C1") for name, sign in (("sum", "+"), ("product", "*"))]


def test_the_widest_frame_that_several_terms_have() -> None:
    assert frames_of(SUMS)[0] == Frame(("the",), ("of",))
    assert frames_of(SUMS[:1]) == []
    percent = [Word((n, "percent"), (str(i), "%"), "C2") for i, n in enumerate(("ten", "twenty"))]
    assert frames_of(percent) == [Frame((), ("percent",), (), ("%",))]


def test_the_frame_of_a_word_in_a_term() -> None:
    assert frame_around(["sum"], SUMS[0], SUMS) == Frame(("the",), ("of",))
    assert frame_around(["power"], SUMS[0], SUMS) is None


def pairs_of_sums() -> list[Example]:
    signs = {"sum": "+", "product": "*", "difference": "-", "quotient": "/"}
    numbers = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
    return [
        Example.of(f"the {name} of {one} and {two}", f"( {numbers[one]} {sign} {numbers[two]} )")
        for (name, sign), one, two in product(signs.items(), numbers, numbers)
        if one != two
    ]


def answer(book: RuleBook, source: str) -> str | None:
    derivation = RuleParser(book).parse(source.split())
    return None if derivation is None else " ".join(derivation.tokens)


def test_a_taught_word_is_said_as_its_model_is() -> None:
    book = learn_rules(pairs_of_sums())
    assert book.word("sum") is None, "the learner takes the whole term, which is what this test is about"
    for like in ("sum", ""):
        taught = with_lessons(book, [("power", "^", like)])
        assert answer(taught, "the power of two and five") == "( 2 ^ 5 )", like


def test_confidence_in_taught_words_is_measured() -> None:
    """Words are held out one after the other and taught, so that confidence in a taught word is not 0."""
    words = [f"w{i}" for i in range(8)]
    pairs = [Example.of(f"{one} and {two}", f"{one.upper()} {two.upper()}") for one in words for two in words]
    book = learn_rules(pairs)
    assert book.calibration.new_words > 0.9
    derivation = RuleParser(with_lessons(book, [("new", "NEW", "w1")])).parse(["new", "and", "w3"])
    assert derivation is not None
    assert derivation.tokens == ("NEW", "W3")
    assert derivation.confidence > 0.9


def test_more_daring_than_all_that_was_checked_is_half_as_sure() -> None:
    calibration = Calibration({0: 0.9, 4: 0.6}, 10)
    assert [calibration.confidence(grade) for grade in (0, 1, 4, 5)] == [0.9, 0.6, 0.6, 0.3]
    assert calibration.confidence(2) == 0.45  # its next reading is closer than that of grade 4
    # A new filler with no other reading in sight is not judged by close readings of new words, which were wrong.
    assert Calibration({6: 0.9, 8: 0.0}, 10).confidence(9) == 0.45
    assert Calibration().confidence(0) == 0


def test_a_word_of_one_sentence_is_adopted_by_the_class_that_explains_it() -> None:
    pairs = [*pairs_of_sums(), Example.of("the power of two and five", "( 2 ^ 5 )")]
    assert answer(learn_rules(pairs), "the power of three and four") == "( 3 ^ 4 )"


def test_a_word_whose_own_sentence_contradicts_the_rules_gets_no_meaning() -> None:
    pairs = [*pairs_of_sums(), Example.of("the power of two and five", "^ ?")]
    book = learn_rules(pairs)
    assert answer(book, "the sum of three and four") == "( 3 + 4 )"
    assert answer(book, "the power of three and four") != "( 3 ^ 4 )"
