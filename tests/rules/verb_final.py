"""A fourth family, which development never looks at: verbs come last, particles mark who does what, order is free.

Chains of possessors branch to the left, reported sentences stand in the middle, and the parts of a sentence may change
places without a change of meaning.
"""

from __future__ import annotations

import random

from tests.rules.coining import Coiner, Notation
from tests.rules.families import operator, sentences, step, unary
from tests.rules.synchronous import Grammar, Hole, Production, Symbol

NP = Hole("NP")


def verb_final(rng: random.Random) -> Grammar:
    coin = Coiner(rng)
    notation = Notation(rng, coin, is_bracketed=rng.random() < 0.7)
    productions = coin.word_class("noun", rng.randint(4, 15))
    productions += [step("NP", "N1", weight=3.0), step("N1", "noun", weight=2.0)]
    for number in range(rng.randint(0, 2)):
        target, tags = notation.apply(1, [0])
        source: tuple[Symbol, ...] = (NP, coin.word(), Hole("N1"))
        productions.append(Production(f"of{number}", "NP", source, target, frozenset({"nest", *tags})))
    if rng.random() < 0.5:
        productions += coin.word_class("adjective", rng.randint(2, 5))
        target, tags = notation.apply(1, [0])
        source = (Hole("adjective"), Hole("noun"))
        productions.append(Production("adjective", "N1", source, target, frozenset({"wrap", *tags})))
    productions += _clauses(rng, coin, notation)
    productions.append(step("C1", "C0", weight=3.0))
    if rng.random() < 0.6:
        target, tags = unary(rng, coin, notation)
        productions.append(Production("not", "C1", (Hole("C0"), coin.word()), target, frozenset(tags)))
    productions.append(step("C2", "C1", weight=2.0))
    if rng.random() < 0.7:
        side = rng.choice(("left", "right", "none"))
        productions.append(operator(rng, coin, notation, "join", "infix", side, "C2", "C1"))
    productions += sentences(rng, coin, "C2")
    return Grammar(tuple(productions))


def _clauses(rng: random.Random, coin: Coiner, notation: Notation) -> list[Production]:
    """`NP ga V`, `NP ga NP o V` and, in some languages, `NP o NP ga V`; `NP ga C0 to V` for what is said."""
    subject, object_, quoting = coin.word(), coin.word(), coin.word()
    made = coin.word_class("acts", rng.randint(2, 7)) + coin.word_class("does", rng.randint(2, 7))
    target, tags = notation.apply(1, [0])
    made.append(Production("acts", "C0", (NP, subject, Hole("acts")), target, frozenset({"frame", *tags})))
    order = rng.choice(([0, 1], [1, 0]))
    target, tags = notation.apply(2, order)
    source: tuple[Symbol, ...] = (NP, subject, NP, object_, Hole("does"))
    made.append(Production("does", "C0", source, target, frozenset({"frame", *tags})))
    if rng.random() < 0.5:
        exchanged = tuple({0: 1, 1: 0}.get(part, part) if isinstance(part, int) else part for part in target)
        source = (NP, object_, NP, subject, Hole("does"))
        made.append(Production("scrambled", "C0", source, exchanged, frozenset({"swap", *tags})))
    if rng.random() < 0.6:
        made += coin.word_class("says", rng.randint(2, 4), is_plain=True)
        target, tags = notation.apply(2, [0, 1])
        source = (NP, subject, Hole("C0"), quoting, Hole("says"))
        made.append(Production("says", "C0", source, target, frozenset({"nest", *tags}), weight=0.5))
    return made
