"""The default on languages that nobody tuned: three of examples/ and two that only these tests know."""

from __future__ import annotations

import pytest
from sampling import KINDS, Language, draw

import fewlex
from tests.languages.measure import LANGUAGES as ALL
from tests.languages.measure import PAGE, kept_rows, with_table
from tests.languages.practice import PRACTICE


@pytest.mark.parametrize("language", [*ALL, *PRACTICE], ids=lambda language: language.name)
def test_no_test_sentence_is_in_training(language: Language) -> None:
    drawn = draw(language, 100, tests=20)
    assert len(drawn.train) == len({source for source, _ in drawn.train}) == 100
    assert drawn == draw(language, 100, tests=20), "the same seed gives the same data"
    asked = {source for pairs in drawn.tests.values() for source, _ in pairs}
    assert asked.isdisjoint(source for source, _ in drawn.train)
    shown = " ".join(source for source, _ in drawn.train).split()
    once = {word for words in language.once.values() for source, _ in words for word in source.split()[-1:]}
    assert all(shown.count(word) >= 1 for word in once)
    taught = {source for words in language.taught.values() for source, _ in words}
    assert taught.isdisjoint(shown)


CASES = [(language, pairs) for language in ALL for pairs in (800, 200)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "pairs"),
    CASES,
    ids=lambda case: str(getattr(case, "name", case)),
)
def test_the_default_learns_a_language_from_few_pairs(language: Language, pairs: int) -> None:
    drawn = draw(language, pairs)
    translator = fewlex.fit(drawn.train)
    least = 0.97 if pairs == 800 else 0.9
    for kind in KINDS:
        assert share_right(translator, drawn.tests[kind]) >= least, kind
    for source, target, like in drawn.lessons:
        translator.teach(source, target, like=like)
    assert share_right(translator, drawn.after_lessons) >= 0.97


def test_the_table_of_the_page_is_what_was_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page, kept_rows()), "run `python -m tests.languages.measure`"


def share_right(translator: fewlex.Translator, pairs: list[tuple[str, str]]) -> float:
    outputs = translator.predict([source for source, _ in pairs])
    return sum(output == target for output, (_, target) in zip(outputs, pairs, strict=True)) / len(pairs)
