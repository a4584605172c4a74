"""Words share groups of letters, and scripts without blanks share characters."""

from __future__ import annotations

from fewlex.data.letter_groups import MAX_GROUPS, letter_groups, spelling_of


def test_groups_of_letters_know_where_a_word_begins_and_ends() -> None:
    assert list(letter_groups("Walk")) == ["<wa", "wal", "alk", "lk>", "<wal", "walk", "alk>"]
    assert list(letter_groups("I")) == ["<i>"]


def test_characters_are_the_groups_of_a_script_without_blanks() -> None:
    assert list(letter_groups("喜欢")) == ["喜", "欢"]


def test_marks_and_numbers_have_no_groups() -> None:
    assert [*letter_groups(","), *letter_groups("17"), *letter_groups("")] == []


def test_only_shared_groups_are_numbered() -> None:
    spelling = spelling_of(["", "walk", "walks", "喜"])
    none, walk, walks, alone = spelling.groups
    assert none == alone == ()
    assert len(set(walk) & set(walks)) == 5  # <wa wal alk <wal walk
    assert set(walk) | set(walks) == set(range(1, spelling.count + 1))


def test_long_words_keep_the_groups_that_tell_the_most() -> None:
    long = "internationalization"
    spelling = spelling_of([long, long.upper(), "inter", "int"])
    assert len(spelling.groups[0]) == MAX_GROUPS
    shared = spelling_of(["inter", "int"]).groups
    assert shared  # common groups such as <in are given up first
    assert not set(spelling.groups[3]) <= set(spelling.groups[0])
