"""Three families of random languages: expressions of operators, clauses with noun phrases, and commands to a device."""

from __future__ import annotations

import random
from collections.abc import Iterable

from tests.rules.coining import Coiner, Notation, Target
from tests.rules.synchronous import Choice, Grammar, Hole, Production, Symbol


def expressions(rng: random.Random) -> Grammar:
    """Words and operators around them, in levels that bind tighter and tighter, as in SCAN and Colors."""
    coin = Coiner(rng)
    notation = Notation(rng, coin, is_bracketed=rng.random() < 0.4)
    levels = rng.randint(2, 4)
    productions = coin.word_class("word", rng.randint(3, 15))
    productions.append(step("X0", "word"))
    for level in range(1, levels + 1):
        upper, lower = f"X{level}", f"X{level - 1}"
        productions.append(step(upper, lower, weight=2.0))
        fixity = rng.choice(("prefix", "postfix", "infix", "infix", "modifier"))
        if fixity == "modifier":
            productions += _modifiers(rng, coin, notation, upper, lower)
            continue
        side = rng.choice(("left", "right", "none"))
        for number in range(rng.randint(1, 3)):
            name = f"{fixity}{level}.{number}"
            productions.append(operator(rng, coin, notation, name, fixity, side, upper, lower))
    if rng.random() < 0.3:
        target, tags = unary(rng, coin, notation)
        source = (coin.word(), Hole(f"X{levels}"), coin.word())
        productions.append(
            Production("circumfix", "X0", source, target, frozenset({"nest", *tags}), weight=0.3)
        )
    productions += sentences(rng, coin, f"X{levels}")
    return Grammar(tuple(productions))


def clauses(rng: random.Random) -> Grammar:
    """Who does what to whom, with articles, adjectives, prepositions, passives and subordinate clauses."""
    coin = Coiner(rng)
    notation = Notation(rng, coin, is_bracketed=rng.random() < 0.75)
    productions = coin.word_class("noun", rng.randint(3, 18))
    productions += _noun_phrases(rng, coin, notation)
    phrase = Hole("NP")
    for number in range(rng.randint(1, 3)):
        verb = f"verb{number}"
        productions += coin.word_class(verb, rng.randint(2, 8))
        places = rng.randint(1, 3)
        order = list(range(places))
        source: list[Symbol] = [phrase, Hole(verb), *([phrase] if places > 1 else [])]
        source += [coin.marker(), phrase] if places == 3 else []
        slots = [0, 2, 3][:places]
        target, tags = notation.apply(1, [slots[place] for place in rng.sample(order, places)])
        productions.append(
            Production(f"active{number}", "C0", tuple(source), target, frozenset({"frame", *tags}))
        )
        if places == 2 and rng.random() < 0.6:
            passive: tuple[Symbol, ...] = (phrase, coin.word(), Hole(verb), coin.word(), phrase)
            changed = {0: 2, 2: 0, 1: 1}
            reordered: Target = tuple(changed[part] if isinstance(part, int) else part for part in target)
            productions.append(
                Production(f"passive{number}", "C0", passive, reordered, frozenset({"swap", *tags}))
            )
    productions.append(step("C1", "C0", weight=2.0))
    if rng.random() < 0.6:
        side = rng.choice(("left", "right", "none"))
        for number in range(rng.randint(1, 2)):
            productions.append(operator(rng, coin, notation, f"join.{number}", "infix", side, "C1", "C0"))
    productions.append(step("C2", "C1", weight=2.0))
    if rng.random() < 0.7:
        productions += coin.word_class("says", rng.randint(2, 4), is_plain=True)
        target, tags = notation.apply(1, [0, 2])
        source = [phrase, Hole("says"), coin.word(), Hole("C2")]
        productions.append(Production("embed", "C2", tuple(source), target, frozenset({"nest", *tags})))
    productions += sentences(rng, coin, "C2")
    return Grammar(tuple(productions))


