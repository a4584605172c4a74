"""Knowing when to be silent: how far the rules can be trusted is measured on templates that they have not seen.

The rules are learned from a part of the templates and answer sentences of the others. Each answer has a grade, which
says how daring its derivation is; the share of right answers of a grade is the confidence of all derivations of it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from fewlex.rules.book import Calibration, RuleBook
from fewlex.rules.brackets import open_ended
from fewlex.rules.links import Pair
from fewlex.rules.parser import RuleParser
from fewlex.rules.templates import Lexis

N_FOLDS = 5
"""A small corpus is divided into so many parts, each of which is answered once."""

ENOUGH_ANSWERS, ENOUGH_PAIRS = 300, 2000
"""With so many answers there is no need for another part; from a large corpus so many pairs are taken."""

PRIOR_WEIGHT = 1.0
"""The confidence in all grades together weighs as much as this many answers of one grade."""

Learn = Callable[[Sequence[Pair]], RuleBook]


def calibrate(pairs: Sequence[Pair], lexis: Lexis, learn: Learn, wanted: float) -> Calibration:
    """What share of the answers of each grade is right."""
    right: Counter[int] = Counter()
    answers: Counter[int] = Counter()
    for known, unknown in _folds(pairs, lexis):
        book = learn(known)
        parser = RuleParser(book)
        for source, target in unknown:
            derivation = parser.parse(source)
            if derivation is not None:
                answers[derivation.grade] += 1
                right[derivation.grade] += derivation.tokens == _as_in(book, target)
        if answers.total() >= ENOUGH_ANSWERS:
            break
    if not answers:
        return Calibration(wanted=wanted)
    prior = right.total() / answers.total()
    precision = {
        grade: (right[grade] + PRIOR_WEIGHT * prior) / (answers[grade] + PRIOR_WEIGHT)
        for grade in sorted(answers)
    }
    return Calibration(precision, answers.total(), wanted)


def _as_in(book: RuleBook, target: tuple[str, ...]) -> tuple[str, ...]:
    return open_ended(target) if book.is_open_ended else target


def _folds(pairs: Sequence[Pair], lexis: Lexis) -> Iterator[tuple[list[Pair], list[Pair]]]:
    """Pairs to learn from, and pairs of templates that are not among them."""
    chosen = list(pairs)
    rng = random.Random(0)
    rng.shuffle(chosen)
    chosen = chosen[:ENOUGH_PAIRS]
    symbols = [tuple(lexis.classes.get(unit, unit) for unit in lexis.units(source)) for source, _ in chosen]
    templates = sorted(set(symbols))
    rng.shuffle(templates)
    fold_of = {template: number % N_FOLDS for number, template in enumerate(templates)}
    for fold in range(N_FOLDS):
        known = [pair for pair, template in zip(chosen, symbols, strict=True) if fold_of[template] != fold]
        unknown = [pair for pair, template in zip(chosen, symbols, strict=True) if fold_of[template] == fold]
        if known and unknown:
            yield known, unknown[:ENOUGH_ANSWERS]
