"""Knowing when to be silent: how far the rules can be trusted is measured on templates that they have not seen.

The rules are learned from a part of the templates and answer sentences of the others. Each answer has a grade, which
says how daring its derivation is; the share of right answers of a grade is the confidence of all derivations of it.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from fewlex.rules.book import Calibration, RuleBook
from fewlex.rules.brackets import open_ended
from fewlex.rules.lessons import Lesson, with_lessons
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.words.links import Pair
from fewlex.rules.words.templates import Lexis

N_FOLDS = 5
"""A small corpus is divided into so many parts, each of which is answered once."""

ANSWERS_OF_A_PART, ENOUGH_ANSWERS, ENOUGH_PAIRS = 150, 100, 2000
"""So many answers are wanted of each part, and so many in all; from a large corpus so many pairs are taken."""

FIRST_OF_NEW_WORDS = 6
"""Grades from here on get no advance: one more answer is taken for wrong. The others get one that is as good as all."""

N_KINDS_OF_PARTS = 3
"""Longest templates, new words and new combinations are always held out, once each, and other templates once."""

N_NEW_WORDS, ENOUGH_SENTENCES = 3, 8
"""So many words, of the largest classes, are held out to be taught; more would take too much of the language with them.
With fewer sentences than the second number such a trial says nothing."""

N_NEW_FILLERS = 3
"""So many ways to combine rules are held out at once."""

Learn = Callable[[Sequence[Pair]], RuleBook]


def calibrate(
    pairs: Sequence[Pair], lexis: Lexis, book: RuleBook, learn: Learn, wanted: float
) -> Calibration:
    """What share of the answers of each grade is right; lexis and book are those of all pairs."""
    right: Counter[int] = Counter()
    answers: Counter[int] = Counter()
    for number, (known, unknown) in enumerate(_folds(pairs, lexis, book)):
        if number > N_KINDS_OF_PARTS and answers.total() >= ENOUGH_ANSWERS:
            break
        if not known or not unknown:
            continue
        parser = RuleParser(learn(known))
        for source, target in unknown:
            derivation = parser.parse(source)
            if derivation is not None:
                answers[derivation.grade] += 1
                right[derivation.grade] += derivation.tokens == _as_in(book, target)
    if not answers:
        return Calibration(wanted=wanted)
    new_words = _try_new_words(pairs, lexis, book, learn, right, answers)
    prior = right.total() / answers.total()
    precision = {
        grade: (right[grade] + (prior if grade < FIRST_OF_NEW_WORDS else 0)) / (answers[grade] + 1)
        for grade in sorted(answers)
    }
    return Calibration(precision, answers.total(), wanted, new_words)


def _try_new_words(
    pairs: Sequence[Pair],
    lexis: Lexis,
    book: RuleBook,
    learn: Learn,
    right: Counter[int],
    answers: Counter[int],
) -> float:
    """The share of right answers to sentences of words that were seen once, and of words that were taught.

    The lower of the two counts, and no answer counts as wrong. Answers with taught words are counted by their grade;
    the other answers of these trials say nothing new.
    """
    rng = random.Random(1)
    chosen = rng.sample(list(pairs), min(len(pairs), ENOUGH_PAIRS))
    members: dict[str, list[str]] = defaultdict(list)
    for word, kind in sorted(lexis.classes.items()):
        members[kind].append(word)
    largest = sorted(members.values(), key=len, reverse=True)[:N_NEW_WORDS]
    new = dict(rng.sample(words, 2) for words in largest if len(words) > 2)
    lessons = [(word, " ".join(lexis.links[word]), like) for word, like in new.items()]
    holds = [not new.keys().isdisjoint(lexis.units(source)) for source, _ in chosen]
    once = _but_the_shortest(chosen, lexis, set(new))
    trials: list[tuple[list[bool], list[Lesson]]] = [(once, []), (holds, lessons)]
    lowest = 1.0
    for is_held_out, taught in trials:
        known, unknown = _parted(chosen, is_held_out)
        if not known or len(unknown) < ENOUGH_SENTENCES:
            continue
        parser = RuleParser(with_lessons(learn(known), taught))
        hits = 0
        for source, target in unknown:
            derivation = parser.parse(source)
            is_right = derivation is not None and derivation.tokens == _as_in(book, target)
            hits += is_right
            if taught and derivation is not None and derivation.grade >= FIRST_OF_NEW_WORDS:
                answers[derivation.grade] += 1
                right[derivation.grade] += is_right
        lowest = min(lowest, hits / len(unknown))
    return lowest


def _as_in(book: RuleBook, target: tuple[str, ...]) -> tuple[str, ...]:
    return open_ended(target) if book.is_open_ended else target


def _folds(pairs: Sequence[Pair], lexis: Lexis, book: RuleBook) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Pairs to learn from, and pairs that are different in some way.

    At first the longest templates are held out, because longer sentences will come. Then all sentences but one of some
    words, because new words will come; then sentences in which certain rules stand in certain holes, because rules will
    be combined in new ways. Then other templates.
    """
    chosen = list(pairs)
    rng = random.Random(0)
    rng.shuffle(chosen)
    chosen = chosen[:ENOUGH_PAIRS]
    symbols = [tuple(lexis.classes.get(unit, unit) for unit in lexis.units(source)) for source, _ in chosen]
    templates = sorted(set(symbols), key=lambda template: (len(template), template))
    longest = set(templates[len(templates) * (N_FOLDS - 1) // N_FOLDS :])
    yield _parted(chosen, [template in longest for template in symbols])
    yield _parted(chosen, _is_of_new_word(chosen, lexis, rng))
    yield _parted(chosen, _has_new_filler(chosen, book, rng))
    rng.shuffle(templates)
    for fold in range(N_FOLDS):
        held_out = set(templates[fold::N_FOLDS])
        yield _parted(chosen, [template in held_out for template in symbols])


def _is_of_new_word(pairs: Sequence[Pair], lexis: Lexis, rng: random.Random) -> list[bool]:
    """True for all pairs but the shortest of each of some words, which are one word of each of the larger classes."""
    members: dict[str, list[str]] = defaultdict(list)
    for word, kind in sorted(lexis.classes.items()):
        members[kind].append(word)
    return _but_the_shortest(
        pairs, lexis, {rng.choice(words) for words in members.values() if len(words) > 2}
    )


def _but_the_shortest(pairs: Sequence[Pair], lexis: Lexis, new: set[str]) -> list[bool]:
    """True for all pairs but the shortest of each of the new words."""
    is_held_out = [False] * len(pairs)
    for word in sorted(new):
        places = [place for place, (source, _) in enumerate(pairs) if word in lexis.units(source)]
        shortest = min(places, key=lambda place: len(pairs[place][0]), default=-1)
        for place in places:
            is_held_out[place] = is_held_out[place] or place != shortest
    return is_held_out


def _has_new_filler(pairs: Sequence[Pair], book: RuleBook, rng: random.Random) -> list[bool]:
    """True for pairs that combine rules in one of some rare ways."""
    parser = RuleParser(book)
    combined: list[set[tuple[str, int, str]]] = []
    for source, _ in pairs:
        derivation = parser.parse(source)
        combined.append(
            {
                (node.kind, hole, child.kind)
                for node in (derivation.root if derivation else ())
                for hole, child in enumerate(node.children)
                if child.children
            }
        )
    counts = Counter(way for ways in combined for way in ways)
    rare = sorted(way for way, n in counts.items() if n <= len(pairs) / N_FOLDS)
    new = set(rng.sample(rare, min(len(rare), N_NEW_FILLERS)))
    return [not new.isdisjoint(ways) for ways in combined]


def _parted(pairs: Sequence[Pair], is_held_out: Sequence[bool]) -> tuple[list[Pair], list[Pair]]:
    """What is known and, of what is not, as many pairs as it takes."""
    known = [pair for pair, is_out in zip(pairs, is_held_out, strict=True) if not is_out]
    unknown = [pair for pair, is_out in zip(pairs, is_held_out, strict=True) if is_out]
    return known, unknown[:ANSWERS_OF_A_PART]
