"""The rules of a run or of a file, edited in place, with a log of edits that can be undone.

Each edit is logged with the rules and words that it touched, before and after, and with what a sentence may be;
`fewlex.journal` says why a crash can do no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

from fewlex.errors import RuleError
from fewlex.journal import LOG_NAME, EditLog, now
from fewlex.rules.book import RuleBook
from fewlex.rules.edits import add_rule, change_rule, forget_rule, take_text
from fewlex.rules.merging import merge_rules
from fewlex.rules.rule import Rule
from fewlex.rules.storage import (
    FILE_NAME,
    Often,
    load_rules,
    rule_fields,
    rule_from,
    save_rules,
    word_fields,
    word_from,
)
from fewlex.rules.text import read_sides
from fewlex.strict import Count, checked

RULES = "rules"
"""What the shared log calls edits of rules."""

Item = Mapping[str, Any]


@dataclass(frozen=True)
class RuleEdit:
    """What one command did to the rules; the items are JSON objects by name, and None is what was not there."""

    time: str
    action: str
    rules: Mapping[str, tuple[Item | None, Item | None, int]]
    """By name: the rule before, the rule after, and its place in the book."""
    words: Mapping[str, tuple[Item | None, Item | None, int]]
    sentences: tuple[Mapping[str, int], Mapping[str, int]]

    def reversed(self) -> RuleEdit:
        """The edit the other way round: what was after it comes before it."""
        rules, words = (
            {name: (after, before, place) for name, (before, after, place) in changes.items()}
            for changes in (self.rules, self.words)
        )
        return replace(self, rules=rules, words=words, sentences=(self.sentences[1], self.sentences[0]))


class _ChangeContent(TypedDict):
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    place: Count


class _SentencesContent(TypedDict):
    before: dict[str, Often]
    after: dict[str, Often]


class _EditContent(TypedDict):
    """What a line of the log looks like."""

    time: str
    action: str
    rules: dict[str, _ChangeContent]
    words: dict[str, _ChangeContent]
    sentences: _SentencesContent


class RuleJournal:
    """Edits the rules of a run folder, or of a `.json` file, and keeps a log of the edits beside them."""

    def __init__(self, where: Path | str) -> None:
        where = Path(where)
        self.path = where / FILE_NAME if where.is_dir() else where
        log = where / LOG_NAME if where.is_dir() else where.with_suffix(f".{LOG_NAME}")
        if self.path.suffix != ".json":
            raise RuleError(f"{where}: only rules in a .json file have a log of edits. Edit the text itself.")
        self.learned_path = self.path.with_suffix(".learned.json")
        self._edits = EditLog(log, of=RULES)

    def read(self) -> RuleBook:
        """The rules as they are now."""
        if not self.path.exists():
            raise RuleError(f"{self.path}: there are no rules yet. `fewlex rules learn DATA` writes some.")
        book = load_rules(self.path)
        self._edits.require_edits_of(self.path)
        return book

    def learned(self) -> RuleBook:
        """The rules without any edit: what training starts from."""
        book = self.read()
        for edit in reversed(self._edits.edits(rule_edit_from)):
            book = _before(book, edit)
        return book

    def rebuilt(self, learned: RuleBook) -> RuleBook:
        """What was learned with all edits of the log, whatever the file of the rules says."""
        for edit in self._edits.edits(rule_edit_from):
            learned = _before(learned, edit.reversed())
        return learned

    def begin_anew(self, learned: RuleBook) -> None:
        """Put other learned rules below the edits, which stay."""
        with self._edits.locked():
            rebuilt, count = self.rebuilt(learned), self._edits.reach()
            if count:
                save_rules(learned, self.learned_path)
            save_rules(rebuilt, self.path, count)

    def add(self, text: str, like: str = "") -> tuple[Rule, Rule | None]:
        """Add a rule; tell it, and the rule that it behaves like."""
        _, new, model = self.add_and_tell(text, like)
        return new, model

    def add_and_tell(self, text: str, like: str = "") -> tuple[RuleEdit, Rule, Rule | None]:
        """Add a rule; tell the edit, the rule, and the rule that it behaves like."""
        with self._edits.locked():
            book, new, model = add_rule(self.read(), text, like)
            return self._commit("add", book), new, model

    def teach(self, text: str, like: str) -> RuleEdit:
        """Add a word, `blork ↦ I_BLORK`, that works in every rule in which the word `like` works."""
        source, target = read_sides(text)
        words, tokens = (tuple(s for s in side if isinstance(s, str)) for side in (source, target))
        if (words, tokens) != (source, target) or not words:
            raise RuleError(
                f"{text.strip()!r} is no word: it has a hole, or no source. Name a rule that it is like."
            )
        with self._edits.locked():
            return self._commit("teach", self.read().with_word(words, tokens, like))

    def change(self, name: str, text: str) -> RuleEdit:
        with self._edits.locked():
            return self._commit("change", change_rule(self.read(), name, text))

    def forget(self, name: str) -> RuleEdit:
        with self._edits.locked():
            return self._commit("forget", forget_rule(self.read(), name))

    def replace(self, edited: RuleBook, action: str = "edit") -> RuleEdit:
        """Put an edited text in the place of the rules; what was not changed keeps what was learned about it."""
        with self._edits.locked():
            return self._commit(action, take_text(self.read(), edited))

    def merge(self, given: RuleBook) -> RuleEdit:
        """Add the rules and words of another book; where both speak of the same words, the other one counts."""
        with self._edits.locked():
            return self._commit("import", merge_rules(self.read(), given))

    def undo(self) -> RuleEdit:
        """Take back the last edit that was not undone yet, and tell which."""
        with self._edits.locked():
            return self._edits.undo(rule_edit_from, self._take_back)

    def redo(self) -> RuleEdit:
        """Make the edit again that was undone last, and return it; after another edit there is none."""
        with self._edits.locked():
            return self._edits.redo(rule_edit_from, self._make_again)

    def _take_back(self, edit: RuleEdit) -> None:
        save_rules(_before(self.read(), edit), self.path, self._edits.reach(undone=1))

    def _make_again(self, edit: RuleEdit) -> None:
        save_rules(_before(self.read(), edit.reversed()), self.path, self._edits.reach())

    def _commit(self, action: str, new: RuleBook) -> RuleEdit:
        old = self.read()
        edit = RuleEdit(
            now(),
            action,
            _changes(_rules(old), _rules(new)),
            _changes(_words(old), _words(new)),
            (dict(old.sentences), dict(new.sentences)),
        )
        if edit.rules or edit.words or edit.sentences[0] != edit.sentences[1]:
            if not (self._edits.count and self.learned_path.exists()):
                save_rules(self.learned(), self.learned_path)
            self._edits.commit(_to_record(edit), lambda: save_rules(new, self.path, self._edits.reach()))
        return edit


def _rules(book: RuleBook) -> dict[str, Item]:
    return {rule.name: rule_fields(rule) for rule in book.rules}


def _words(book: RuleBook) -> dict[str, Item]:
    return {word.term: word_fields(word) for word in book.words}


def _changes(
    old: Mapping[str, Item], new: Mapping[str, Item]
) -> dict[str, tuple[Item | None, Item | None, int]]:
    places = {name: place for place, name in enumerate(old)}
    return {
        name: (old.get(name), new.get(name), places.get(name, len(old)))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    }


def _before(book: RuleBook, edit: RuleEdit) -> RuleBook:
    """The book with everything that an edit touched as it was before; what came later stays."""
    rules = _restored(_rules(book), edit.rules)
    words = _restored(_words(book), edit.words)
    return replace(
        book,
        rules=tuple(map(rule_from, rules)),
        words=tuple(map(word_from, words)),
        sentences=edit.sentences[0],
    )


def _restored(
    items: Mapping[str, Item], changes: Mapping[str, tuple[Item | None, Item | None, int]]
) -> list[Item]:
    order = [name for name in items if name not in changes or changes[name][0] is not None]
    for name, (before, _, place) in changes.items():
        if before is not None and name not in items:
            order.insert(place, name)
    # A name in both comes from the log, where it has a state before the edit.
    earlier = {name: before for name, (before, _, _) in changes.items() if before is not None}
    return [earlier.get(name) or items[name] for name in order]


def _to_record(edit: RuleEdit) -> dict[str, object]:
    def as_json(changes: Mapping[str, tuple[Item | None, Item | None, int]]) -> dict[str, object]:
        return {
            name: {"before": before, "after": after, "place": place}
            for name, (before, after, place) in changes.items()
        }

    before, after = edit.sentences
    return {
        "time": edit.time,
        "action": edit.action,
        "rules": as_json(edit.rules),
        "words": as_json(edit.words),
        "sentences": {"before": before, "after": after},
    }


def rule_edit_from(record: Any) -> RuleEdit:
    """The edit that a line of the log tells, as JSON."""
    told = checked(record, _EditContent)

    def changes(
        found: Mapping[str, _ChangeContent], read: Callable[[Item], object]
    ) -> dict[str, tuple[Item | None, Item | None, int]]:
        for change in found.values():
            for item in (change["before"], change["after"]):
                if item is not None:
                    read(item)  # which complains if it is none
        return {name: (change["before"], change["after"], change["place"]) for name, change in found.items()}

    sentences = told["sentences"]
    return RuleEdit(
        told["time"],
        told["action"],
        changes(told["rules"], rule_from),
        changes(told["words"], word_from),
        (sentences["before"], sentences["after"]),
    )
