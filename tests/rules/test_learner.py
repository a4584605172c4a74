"""What the learner finds: the rules of Colors, terms, words of several tokens, silent words; rules despite mistakes."""

from __future__ import annotations

import random
from itertools import product

import pytest

from fewlex.data import load
from fewlex.data.example import Example
from fewlex.lexicon import Entry, Lexicon
from fewlex.rules import RuleBook, RuleParser, learn_rules
from fewlex.rules.book import SAME, SILENT

ACTIONS = {"walk": "WALK", "run": "RUN", "look": "LOOK", "enter": "GO IN", "garage door": "DOOR"}


def phrase(action: str, how: str) -> tuple[str, str]:
    target = ACTIONS[action]
    repeated = {"": target, "twice": f"{target} {target}", "around": f"LEFT {target} LEFT {target}"}[how]
    return f"{action} {how}".strip(), repeated


def commands(joins: tuple[str, ...] = ("and", "after")) -> list[tuple[str, str]]:
    phrases = [phrase(action, how) for action, how in product(ACTIONS, ("", "twice", "around"))]
    pairs = list(phrases)
    for join, (first, one), (second, other) in product(joins, phrases, phrases):
        pairs.append((f"{first} {join} {second}", f"{other} {one}" if join == "after" else f"{one} {other}"))
    return pairs


def examples(pairs: list[tuple[str, str]]) -> list[Example]:
    return [Example(tuple(source.split()), tuple(target.split())) for source, target in pairs]


def answer(book: RuleBook, sentence: str) -> str:
    derivation = RuleParser(book).parse(sentence.split())
    return " ".join(derivation.tokens) if derivation else ""


@pytest.fixture(scope="module")
def book() -> RuleBook:
    return learn_rules(examples(random.Random(1).sample(commands(), 250)))


def test_colors_has_three_rules_and_all_ten_answers() -> None:
    corpus = load("colors")
    book = learn_rules(corpus["train"])
    assert {str(rule) for rule in book.rules} == {
        "_ fep ↦ #0 #0 #0",
        "_ kiki _ ↦ #1 #0",
        "_ blicket _ ↦ #0 #1 #0",
    }
    parser = RuleParser(book)
    assert [parser.parse(example.source).tokens for example in corpus["test"]] == [
        example.target for example in corpus["test"]
    ]


def test_a_word_of_several_tokens_and_a_term_of_several_words_fill_holes(book: RuleBook) -> None:
    assert book.word("enter").target == ("GO", "IN")
    assert book.word("garage door").target == ("DOOR",)
    assert answer(book, "enter around after garage door twice") == "DOOR DOOR LEFT GO IN LEFT GO IN"


def test_sentences_that_are_longer_than_all_training_sentences_are_derived(book: RuleBook) -> None:
    assert answer(book, "walk twice and enter and look around and run") == (
        "WALK WALK GO IN LEFT LOOK LEFT LOOK RUN"
    )


def test_each_token_points_at_the_word_that_it_comes_from(book: RuleBook) -> None:
    derivation = RuleParser(book).parse(["run", "after", "garage", "door", "twice"])
    assert derivation.tokens == ("DOOR", "DOOR", "RUN")
    assert derivation.positions == (2, 2, 0)
    assert [(node.start, node.end) for node in derivation.root] == [(0, 5), (0, 1), (2, 5), (2, 4)]


def test_a_word_that_is_taught_works_in_every_rule_at_once(book: RuleBook) -> None:
    taught = book.with_word(["blork"], ["I_BLORK"], like="walk")
    assert answer(taught, "blork around after blork twice") == ("I_BLORK I_BLORK LEFT I_BLORK LEFT I_BLORK")


def test_words_of_the_lexicon_are_in_the_book() -> None:
    lexicon = Lexicon([("blork", "I_BLORK", Entry(1.0, like="run")), ("walk", "STROLL", Entry(1.0))])
    book = learn_rules(examples(commands()[:60]), lexicon=lexicon)
    assert answer(book, "blork twice") == "I_BLORK I_BLORK"
    assert answer(book, "walk twice") == "STROLL STROLL"


def test_words_that_say_nothing_and_words_that_say_the_same_are_found() -> None:
    rng = random.Random(2)
    pairs = [
        (f"please {source}" if rng.random() < 0.5 else source, target)
        for source, target in commands(("and",))
    ]
    pairs = [
        (source.replace("and", "plus") if rng.random() < 0.5 else source, target) for source, target in pairs
    ]
    book = learn_rules(examples(pairs))
    kinds = {word.term: word.kind for word in book.words}
    assert kinds["please"] == SILENT
    assert SAME in (kinds.get("and"), kinds.get("plus"))
    assert answer(book, "please look plus please run twice") == "LOOK RUN RUN"


def test_wrong_pairs_change_no_rule(book: RuleBook) -> None:
    rng = random.Random(3)
    pairs = commands()
    wrong = set(rng.sample(range(len(pairs)), len(pairs) // 20))
    noisy = [
        (s, commands()[rng.randrange(len(pairs))][1] if i in wrong else t) for i, (s, t) in enumerate(pairs)
    ]
    learned = learn_rules(examples(noisy))
    assert {str(rule) for rule in learned.rules} == {str(rule) for rule in book.rules}
    assert learned.measured.noise == pytest.approx(0.05, abs=0.02)


def test_pairs_without_a_grammar_give_no_rules_and_a_reason() -> None:
    rng = random.Random(4)
    words = [f"w{i}" for i in range(300)]
    tokens = [f"t{i}" for i in range(300)]
    pairs = [(" ".join(rng.choices(words, k=6)), " ".join(rng.choices(tokens, k=6))) for _ in range(600)]
    book = learn_rules(examples(pairs))
    assert not book.rules
    assert "no small grammar" in book.measured.silence
    assert learn_rules([]).measured.silence


def test_rules_speak_only_where_they_were_right_on_held_out_templates(book: RuleBook) -> None:
    assert RuleParser(book).parse(["walk", "and", "look", "twice"]).is_sure
    rng = random.Random(5)
    arbitrary = [
        (source, " ".join(rng.sample(target.split(), len(target.split())))) for source, target in commands()
    ]
    unsure = RuleParser(learn_rules(examples(arbitrary[:120])))
    answers = [unsure.parse(source.split()) for source, _ in commands()[120:200]]
    assert sum(derivation is not None and derivation.is_sure for derivation in answers) <= 8


@pytest.mark.slow
@pytest.mark.parametrize("split", ["jump", "around_right", "length"])
def test_scan_is_solved(split: str) -> None:
    corpus = load(f"scan:{split}")
    book = learn_rules(corpus["train"])
    parser = RuleParser(book)
    assert len(book.rules) == 9
    assert all(parser.parse(example.source).tokens == example.target for example in corpus["test"])


@pytest.mark.slow
def test_a_fifth_of_the_targets_of_jump_with_a_wrong_token() -> None:
    corpus, rng = load("scan:jump"), random.Random(0)
    tokens = sorted({token for example in corpus["train"] for token in example.target})
    noisy = []
    for example in corpus["train"]:
        target = list(example.target)
        if rng.random() < 0.2:
            target[rng.randrange(len(target))] = rng.choice(tokens)
        noisy.append(Example(example.source, tuple(target)))
    parser = RuleParser(learn_rules(noisy))
    sample = rng.sample(corpus["test"], 500)
    right = sum(parser.parse(example.source).tokens == example.target for example in sample)
    assert right >= 0.98 * len(sample)
