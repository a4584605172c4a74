"""A word that repeats itself is read as a mark, so that one rule, or one vector, stands for all repetitions."""

from __future__ import annotations

from pathlib import Path

import fewlex
from fewlex.data.form import AGAIN, Form, with_marked_repeats

PAIRS = [
    (
        f"{word}{' ' + word if is_long else ''} {vowel}",
        f"{word.upper()}{' :' if is_long else ''} {vowel.upper()}",
    )
    for vowel in "aeiou"
    for word in "ptlmn"
    for is_long in (False, True)
    if not (word == "n" and is_long)
]


def test_a_repetition_is_marked_and_keeps_its_place() -> None:
    assert with_marked_repeats(("a", "a", "b", "a", "a", "a")) == ("a", AGAIN, "b", "a", AGAIN, AGAIN)
    assert with_marked_repeats(()) == ()
    assert Form().read(("a", "a")) == ("a", "a")
    assert Form(mark_repeats=True).read(("a", "a")) == ("a", AGAIN)


def test_what_a_repetition_means_is_learned_for_all_words(tmp_path: Path) -> None:
    """Training has no long *n*: without the mark, `n n` is two sounds."""
    translator = fewlex.fit(PAIRS, tmp_path / "run")
    assert fewlex.Run.open(tmp_path / "run").read_config().data.mark_repeats
    assert translator.predict(["n n a", "n a"]) == ["N : A", "N A"]
