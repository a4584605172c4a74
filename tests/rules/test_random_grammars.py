"""The languages that the learner of rules is tried on are what they claim to be."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.hand_written import assistant, queries
from tests.rules.random_grammars import Language, draw_language, score
from tests.rules.synchronous import Choice, Grammar, Hole, Production

LANGUAGES = [draw_language(seed) for seed in range(4)] + [assistant(), queries()]


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    drawn: Language = request.param
    return drawn


def test_every_sentence_has_exactly_the_target_it_was_drawn_with(language: Language) -> None:
    for drawn in (*language.train[:60], *language.same[:30], *language.deeper[:20]):
        assert language.grammar.readings(drawn.source) == {drawn.target}


def test_training_shows_every_word_and_every_combination_that_is_asked_for(language: Language) -> None:
    sources = {word for drawn in language.train for word in drawn.source}
    targets = {token for drawn in language.train for token in drawn.target}
    seen = Counter(pair for drawn in language.train for pair in drawn.pairs)
    for drawn in (*language.same, *language.deeper):
        assert sources.issuperset(drawn.source)
        assert targets.issuperset(drawn.target)
        assert all(seen[pair] >= 2 for pair in drawn.pairs)


def test_held_out_sentences_are_new_and_deeper_ones_are_deeper(language: Language) -> None:
    known = {drawn.source for drawn in language.train}
    assert known.isdisjoint(drawn.source for drawn in (*language.same, *language.deeper))
    height = max(drawn.height for drawn in language.train)
    size = max(drawn.size for drawn in language.train)
    assert all(drawn.height > height or drawn.size > size for drawn in language.deeper)


def test_a_seed_always_gives_the_same_language() -> None:
    assert draw_language(3) == LANGUAGES[3]


def test_an_ambiguous_sentence_has_two_readings() -> None:
    grammar = Grammar(
        (
            Production("a", "S", ("a",), ("A",), is_word=True),
            Production(
                "minus", "S", (Hole("S"), Choice((("minus",), ("less",))), Hole("S")), ("(", 0, 1, ")")
            ),
        )
    )
    assert grammar.readings(("a", "minus", "a", "less", "a")) == {
        ("(", "(", "A", "A", ")", "A", ")"),
        ("(", "A", "(", "A", "A", ")", ")"),
    }


def test_scores_are_counted_by_what_is_in_a_sentence() -> None:
    language = LANGUAGES[-1]
    truth = {drawn.source: drawn.target for drawn in (*language.same, *language.deeper)}
    assert score(language, truth.__getitem__).accuracy == 1
    partly = score(language, lambda source: truth[source] if "whose" not in source else None)
    assert 0 < partly.accuracy < 1
    assert partly.by_tag()["same depth"] > 0
