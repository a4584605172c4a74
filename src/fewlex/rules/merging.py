"""One rule book added to another."""

from __future__ import annotations

from dataclasses import replace

from fewlex.errors import RuleError
from fewlex.rules.book import RuleBook, Word
from fewlex.rules.edits import add_rule, change_rule
from fewlex.rules.rule import PERSON, Rule


def merge_rules(book: RuleBook, given: RuleBook) -> RuleBook:
    """The book with the rules and words of another one; where both speak of the same words, the other one counts.

    A new rule goes where `add_rule` would put it, because what filled the holes of the other book has names that mean
    nothing here.
    """
    for rule in given.rules:
        book = _with_rule(book, rule)
    return replace(book, words=_merged_words(book, given))


def _with_rule(book: RuleBook, new: Rule) -> RuleBook:
    if any(rule.skeleton == new.skeleton for rule in book.rules):
        return book
    rivals = [rule for rule in book.rules if rule.source == new.source]
    if len(rivals) == 1:
        return change_rule(book, rivals[0].name, str(new))
    return add_rule(book, str(new))[0]


def _merged_words(book: RuleBook, given: RuleBook) -> tuple[Word, ...]:
    words, kinds = {word.source: word for word in book.words}, book.kinds
    for word in given.words:
        known = words.get(word.source)
        if known is not None and known.target == word.target:
            continue
        if known is None and word.kind not in kinds:
            raise RuleError(
                f"{word.term!r} is a word of the class {word.kind}, which the rules do not have. "
                f"Put it into one of theirs: {', '.join(kinds) or 'they have none'}."
            )
        kind = word.kind if known is None else known.kind
        words[word.source] = Word(
            word.source, word.target, kind, PERSON, {} if known is None else known.habits
        )
    return tuple(words.values())
