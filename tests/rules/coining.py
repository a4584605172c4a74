"""What random languages are made of: invented words with their tokens, and the look of targets."""

from __future__ import annotations

import random

from tests.rules.synchronous import Choice, Production, Symbol

BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "sh", "tr", "pl")
VOWELS = ("a", "e", "i", "o", "u")
CODAS = ("x", "n", "l", "p", "ck", "sh", "m")

UNKIND = ("fuck", "dick", "suck", "sex")
"""Words that chance would coin and that nobody wants to read in a report."""

Target = tuple[str | int, ...]


class Coiner:
    """New words and tokens that look like nothing known, each given once."""

    def __init__(self, rng: random.Random) -> None:
        self.random = rng
        self.taken: set[str] = set(UNKIND)
        self.token_style = rng.choice((str, str.upper, lambda word: f"I_{word.upper()}", None))

    def word(self) -> str:
        while True:
            word = "".join(self.random.choice(part) for part in (ONSETS, VOWELS, CODAS))
            if self.random.random() < 0.4:
                word += "".join(self.random.choice(part) for part in (ONSETS, VOWELS))
            if word not in self.taken:
                self.taken.add(word)
                return word

    def token(self, word: str = "") -> str:
        """A token for a word: the word itself, its capitals, or, depending on the language, something unrelated."""
        if word and self.token_style is not None:
            return self.token_style(word)
        return self.word().upper() if self.random.random() < 0.5 else self.word()

    def marker(self) -> Symbol:
        """A function word: now and then one of two that mean the same, or of two words."""
        if self.random.random() < 0.15:
            return Choice(
                ((self.word(),), (self.word(),) if self.random.random() < 0.5 else (self.word(), self.word()))
            )
        return self.word()

    def optional(self) -> Choice:
        return Choice(((), (self.word(),)))

    def word_class(self, category: str, size: int, is_plain: bool = False) -> list[Production]:
        """Words of one category: most have one token, some are terms, have several tokens or share a token."""
        rng, made, last = self.random, list[Production](), self.word()
        kinds = ["plain"] if is_plain else ["plain", rng.choice(("plain", "term", "tokens", "synonym"))]
        kinds += [] if is_plain else [rng.choice(("plain", "term", "tokens", "synonym"))]
        for number in range(size):
            word, kind = self.word(), rng.choice(kinds)
            source: tuple[str, ...] = (word,)
            target: tuple[str, ...] = (self.token(word),)
            tags = frozenset[str]()
            if kind == "term":
                first = last if rng.random() < 0.3 else self.word()
                source, tags, last = (first, word), frozenset({"term"}), first
            elif kind == "tokens":
                extra = rng.choice((self.token(), self.token(), "."))
                target, tags = (*target, extra, self.token()), frozenset({"several tokens"})
                target = target if extra == "." or rng.random() < 0.3 else target[:2]
            elif kind == "synonym" and number > 1 and "synonym" not in made[-1].tags:
                target, tags = tuple(map(str, made[-1].target)), frozenset({"synonym"})
            made.append(
                Production(f"{category}:{word}", category, source, target, tags, is_word=True),
            )
        return made


class Notation:
    """How the targets of one language look: flat, calls, s-expressions, with or without keys and separators."""

    def __init__(self, rng: random.Random, coin: Coiner, is_bracketed: bool) -> None:
        self.random, self.coin, self.is_bracketed = rng, coin, is_bracketed
        self.open, self.close = rng.choice(BRACKETS)
        self.separator = rng.choice((",", ",", ";", "|", ""))
        self.style = rng.choice(("call", "keyed", "list"))

    def apply(self, head: str | int, arguments: list[int]) -> tuple[Target, set[str]]:
        """A head with its arguments in brackets, or just one after the other where the language has no brackets."""
        if not self.is_bracketed:
            return (head, *arguments), {"bracket-free"}
        inner: list[str | int] = []
        for place, argument in enumerate(arguments):
            if place and self.separator:
                inner.append(self.separator)
            inner += [self.coin.token(), "="] if self.style == "keyed" else []
            inner.append(argument)
        tags = {"bracketed", "separator"} if self.separator and len(arguments) > 1 else {"bracketed"}
        if self.style == "list":
            return (self.open, head, *inner, self.close), tags
        return (head, self.open, *inner, self.close), tags
