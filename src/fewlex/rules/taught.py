"""Words of a lexicon in a rule book: a word that somebody teaches works in every rule at once."""

from __future__ import annotations

from dataclasses import replace

from fewlex.lexicon.entry import GLOSSARY, PERSON, Entry
from fewlex.lexicon.lexicon import Lexicon
from fewlex.rules.book import RuleBook, Word


def with_lexicon(book: RuleBook, lexicon: Lexicon) -> RuleBook:
    """The book with the words of a lexicon.

    What a person or a glossary says replaces what was learned. A word that the book does not have takes the class of
    the word that it is `like`; without that, nobody knows where it may stand, and it is left out.
    """
    words = {word.source: word for word in book.words}
    kinds = {word.term: word.kind for word in book.words}
    for term in lexicon.sources:
        target, entry = _best(lexicon, term)
        source = tuple(term.split(" "))
        known = words.get(source)
        if known is not None and entry.origin in (PERSON, GLOSSARY):
            words[source] = replace(known, target=tuple(target.split(" ")), origin=PERSON)
        elif known is None and entry.like in kinds:
            words[source] = Word(source, tuple(target.split(" ")), kinds[entry.like], PERSON)
    return replace(book, words=tuple(words.values()))


def _best(lexicon: Lexicon, term: str) -> tuple[str, Entry]:
    row = lexicon.row(term)
    target = max(row, key=lambda target: (row[target].weight, row[target].dice, target))
    return target, row[target]
