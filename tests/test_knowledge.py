"""Lessons are checked in one place, whoever teaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from fewlex.errors import LexiconError
from fewlex.knowledge import Knowledge, Lesson
from tests.model.conftest import EXAMPLES, small_config

FAST = small_config({}, {"probability": 0.5})


@pytest.fixture
def knowledge() -> Knowledge:
    return Knowledge.learn(EXAMPLES, FAST)


@pytest.mark.parametrize(
    ("source", "target", "like", "problem"),
    [
        ("<unk>", "X", "", "'<unk>' in '<unk>' is one of fewlex's own symbols"),
        ("blork", "<s>", "", "'<s>' in '<s>' is one of fewlex's own symbols"),
        ("blork", "X", "</s>", "'</s>' in '</s>' is one of fewlex's own symbols"),
        ("blork", "X", "nonexistent", "like 'nonexistent': the run was not trained with this word"),
        ("  ", "X", "", "finds no token in '  '"),
        ("blork", "", "", "finds no token in ''"),
    ],
)
def test_a_lesson_that_makes_no_sense(
    knowledge: Knowledge, source: str, target: str, like: str, problem: str
) -> None:
    with pytest.raises(LexiconError) as caught:
        knowledge.lesson(source, target, like)
    assert problem in str(caught.value)


def test_a_file_of_lessons_is_checked_too(knowledge: Knowledge, tmp_path: Path) -> None:
    (tmp_path / "lessons.tsv").write_text("source\ttarget\tlike\nblork\tX\tnonexistent\n")
    with pytest.raises(LexiconError, match="like 'nonexistent'"):
        knowledge.lessons_in(tmp_path / "lessons.tsv")


def test_teaching_makes_new_knowledge(knowledge: Knowledge) -> None:
    taught = knowledge.taught([Lesson("New York", "NY"), Lesson("blork", "B")])
    assert taught.units(("in", "New", "York")) == ("in", "New York")
    assert "blork" in taught.extended_vocabs[0]
    assert "B" in taught.extended_vocabs[1]
    assert taught.source_vocab == knowledge.source_vocab
    assert "blork" not in knowledge.lexicon, "the knowledge that was there before has not changed"
    assert knowledge.units(("in", "New", "York")) == ("in", "New", "York")


def test_what_a_table_shows_can_be_named_as_it_stands(knowledge: Knowledge) -> None:
    taught = knowledge.taught([Lesson("a b", "A B")])
    assert taught.forgettable("a b", "A B") == ("a b", "A B")
    assert taught.forgettable("  a   b ") == ("a b", None)
