"""Words that are taught to rules: a new word works at once in every rule that takes words of its class."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from fewlex.rules.book import SAME, SILENT, RuleBook, Word
from fewlex.rules.frames import Frame, frame_around, frames_of
from fewlex.rules.rule import PERSON

Lesson = tuple[str, str, str]
"""Source term, target, and the known word that the term behaves like ('' = nobody says)."""

Place = tuple[str, Frame]
"""A class, and the words that stand around a word of it."""

NONE: frozenset[str] = frozenset()


def with_lessons(book: RuleBook, lessons: Iterable[Lesson], keeping: Collection[str] = NONE) -> RuleBook:
    """The book with taught words, each with its new translations and no other.

    A word that is among those that are `keeping` their old translation has several, and the rule that fits decides.

    A word that the rules know keeps its class, and one that is `like` another takes that one's. If the rules know that
    one only within longer terms, the taught word is said in the same way: after *the sum of*, one that is like *sum*
    is *the power of*. Of any other word nobody knows the class, so it may be of every class, and the sentence decides.
    """
    taught: dict[tuple[str, ...], list[Word]] = {}
    places: dict[str, Sequence[Place]] = {}
    everywhere = tuple(_all_places(book))
    for source, target, like in lessons:
        term, known = tuple(source.split(" ")), like or source
        if known not in places:
            places[known] = tuple(_places_of(book, known)) or everywhere
        for kind, frame in places[known]:
            said, means = frame.around(term, tuple(target.split(" ")))
            taught.setdefault(said, []).append(Word(said, means, kind, PERSON))
    if not taught:
        return book
    kept = (word for word in book.words if word.source not in taught or word.term in keeping)
    return replace(book, words=(*kept, *(word for words in taught.values() for word in words)))


def _places_of(book: RuleBook, known: str) -> Iterator[Place]:
    """Where a known word may stand; nothing if the rules have no hole for it."""
    word = book.word(known)
    if word is not None:
        if word.kind not in (SAME, SILENT):
            yield word.kind, Frame()
        return
    found: dict[Place, None] = {}
    for term in book.terms_with(known.split(" ")[0]):
        if term.kind not in (SAME, SILENT):
            frame = frame_around(known.split(" "), term, book.kinds[term.kind])
            if frame is not None:
                found[term.kind, frame] = None
    yield from found


def _all_places(book: RuleBook) -> Iterator[Place]:
    for kind, words in book.kinds.items():
        if kind not in (SAME, SILENT):
            yield kind, Frame()
            for frame in frames_of(words):
                yield kind, frame
