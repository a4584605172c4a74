"""Words that training shows once or twice are adopted by the class in which their own sentences come out right.

A word of one sentence gives the learner little to go by: it may end up in a class of its own, which no rule takes. But
the rules that other words have taught tell where it belongs. Each rare word is tried as a member of every class, within
the frames of the class (`frames.py`), with the target tokens that only its sentences have. It is adopted if all of its
sentences are then derived exactly.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fewlex.rules.book import SAME, SILENT, RuleBook, Word
from fewlex.rules.brackets import open_ended
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.frames import Frame, frames_of
from fewlex.rules.links import Pair
from fewlex.rules.parser import RuleParser
from fewlex.rules.rule import Fillers

MAX_SENTENCES = 2
"""A word of more sentences is known well enough."""
MIN_MEMBERS = 2
"""A class adopts if it has so many words that are not rare themselves."""
MAX_WORDS = 300
"""So many words are tried, those of short sentences first."""


@dataclass(frozen=True)
class _Rare:
    """A rare word, its sentences, and what it may mean."""

    word: str
    pairs: tuple[Pair, ...]
    meanings: tuple[tuple[str, ...], ...]


def adopt(book: RuleBook, pairs: Sequence[Pair]) -> RuleBook:
    """The book with the rare words of the pairs in the classes where they belong. Targets have all their brackets."""
    if not book.rules:
        return book
    sentences = _sentences(pairs)
    common = {word for word, where in sentences.items() if len(where) > MAX_SENTENCES}
    places = list(_places(book, common))
    if not places:
        return book
    for rare in _rare_words(pairs, sentences, book, common):
        found = _adopted(book, rare, places)
        if found is not None:
            book = found
    return book


def _sentences(pairs: Sequence[Pair]) -> dict[str, list[int]]:
    """The numbers of the different pairs that each source word is in."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, (source, _) in enumerate(dict.fromkeys(pairs)):
        for word in set(source):
            found[word].append(number)
    return found


def _places(book: RuleBook, common: set[str]) -> Iterator[tuple[str, Frame]]:
    """The classes that adopt, and how their words are said. Larger classes come first."""
    for kind, words in sorted(book.kinds.items(), key=lambda item: -len(item[1])):
        if kind in (SAME, SILENT):
            continue
        members = [word for word in words if common.issuperset(word.source)]
        if len(members) < MIN_MEMBERS:
            continue
        if any(len(word.source) == 1 for word in members):
            yield kind, Frame()
        for frame in frames_of(members):
            yield kind, frame


def _rare_words(
    pairs: Sequence[Pair], sentences: dict[str, list[int]], book: RuleBook, common: set[str]
) -> list[_Rare]:
    """The rare words that are in no class with common words, each as a word of its own."""
    different = list(dict.fromkeys(pairs))
    settled = {
        kind for kind, words in book.kinds.items() if sum(common.issuperset(w.source) for w in words) > 0
    }
    known = {token for word in book.words if word.kind in settled for token in word.source}
    uses = Counter(token for _, target in different for token in set(target))
    found = []
    for word, where in sentences.items():
        if word in common or word in known:
            continue
        own = [different[number] for number in where]
        meanings = tuple(_meanings(own, uses))
        if meanings:
            found.append(_Rare(word, tuple(own), meanings))
    return sorted(found, key=lambda rare: (len(rare.pairs[0][0]), rare.word))[:MAX_WORDS]


def _meanings(own: Sequence[Pair], uses: Counter[str]) -> Iterator[tuple[str, ...]]:
    """The stretches of tokens that all targets of a word have, and no other target."""
    target = own[0][1]
    is_own = [uses[token] == len(own) and all(token in other for _, other in own) for token in target]
    start = 0
    found: dict[tuple[str, ...], None] = {}
    for end in range(1, len(target) + 1):
        if not is_own[end - 1]:
            start = end
        elif end == len(target) or not is_own[end]:
            found[target[start:end]] = None
    for stretch in found:
        yield stretch
        # A stretch may be a token that the rules say twice.
        if len(stretch) > 1 and len(set(stretch)) == 1:
            yield stretch[:1]


def _adopted(book: RuleBook, rare: _Rare, places: Iterable[tuple[str, Frame]]) -> RuleBook | None:
    """The book with the word in the first class in which all its sentences come out right; None if there is none."""
    book = _without(book, rare.word)
    for meaning in rare.meanings:
        for kind, frame in places:
            said, means = frame.around((rare.word,), meaning)
            if all(_has(source, said) for source, _ in rare.pairs):
                tried = replace(book, words=(*book.words, Word(said, means, kind)))
                if _derives(tried, rare.pairs):
                    return tried
    return None


def _without(book: RuleBook, word: str) -> RuleBook:
    """The book without the terms and rules of a word, and without rules whose holes nothing is left to fill."""
    words = tuple(known for known in book.words if word not in known.source)
    rules = tuple(rule for rule in book.rules if word not in rule.words)
    while True:
        names = {known.kind for known in words} | {rule.name for rule in rules}
        fillers = [tuple(_only(seen, names) for seen in rule.fillers) for rule in rules]
        left = tuple(
            replace(rule, fillers=found)
            for rule, found in zip(rules, fillers, strict=True)
            if all(bool(now) == bool(before) for now, before in zip(found, rule.fillers, strict=True))
        )
        if len(left) == len(rules):
            return replace(book, words=words, rules=left, sentences=_only(book.sentences, names))
        rules = left


def _only(fillers: Fillers, names: set[str]) -> Fillers:
    return {kind: n for kind, n in fillers.items() if kind in names}


def _has(source: Sequence[str], term: tuple[str, ...]) -> bool:
    return any(tuple(source[i : i + len(term)]) == term for i in range(len(source) - len(term) + 1))


def _derives(book: RuleBook, pairs: Iterable[Pair]) -> bool:
    parser = RuleParser(book)
    for source, target in pairs:
        derivation = parse_or_none(parser, source)
        wanted = open_ended(target) if book.is_open_ended else target
        if derivation is None or derivation.tokens != wanted:
            return False
    return True