def commands(rng: random.Random) -> Grammar:
    """Imperatives with arguments of several classes, to be joined, repeated and made dependent on each other."""
    coin = Coiner(rng)
    notation = Notation(rng, coin, is_bracketed=rng.random() < 0.8)
    productions = coin.word_class("noun", rng.randint(2, 12)) + coin.word_class("place", rng.randint(2, 8))
    productions += _noun_phrases(rng, coin, notation)
    productions += coin.word_class("number", rng.randint(2, 5), is_plain=True)
    kinds = ("NP", "place", "number")
    shared = coin.word()
    for number in range(rng.randint(2, 6)):
        source: list[Symbol] = [coin.word()]
        arguments = [rng.choice(kinds[: 1 + (place > 0) * 2]) for place in range(rng.randint(0, 3))]
        for place, kind in enumerate(arguments):
            if place:
                source.append(shared if rng.random() < 0.3 else coin.word())
            source.append(Hole(kind))
        if arguments and rng.random() < 0.3:
            source.append(coin.word())
        if rng.random() < 0.25:
            source.insert(1, coin.optional())
        order = rng.sample(range(len(arguments)), len(arguments))
        target, tags = notation.apply(coin.token(), order)
        tags |= {"swap"} if order != sorted(order) else set()
        productions.append(
            Production(f"verb{number}", "C0", tuple(source), target, frozenset({"frame", *tags}))
        )
    productions.append(step("C1", "C0", weight=2.0))
    if rng.random() < 0.5:
        target, tags = notation.apply(coin.token(), [1, 0])
        source = [Hole("C0"), Hole("number"), coin.word()]
        productions.append(Production("times", "C1", tuple(source), target, frozenset({"wrap", *tags})))
    else:
        productions.append(operator(rng, coin, notation, "times", "postfix", "none", "C1", "C0"))
    side = rng.choice(("left", "right", "none"))
    productions.append(step("C2", "C1", weight=2.0))
    for number in range(rng.randint(1, 2)):
        productions.append(operator(rng, coin, notation, f"then.{number}", "infix", side, "C2", "C1"))
    productions.append(step("C3", "C2", weight=2.0))
    if rng.random() < 0.6:
        target, tags = notation.apply(coin.token(), rng.choice(([0, 1], [1, 0])))
        source = [coin.word(), Hole("C2"), coin.word(), Hole("C3")]
        productions.append(Production("if", "C3", tuple(source), target, frozenset({"nest", *tags})))
    productions += sentences(rng, coin, "C3")
    return Grammar(tuple(productions))


def step(upper: str, lower: str, weight: float = 1.0) -> Production:
    return Production("", upper, (Hole(lower),), (0,), weight=weight)


def sentences(rng: random.Random, coin: Coiner, category: str) -> list[Production]:
    """Whole sentences: the topmost phrase, in some languages with a polite word or a full stop around it."""
    kind = rng.choice(("bare", "bare", "please", "stop"))
    if kind == "bare":
        return [step("S", category)]
    hole: tuple[Symbol, ...] = (Hole(category),)
    if kind == "please":
        source = (coin.optional(), *hole) if rng.random() < 0.5 else (*hole, coin.optional())
    else:
        source = (*hole, ".")
    return [Production("sentence", "S", source, (0,), frozenset({"vanishing words"}))]


def _noun_phrases(rng: random.Random, coin: Coiner, notation: Notation) -> list[Production]:
    productions = [step("N1", "noun", weight=2.0)]
    if rng.random() < 0.5:
        productions += coin.word_class("adjective", rng.randint(2, 6))
        if notation.is_bracketed and rng.random() < 0.7:
            target, tags = notation.apply(1, [0])
        else:
            target, tags = rng.choice((((0, 1), {"concat"}), ((1, 0), {"swap"})))
        inner = rng.choice(("N1", "noun"))
        source = (Hole("adjective"), Hole(inner))
        productions.append(Production("adjective", "N1", source, target, frozenset({"nest", *tags})))
    if rng.random() < 0.5:
        articles = Choice(tuple((coin.word(),) for _ in range(rng.randint(1, 3))))
        options = Choice((*articles.options, ())) if rng.random() < 0.3 else articles
        vanishing = frozenset({"vanishing words"})
        productions.append(Production("article", "N2", (options, Hole("N1")), (0,), vanishing))
    else:
        productions.append(step("N2", "N1"))
    productions.append(step("NP", "N2", weight=3.0))
    if rng.random() < 0.6:
        for number in range(rng.randint(1, 3)):
            if notation.is_bracketed:
                key = (coin.token(), "=") if rng.random() < 0.6 else (coin.token(),)
                target = (0, notation.open, *key, 1, notation.close)
            else:
                target = rng.choice(((0, coin.token(), 1), (1, coin.token(), 0), (1, 0)))
            joined = (Hole("N2"), coin.word(), Hole("NP"))
            productions.append(Production(f"in{number}", "NP", joined, target, frozenset({"nest"})))
    return productions


