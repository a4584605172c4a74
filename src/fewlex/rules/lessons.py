"""Words that are taught to rules: a new word works at once in every rule that takes words of its class."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from fewlex.rules.book import SAME, SILENT, RuleBook, Word
from fewlex.rules.rule import PERSON

Lesson = tuple[str, str, str]
"""Source term, target, and the known word that the term behaves like ('' = nobody says)."""

NONE: frozenset[str] = frozenset()


def with_lessons(book: RuleBook, lessons: Iterable[Lesson], keeping: Collection[str] = NONE) -> RuleBook:
    """The book with taught words, each with its new translations and no other.

    A word that is among those that are `keeping` their old translation has several, and the rule that fits decides.

    A word that the rules know keeps its class, and one that is `like` another takes that one's. Of any other word
    nobody knows the class, so it may be of every class, and the sentence decides.
    """
    taught: dict[tuple[str, ...], list[Word]] = {}
    classes = [kind for kind in book.kinds if kind not in (SAME, SILENT)]
    for source, target, like in lessons:
        term = tuple(source.split(" "))
        model = book.word(like) if like else book.word(source)
        kinds = [model.kind] if model is not None and model.kind in classes else classes
        taught.setdefault(term, []).extend(
            Word(term, tuple(target.split(" ")), kind, PERSON) for kind in kinds
        )
    if not taught:
        return book
    kept = (word for word in book.words if word.source not in taught or word.term in keeping)
    return replace(book, words=(*kept, *(word for words in taught.values() for word in words)))
