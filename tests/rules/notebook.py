"""Languages of the kinds that users bring, each a family: what is optional in it, and how its targets look, is drawn.

A family is a text, one production a line: `category = source ↦ target`. A word that names a category is a hole,
`[please]` may be left out, and `(show|list all)` says the same in several ways. A line that begins with `?` is in
two languages of three. Where there are several targets, separated by `¦`, a language has one style throughout.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

from tests.rules.coining import Coiner
from tests.rules.notebook_families import FAMILIES, Family
from tests.rules.random_grammars import Language, is_shown_often, sample
from tests.rules.synchronous import Choice, Drawn, Grammar, Hole, Production, Symbol

KEPT = 2 / 3
"""The share of the optional productions that a language has."""

RARE_SHARE = 0.2
"""The share of the words of an open class that training shows in one sentence only."""

OPEN_CLASS = 5
"""A class of at least so many words is open."""


def draw_user_language(name: str, seed: int) -> Language:
    """A language of a family with 100 to 800 training pairs; some of its words are in one pair only."""
    family = FAMILIES[name]
    for attempt in range(1000):
        rng = random.Random(f"{name}/{seed}/{attempt}")
        grammar = draw_grammar(family, rng)
        language = sample(f"{name} {seed}", grammar, rng, rng.choice((100, 200, 300, 500, 800)))
        if language is not None:
            return with_rare_words(language, rng)
    raise AssertionError(f"no language of {name} for seed {seed}")


def draw_grammar(family: Family, rng: random.Random) -> Grammar:
    coin, style = Coiner(rng), rng.randrange(4)
    lines = [line.strip() for line in family.text.strip().splitlines()]
    lines = [line.removeprefix("?") for line in lines if line[0] != "?" or rng.random() < KEPT]
    categories = {line.split(" = ")[0] for line in lines} | set(family.words)
    lines = _possible(lines, categories)
    words = [
        production
        for category, (least, most) in family.words.items()
        if any(category in line.split() for line in lines)
        for production in coin.word_class(category, rng.randint(least, most), is_plain=most < OPEN_CLASS)
    ]
    return Grammar((*words, *(_production(line, categories, style) for line in lines)))


def _possible(lines: list[str], categories: set[str]) -> list[str]:
    """The lines that can be reached from the top."""
    reached = {"S"}
    while True:
        more = {
            word
            for line in lines
            if line.split(" = ")[0] in reached
            for word in line.split(" ↦ ")[0].split()
            if word in categories
        }
        if more <= reached:
            return [line for line in lines if line.split(" = ")[0] in reached]
        reached |= more


def _production(line: str, categories: set[str], style: int) -> Production:
    category, rule = line.split(" = ", 1)
    source_text, target_text = rule.split(" ↦ ")
    source = tuple(_symbol(part, categories) for part in re.findall(r"\[.*?\]|\(.*?\)|\S+", source_text))
    styles = target_text.split(" ¦ ")
    target = tuple(
        int(part[1:]) if re.fullmatch(r"#\d", part) else part for part in styles[style % len(styles)].split()
    )
    is_step = len(source) == 1 and isinstance(source[0], Hole) and target == (0,)
    weight = 0.5 if Hole(category) in source else 1.0
    return Production("" if is_step else line, category, source, target, _tags(source, target), weight)


def _symbol(text: str, categories: set[str]) -> Symbol:
    if text[0] == "[":
        return Choice(((), tuple(text[1:-1].split())))
    if text[0] == "(":
        return Choice(tuple(tuple(option.split()) for option in text[1:-1].split("|")))
    return Hole(text) if text in categories else text


def _tags(source: tuple[Symbol, ...], target: tuple[str | int, ...]) -> frozenset[str]:
    order = [part for part in target if isinstance(part, int)]
    tags = {"bracketed"} if {"(", "[", "{"} & set(target) else {"bracket-free"}
    tags |= {"swap"} if order != sorted(order) else set()
    tags |= {"repeat"} if len(set(order)) < len(order) else set()
    tags |= {"separator"} if "," in target else set()
    tags |= {"vanishing words"} if target == (0,) and len(source) > 1 else set()
    return frozenset(tags)


def with_rare_words(language: Language, rng: random.Random) -> Language:
    """Training sentences with some words of each open class are taken out, but for one of each of these words."""
    by_class: dict[str, list[str]] = {}
    for production in language.grammar.productions:
        if production.is_word:
            by_class.setdefault(production.category, []).append(production.name)
    rare: set[str] = set()
    for words in by_class.values():
        if len(words) >= OPEN_CLASS:
            rare |= set(rng.sample(words, max(1, round(RARE_SHARE * len(words)))))
    kept: list[Drawn] = []
    shown: Counter[str] = Counter()
    for drawn in sorted(language.train, key=lambda drawn: (len(drawn.source), drawn.source)):
        here = drawn.words & rare
        if not here or (len(here) == 1 and not shown[min(here)]):
            shown.update(here)
            kept.append(drawn)
    order = {drawn.source: place for place, drawn in enumerate(language.train)}
    train = tuple(sorted(kept, key=lambda drawn: order[drawn.source]))
    unseen = rare - set(shown)
    seen = Counter(pair for drawn in train for pair in drawn.pairs)

    def asked(sentences: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
        return tuple(
            replace(drawn, tags=drawn.tags | {"word seen once"} if drawn.words & rare else drawn.tags)
            for drawn in sentences
            if not drawn.words & unseen and all(seen[pair] >= 2 for pair in drawn.pairs)
        )

    if not is_shown_often(train):
        return language
    return replace(language, train=train, same=asked(language.same), deeper=asked(language.deeper))