def _modifiers(
    rng: random.Random, coin: Coiner, notation: Notation, upper: str, lower: str
) -> Iterable[Production]:
    """Words of a class of their own that stand beside a phrase without any function word, some with one."""
    category = f"modifier{upper}"
    yield from coin.word_class(category, rng.randint(2, 6), is_plain=rng.random() < 0.5)
    is_first = rng.random() < 0.3
    phrase, modifier = (1, 0) if is_first else (0, 1)
    symbols = (Hole(category), Hole(lower)) if is_first else (Hole(lower), Hole(category))
    recipes: list[tuple[Target, str]] = [
        ((modifier, phrase), "concat" if is_first else "swap"),
        ((phrase, modifier), "swap" if is_first else "concat"),
        ((modifier, phrase, modifier), "repeat"),
    ]
    target, tag = rng.choice(recipes)
    tags = {tag}
    if notation.is_bracketed:
        target, tags = notation.apply(*rng.choice(((modifier, [phrase]), (phrase, [modifier]))))
    yield Production(f"beside{upper}", upper, symbols, target, frozenset(tags))
    if rng.random() < 0.6:
        marked = (symbols[0], coin.word(), symbols[1])
        turns = rng.choice(((modifier, modifier, phrase), (modifier, phrase) * rng.randint(2, 4)))
        yield Production(f"around{upper}", upper, marked, turns, frozenset({"repeat"}))


def unary(rng: random.Random, coin: Coiner, notation: Notation) -> tuple[Target, set[str]]:
    kind = rng.choice(("repeat", "wrap", "wrap", "around"))
    if kind == "repeat" and rng.random() < 0.7:
        return (0,) * rng.randint(2, 4), {"repeat"}
    if notation.is_bracketed:
        target, tags = notation.apply(coin.token(), [0])
        return target, {"wrap", *tags}
    if kind == "around":
        return (coin.token(), 0, coin.token()), {"wrap"}
    return rng.choice(((coin.token(), 0), (0, coin.token()))), {"wrap"}


def _binary(rng: random.Random, coin: Coiner, notation: Notation) -> tuple[Target, set[str]]:
    kind = rng.choice(("swap", "swap", "concat", "repeat", "joined"))
    if kind == "joined" or (notation.is_bracketed and rng.random() < 0.5):
        order = rng.choice(([0, 1], [1, 0]))
        if notation.is_bracketed:
            target, tags = notation.apply(coin.token(), order)
            return target, {"wrap", *tags}
        return (order[0], coin.token(), order[1]), {"wrap"}
    between: tuple[str, ...] = (notation.separator,) if notation.is_bracketed and notation.separator else ()
    if kind == "repeat":
        first, second, third = rng.choice(((0, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0)))
        return (first, *between, second, *between, third), {"repeat"}
    return ((1, *between, 0), {"swap"}) if kind == "swap" else ((0, *between, 1), {"concat"})


def operator(
    rng: random.Random,
    coin: Coiner,
    notation: Notation,
    name: str,
    fixity: str,
    side: str,
    upper: str,
    lower: str,
) -> Production:
    """One operator of a level; `side` says which operand may be an expression of the same level again."""
    target, tags = (_binary if fixity == "infix" else unary)(rng, coin, notation)
    inner = Hole(lower if side == "none" else upper)
    source: tuple[Symbol, ...]
    if fixity == "prefix":
        source = (coin.marker(), inner)
    elif fixity == "postfix":
        source = (inner, coin.marker())
    elif side == "left":
        source = (inner, coin.marker(), Hole(lower))
    else:
        source = (Hole(lower), coin.marker(), inner)
    if side != "none":
        tags.add("nest")
    return Production(name, upper, source, target, frozenset(tags), weight=0.5)
