"""Changes to a rule book: each gives a new book and leaves the old one as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from fewlex.errors import RuleError, did_you_mean
from fewlex.rules.book import RuleBook, Word
from fewlex.rules.rule import PERSON, Fillers, Rule, Symbol
from fewlex.rules.text import free_names, read_rule, read_sides


@dataclass(frozen=True)
class RuleDiff:
    """What would turn one book into another. Rules are the same if they say the same, whatever their names."""

    removed: tuple[Rule, ...]
    added: tuple[Rule, ...]
    removed_words: tuple[Word, ...]
    added_words: tuple[Word, ...]
    changed_words: tuple[tuple[Word, Word], ...]

    def __bool__(self) -> bool:
        return any((self.removed, self.added, self.removed_words, self.added_words, self.changed_words))


def diff_rules(old: RuleBook, new: RuleBook) -> RuleDiff:
    before, after = ({rule.skeleton: rule for rule in book.rules} for book in (old, new))
    words_before, words_after = ({word.source: word for word in book.words} for book in (old, new))
    return RuleDiff(
        tuple(rule for skeleton, rule in before.items() if skeleton not in after),
        tuple(rule for skeleton, rule in after.items() if skeleton not in before),
        tuple(word for source, word in words_before.items() if source not in words_after),
        tuple(word for source, word in words_after.items() if source not in words_before),
        tuple(
            (word, words_after[source])
            for source, word in words_before.items()
            if source in words_after and words_after[source].target != word.target
        ),
    )


def find_rule(book: RuleBook, name_or_text: str) -> Rule:
    """The rule of this name, or the rule that says this: `R3`, `_ twice ↦ #0 #0`."""
    if " " not in name_or_text.strip():
        return book.rule(name_or_text.strip())
    skeleton = read_sides(name_or_text)
    found = next((rule for rule in book.rules if rule.skeleton == skeleton), None)
    if found is None:
        known = [str(rule) for rule in book.rules]
        raise RuleError(f"there is no rule `{name_or_text.strip()}`. {did_you_mean(name_or_text, known)}")
    return found


def add_rule(book: RuleBook, text: str, like: str = "") -> tuple[RuleBook, Rule, Rule | None]:
    """The book with one more rule, that rule, and the rule that it behaves like.

    A new rule takes the fillers of the rule `like`, and it may stand wherever that one may. Without `like`, the most
    frequent rule of the same form is its model: `_ twice` for `_ thrice`. Where there is none, the rule takes any
    filler and may stand wherever some rule may.
    """
    name = next(free_names((*(rule.name for rule in book.rules), *book.kinds)))
    new = read_rule(text, name)
    model = find_rule(book, like) if like else _most_alike(book, new)
    if model is not None and model.n_holes == new.n_holes:
        new = replace(new, fillers=model.fillers)
    _require_no_contradiction(book, new)
    host = model.name if model is not None else ""
    names = {rule.name for rule in book.rules}
    rules = (
        replace(rule, fillers=tuple(_joined(fillers, name, host, names) for fillers in rule.fillers))
        for rule in book.rules
    )
    sentences = _joined(book.sentences, name, host, names)
    if host not in book.sentences and not any(host in f for rule in book.rules for f in rule.fillers):
        sentences = {**book.sentences, name: 1}
    return replace(book, rules=(*rules, new), sentences=sentences), new, model


def _joined(fillers: Fillers, name: str, model: str, rules: set[str]) -> Fillers:
    """The fillers with a new rule among them, where its model is one of them, or, without a model, some rule is."""
    is_at_home = model in fillers if model else not rules.isdisjoint(fillers)
    return {**fillers, name: fillers.get(model, 1)} if is_at_home else fillers


def _most_alike(book: RuleBook, new: Rule) -> Rule | None:
    """The most frequent rule whose source has holes and words in the same places."""
    form = _form(new.source)
    alike = [rule for rule in book.rules if _form(rule.source) == form]
    return max(alike, key=lambda rule: rule.count, default=None)


def _form(side: Iterable[Symbol]) -> tuple[bool, ...]:
    return tuple(isinstance(symbol, int) for symbol in side)


def _require_no_contradiction(book: RuleBook, new: Rule) -> None:
    """Two rules for the same words are fine as long as what fills some hole tells them apart."""
    for rule in book.rules:
        if rule.source != new.source or rule.name == new.name:
            continue
        if rule.target == new.target:
            raise RuleError(f"{rule.name} already says `{rule}`.")
        is_told_apart = any(
            one and other and set(one).isdisjoint(other)
            for one, other in zip(rule.fillers, new.fillers, strict=True)
        )
        if not is_told_apart:
            raise RuleError(
                f"`{new}` contradicts {rule.name}, which says `{rule}` for the same words. "
                f"Change or forget {rule.name} instead."
            )


def change_rule(book: RuleBook, name: str, text: str) -> RuleBook:
    """The book with another text for a rule; what fills its holes stays, where it has as many of them."""
    old = find_rule(book, name)
    new = read_rule(text, old.name)
    if new.n_holes == old.n_holes:
        new = replace(new, fillers=old.fillers)
    _require_no_contradiction(book, new)
    return replace(book, rules=tuple(new if rule.name == old.name else rule for rule in book.rules))


def forget_rule(book: RuleBook, name: str) -> RuleBook:
    """The book without a rule; holes that it has filled are filled by others."""
    old = find_rule(book, name)
    rules = tuple(
        replace(rule, fillers=tuple(_without(fillers, old.name) for fillers in rule.fillers))
        for rule in book.rules
        if rule.name != old.name
    )
    return replace(book, rules=rules, sentences=_without(book.sentences, old.name))


def _without(fillers: Fillers, name: str) -> Fillers:
    return {kind: count for kind, count in fillers.items() if kind != name}


def take_text(old: RuleBook, edited: RuleBook) -> RuleBook:
    """The edited text in the place of a book: what says the same as before keeps counts, examples and habits."""
    rules = {rule.skeleton: rule for rule in old.rules}
    words = {(word.source, word.target, word.kind): word for word in old.words}
    kept_rules = (_kept(rules.get(rule.skeleton), rule) for rule in edited.rules)
    kept_words = (words.get((word.source, word.target, word.kind), word) for word in edited.words)
    return replace(
        old,
        rules=tuple(kept_rules),
        words=tuple(kept_words),
        sentences=edited.sentences,
    )


def _kept(old: Rule | None, edited: Rule) -> Rule:
    if old is None:
        return edited
    is_same = old.name == edited.name and _same(old.fillers, edited.fillers)
    kept = replace(old, name=edited.name, fillers=edited.fillers)
    return old if is_same else replace(kept, origin=PERSON)


def _same(one: Iterable[Mapping[str, int]], other: Iterable[Mapping[str, int]]) -> bool:
    return [dict(fillers) for fillers in one] == [dict(fillers) for fillers in other]
