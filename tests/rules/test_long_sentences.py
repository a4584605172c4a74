"""Long sentences: not all rules that have begun are kept waiting, and the answers stay what they are."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fewlex.data import find_notation, load
from fewlex.data.example import Example
from fewlex.data.truecase import learn_truecase
from fewlex.rules import Derivation, RuleBook, RuleParser, learn_rules
from fewlex.rules.parsing.chart import Chart
from fewlex.rules.parsing.items import Lexeme
from fewlex.rules.parsing.prefixes import MAX_ALIKE
from fewlex.rules.parsing.weights import Weights
from fewlex.rules.text import from_text

NUMBERS = ("one", "two", "three")
WORDS = "\n[C]\n" + "\n".join(f"{word} ↦ {i}" for i, word in enumerate(NUMBERS, 1))
SUMS = """\
R1	_ plus _ ↦ ( #0 + #1 )	#0: C×5 R1×3 R2×3 R3 R4	#1: C×5 R2×3 R3 R4
R2	_ times _ ↦ ( #0 * #1 )	#0: C×5 R2×3 R3 R4	#1: C×5 R3 R4
R3	_ power _ ↦ ( #0 ^ #1 )	#0: C×5 R4	#1: C×5 R3×2 R4
R4	open _ close ↦ [ #0 ]	#0: R1×3 R2×3 R3×2

sentence	R1×5 R2×3 R3
"""
"""*plus* and *times* group to the left, *power* to the right, and each binds tighter than the one before it."""
JOINED = """\
R1	_ and _ ↦ ( #0 & #1 )	#0: C×9 R1 R2×3	#1: C×9 R1×3 R2×3
R2	_ after _ ↦ ( #1 ; #0 )	#0: C×9 R1×2 R2	#1: C×9 R1 R2
R3	_ twice ↦ twice ( #0 )	#0: C×3 R1

sentence	R1×5 R2×3
"""
"""*and* and *after* group either way, and *twice* says something of one word or of all that *and* joins before it."""
EVERYTHING = 10**9
NEARLY_NOTHING = 1


def flat(rng: random.Random, operators: tuple[str, ...], joints: int, twice: float = 0.0) -> list[str]:
    """Numbers with operators between them; *twice* follows this share of the numbers."""
    sentence = [rng.choice(NUMBERS)]
    for _ in range(joints):
        if rng.random() < twice:
            sentence.append("twice")
        sentence += [rng.choice(operators), rng.choice(NUMBERS)]
    return sentence


def bracketed(rng: random.Random, joints: int) -> list[str]:
    """Brackets within brackets, and in each of them long sequences without any."""
    if joints < 20:
        return flat(rng, ("plus", "times", "power"), joints)
    outer = joints // 3
    return [
        *flat(rng, ("plus", "times"), outer),
        *("plus", "open", *bracketed(rng, joints - 2 * outer), "close", "times"),
        *flat(rng, ("plus", "power"), outer),
    ]


LONG: dict[str, Callable[[random.Random], list[str]]] = {
    "to the left": lambda rng: flat(rng, ("plus",), 130),
    "to the right": lambda rng: flat(rng, ("power",), 130),
    "mixed": lambda rng: flat(rng, ("plus", "times", "power"), 130),
    "one after the other": lambda rng: [
        *flat(rng, ("times",), 50),
        *("plus", *flat(rng, ("times",), 50)),
        *("plus", *flat(rng, ("power",), 50)),
    ],
    "bracketed": lambda rng: bracketed(rng, 150),
}


def parse(book: RuleBook, sentence: list[str], max_alike: int = MAX_ALIKE) -> Derivation:
    derivation = RuleParser(book, max_items=10**9, max_alike=max_alike).parse(sentence)
    assert derivation is not None
    return derivation


def assert_same(one: Derivation, other: Derivation) -> None:
    assert one.tokens == other.tokens
    assert one.score == pytest.approx(other.score)
    assert one.margin == pytest.approx(other.margin)
    assert one.grade == other.grade


@pytest.mark.parametrize("kind", LONG)
def test_the_answer_is_that_of_the_whole_chart(kind: str) -> None:
    book = from_text(SUMS + WORDS, "sums")
    sentence = LONG[kind](random.Random(kind))
    assert len(sentence) > 250
    whole = parse(book, sentence, EVERYTHING)
    assert_same(parse(book, sentence), whole)
    # Rules are left out of these sentences: with too few, the next best readings are no longer there.
    assert parse(book, sentence, NEARLY_NOTHING).margin > whole.margin + 0.1


def test_with_too_few_rules_an_ambiguous_sentence_has_a_worse_reading() -> None:
    book = from_text(JOINED + WORDS, "joined")
    rng = random.Random(0)
    sentences = [flat(rng, ("and", "after"), 80, twice=0.4) for _ in range(3)]
    lost = {
        kept: [parse(book, s, EVERYTHING).score - parse(book, s, kept).score for s in sentences]
        for kept in (NEARLY_NOTHING, MAX_ALIKE)
    }
    assert max(lost[MAX_ALIKE]) < 0.1
    assert min(lost[NEARLY_NOTHING]) > 0.5


def test_whatever_is_kept_has_a_reading_of_all_words_before_it() -> None:
    """So even one rule that is kept for each hole completes the sentence, where nothing says which ones are needed."""
    rng = random.Random(0)
    book = from_text(JOINED + WORDS, "joined")
    for joints in (10, 50, 90):
        sentence = flat(rng, ("and", "after"), joints)
        assert parse(book, sentence, NEARLY_NOTHING).tokens.count("(") == joints


def test_learned_commands_of_three_hundred_words() -> None:
    """Sentences of at most seven words are learned from. Before *after* and after it, *and* joins everything."""
    rng = random.Random(0)
    acts = {f"act{i}": f"A{i}" for i in range(8)}

    def clause(joints: int) -> tuple[list[str], list[str]]:
        source: list[str] = []
        target: list[str] = []
        for _ in range(joints + 1):
            act, times = rng.choice(list(acts)), rng.choice((1, 2))
            source += [*(["and"] if source else []), act, *(["twice"] if times == 2 else [])]
            target += [acts[act]] * times
        return source, target

    def command(joints: int) -> Example:
        (first, done_first), (second, done_second) = clause(rng.randint(0, joints)), clause(joints)
        return Example((*first, "after", *second), (*done_second, *done_first))

    def alone(joints: int) -> Example:
        source, target = clause(joints)
        return Example(tuple(source), tuple(target))

    pairs = [command(1) for _ in range(300)] + [alone(1) for _ in range(100)]
    parser = RuleParser(learn_rules(pairs), max_items=10**9)
    for _ in range(3):
        example = command(100)
        derivation = parser.parse(example.source)
        assert derivation is not None
        assert derivation.tokens == example.target


@pytest.mark.slow
@pytest.mark.usefixtures("published")
def test_rules_of_cogs_read_long_sentences_as_the_whole_chart_does() -> None:
    corpus, notation = load("cogs"), find_notation("nested", "cogs")
    assert notation is not None
    truecase = learn_truecase(example.source for example in corpus["train"])
    book = learn_rules(corpus.truecased(truecase).in_notation(notation)["train"])
    rng = random.Random(0)

    def noun(places: int) -> list[str]:
        more = [
            (rng.choice(("in", "on", "beside")), "a", rng.choice(("house", "tree"))) for _ in range(places)
        ]
        return [
            rng.choice(("a", "the")),
            rng.choice(("cake", "girl")),
            *(word for place in more for word in place),
        ]

    for clauses, before, after in ((0, 0, 70), (0, 30, 40), (40, 10, 30)):
        said = [[*noun(0), rng.choice(("said", "hoped")), "that"] for _ in range(clauses)]
        sentence = [*(word for words in said for word in words), *noun(before), "ate", *noun(after), "."]
        assert len(sentence) > 200
        assert_same(parse(book, sentence), parse(book, sentence, EVERYTHING))


def n_items(book: RuleBook, length: int, max_alike: int = MAX_ALIKE) -> int:
    """What the chart of `a and a and a …` costs."""
    (word,) = book.words
    lexemes = [[Lexeme(word, {})] if place % 2 == 0 else [] for place in range(length)]
    words = tuple("and" if place % 2 else "a" for place in range(length))
    return Chart(words, lexemes, book.rules, Weights(book), None, 10**9, max_alike).n_items


def test_the_chart_grows_with_the_square_of_the_length() -> None:
    book = from_text("R1\t_ and _ ↦ #0 #1\t#0: C×2 R1\t#1: C×2 R1\n\n[C]\na ↦ A", "joined")
    assert n_items(book, 501) < 4 * n_items(book, 251)
    assert n_items(book, 251, EVERYTHING) > 4 * 1.2 * n_items(book, 125, EVERYTHING)
