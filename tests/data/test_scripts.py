"""Guesses about text that was cut at white space."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fewlex.data import Corpus, Example, load
from fewlex.data.scripts import guess_side, warnings_of


def corpus(targets: Sequence[str], tokenizer: str = "whitespace") -> Corpus:
    examples = tuple(Example(("go",), tuple(target.split())) for target in targets)
    return Corpus("mine.tsv", {"train": examples}, target_tokenizer=tokenizer)


RAW = ("你能跳绳吗？", "我不知道你在说什么。")


@pytest.mark.parametrize(
    ("targets", "tokenizer"),
    [
        (RAW, "jieba"),
        (("你 能 跳绳 吗 ？", "我 不 知道 。"), ""),
        (("これはペンではありません。",), "characters"),
        (("ฉันไม่รู้จักคุณเลย",), "characters"),
        (("Run to the house!", "Well, he is here."), "marks"),
        (("RUN RUN", "JUMP"), ""),
        (("dog.PL.DAT see", "dog.DAT cat.PL", "cat.DAT cat.PL.DAT", "cow.PL cow.DAT", "dog.PL cow"), "parts"),
        (
            tuple(
                f"=MAX({c}{i}:{d}{j})" for c in "ABCD" for d in "AB" for i in (2, 3, 4, 5) for j in (7, 8, 9)
            ),
            "codes",
        ),
        (
            ("show all", "SELECT * FROM t WHERE x > 3", "SELECT COUNT(*) FROM t", "SELECT MAX(x) FROM t"),
            "marks",
        ),
        (tuple(f"{2000 + i}-0{j}-0{k}" for i in range(3) for j in (1, 2, 3) for k in (1, 2)), "parts"),
        (("costs 3.50", "costs 2.99", "costs 3.99", "costs 2.50"), ""),
        (("dev.lamp = on", "dev.fan = off", "dev.door = open"), ""),
        (("dog ￭.￭ PL", "cat ￭.￭ PL see ￭."), ""),
        (("on ( device = lamp )",), ""),
    ],
)
def test_the_tokenizer_that_text_needs(targets: Sequence[str], tokenizer: str) -> None:
    assert guess_side(corpus(targets)["train"], "target").tokenizer == tokenizer


def test_raw_chinese_is_warned_of_only_where_white_space_cut_it() -> None:
    (message,) = warnings_of(corpus(RAW))
    assert "--target-tokenizer jieba" in message
    assert warnings_of(corpus(RAW, "jieba")) == []
    assert warnings_of(load("colors")) == []


def test_words_are_read_letter_by_letter_where_letters_count() -> None:
    """Spelling and sound have lengths that go together; words and their translations do not."""
    rng = random.Random(0)
    words = ["".join(rng.choice("abdegiklmnop") for _ in range(rng.randrange(3, 9))) for _ in range(60)]
    sounds = [Example((word,), tuple(word.upper())) for word in words]
    assert guess_side(sounds, "source").tokenizer == "characters"
    assert guess_side(sounds, "target").tokenizer == ""
    forms = [Example((word,), (f"{word}en",)) for word in words]
    assert guess_side(forms, "source").tokenizer == guess_side(forms, "target").tokenizer == "characters"
    translations = [Example((word,), (other,)) for word, other in zip(words, sorted(words), strict=True)]
    assert guess_side(translations, "source").tokenizer == ""
    assert guess_side(sounds * 2, "source").tokenizer == "", "words that come again are words"


def test_forms_of_words_are_spelled_on_both_sides() -> None:
    """*please ING* is pleasing: the target takes its letters from one of the source words."""
    verbs = ["walk", "please", "try", "stop", "jump", "bake", "carry", "plan", "visit", "fix"]
    endings = {"ING": "ing", "PAST": "ed", "3SG": "s"}
    forms = [Example((verb, tag), (verb + ending,)) for verb in verbs for tag, ending in endings.items()]
    assert {guess_side(forms, side).tokenizer for side in ("source", "target")} == {"characters"}
    copied = [Example((verb, str(i)), (verb,)) for i, verb in enumerate(verbs * 3)]
    assert guess_side(copied, "target").tokenizer == "", "whole words are copied"


def test_targets_that_never_come_again_are_spelled_where_their_sources_are_made_of_known_words() -> None:
    """Of *seven thousand twelve* every word is known, but 7012 is no target of training."""
    digits = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
    numbers = [
        Example((a, b, c), (digits[a] + digits[b] + digits[c],))
        for a in digits
        for b in digits
        for c in digits
    ]
    assert guess_side(numbers, "target").tokenizer == "characters"
    assert guess_side(numbers, "source").tokenizer == "", "their words come again and again"
    answers = [Example(e.source, (e.target[0][0],)) for e in numbers]
    assert guess_side(answers, "target").tokenizer == "", "these targets come again"
    asked = [Example((f"w{i}", f"v{i}"), e.target) for i, e in enumerate(numbers)]
    assert guess_side(asked, "target").tokenizer == "", "nothing is known of these sources"


def test_code_without_blanks_is_no_word() -> None:
    calls = [
        Example(("show", table, "over", str(n)), (f"load('{table}').filter(size>{n})",))
        for n in range(20)
        for table in ("users", "logs", "items")
    ]
    assert guess_side(calls, "target").tokenizer == "marks"
