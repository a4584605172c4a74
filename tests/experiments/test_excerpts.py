"""What a result keeps of a lexicon can be laid beside that of another."""

from __future__ import annotations

from fewlex.data.example import Example
from fewlex.experiments.excerpts import WORDS_SHOWN, lexicon_excerpt
from fewlex.lexicon import Entry, Lexicon

RARE = [f"rare{i:02}" for i in range(WORDS_SHOWN)]
OFTEN = [f"often{i:02}" for i in range(WORDS_SHOWN)]
TRAIN = [Example((word,), (word.upper(),)) for word in (*OFTEN, *OFTEN, *RARE)]


def excerpt(entries: dict[str, str]) -> dict[str, dict[str, float]]:
    lexicon = Lexicon((source, target, Entry(1.0)) for source, target in entries.items())
    return lexicon_excerpt(lexicon, TRAIN, TRAIN)


def test_the_words_do_not_depend_on_what_was_learned() -> None:
    of_rare, of_often = excerpt({"rare00": "RARE00"}), excerpt({word: word.upper() for word in OFTEN})
    assert list(of_rare) == list(of_often) == RARE


def test_a_word_without_entry_has_an_empty_row() -> None:
    """Not the background: that is all other target words, and would look like entries."""
    rows = excerpt({"rare00": "RARE00"})
    assert rows["rare00"] == {"RARE00": 1.0}
    assert rows["rare01"] == {}
