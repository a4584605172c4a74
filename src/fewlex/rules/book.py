"""The rule book: all that was learned from pairs, as people see it. It never changes; edits give a new book.

The book holds no probabilities. `RuleParser` derives them from the counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from fewlex.errors import RuleError, did_you_mean
from fewlex.rules.rule import LEARNED, PERSON, Fillers, Rule

CLOSENESSES = 3
"""How close the next reading can be has so many steps within each step of how new fillers are (`grades.py`)."""
UNMET = 0.5
"""The confidence in a derivation that is more daring than all that were checked, as a share of theirs."""

SILENT = "silent"
"""The class of words that say nothing: they may be left out. Such words have no target."""

SAME = "same"
"""The class of words that are read as another word, which is their target: *plus* as *and*, a word of some rule."""


@dataclass(frozen=True)
class Word:
    """A source word, or a term of several words, with the target tokens that it stands for."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    kind: str
    """The name of its class; words of one class fill the same holes."""
    origin: str = LEARNED
    habits: Mapping[str, int] = field(default_factory=dict)
    """Which holes the word itself has filled, and how often: `R3#0` → count. A taught word has no habits yet."""

    @property
    def term(self) -> str:
        return " ".join(self.source)


@dataclass(frozen=True)
class Calibration:
    """How often the rules were right where they could be checked: on training templates that they had not seen.

    Derivations are graded by how daring they are (`Derivation.grade`); `precision[grade]` is a cautious estimate of the
    share of right answers among those of that grade.
    """

    precision: Mapping[int, float] = field(default_factory=dict)
    n_checked: int = 0
    wanted: float = 0.98
    """The rules speak only where the precision is at least this."""
    new_words: float = 0.0
    """The share of right answers to sentences of words that were seen once, or taught; no answer counts as wrong."""

    def confidence(self, grade: int) -> float:
        """The precision of a grade; of one that was never met, that of the next more daring one that was.

        If none of these was met, half of the precision of the next less daring one. A grade is more daring than
        another if its fillers are as new and its next reading is as close; of others this cannot be said.
        """
        newness, closeness = divmod(grade, CLOSENESSES)
        places = {met: divmod(met, CLOSENESSES) for met in sorted(self.precision)}
        more = [met for met, (new, close) in places.items() if new >= newness and close >= closeness]
        if more:
            return self.precision[more[0]]
        less = [met for met, (new, close) in places.items() if new <= newness and close <= closeness]
        return UNMET * self.precision[less[-1]] if less else 0.0

    def is_sure(self, grade: int) -> bool:
        return self.confidence(grade) >= self.wanted


@dataclass(frozen=True)
class Measured:
    """What the learner found out about its data."""

    n_pairs: int = 0
    derived: float = 0.0
    """The share of the training pairs that the rules derive exactly."""
    noise: float = 0.0
    """The share of the training pairs that look wrong."""
    silence: str = ""
    """Why there are no rules, for instance because the data have no small grammar; empty where there are rules."""


@dataclass(frozen=True)
class RuleBook:
    """Rules, the words that fill their holes, and what was measured."""

    rules: tuple[Rule, ...] = ()
    words: tuple[Word, ...] = ()
    sentences: Fillers = field(default_factory=dict)
    """What a whole sentence may be, and how often it was: the name of a word class or of a rule → count."""
    is_open_ended: bool = False
    """True if targets leave out the closing brackets at their end, as nested COGS does. Rules have all brackets."""
    calibration: Calibration = field(default_factory=Calibration)
    measured: Measured = field(default_factory=Measured)

    def __post_init__(self) -> None:
        names = [rule.name for rule in self.rules]
        for name, number in Counter(names).items():
            if number > 1:
                raise RuleError(f"{number} rules have the name {name!r}. Give each its own name.")
        known = {*names, *self.kinds}
        for rule in self.rules:
            for fillers in rule.fillers:
                for kind in fillers:
                    if kind not in known:
                        raise RuleError(
                            f"a hole of {rule.name} ({rule}) is filled by {kind!r}, which is neither a rule nor "
                            f"a class of words. {did_you_mean(kind, known)}"
                        )

    @cached_property
    def kinds(self) -> Mapping[str, tuple[Word, ...]]:
        """The classes of words, each with its words."""
        members: dict[str, list[Word]] = {}
        for word in self.words:
            members.setdefault(word.kind, []).append(word)
        return MappingProxyType({kind: tuple(words) for kind, words in members.items()})

    def rule(self, name: str) -> Rule:
        for rule in self.rules:
            if rule.name == name:
                return rule
        names = [rule.name for rule in self.rules]
        raise RuleError(f"there is no rule {name!r}. {did_you_mean(name, names)}")

    def word(self, term: str) -> Word | None:
        """The word, or the first of several that are said in the same way."""
        return self._by_term.get(term)

    def terms_with(self, word: str) -> Sequence[Word]:
        """The terms of several words that have this word among them."""
        return self._by_part.get(word, ())

    @cached_property
    def _by_term(self) -> Mapping[str, Word]:
        return {word.term: word for word in reversed(self.words)}

    @cached_property
    def _by_part(self) -> Mapping[str, Sequence[Word]]:
        parts: dict[str, list[Word]] = {}
        for word in self.words:
            if len(word.source) > 1:
                for part in dict.fromkeys(word.source):
                    parts.setdefault(part, []).append(word)
        return parts

    def with_word(self, source: Iterable[str], target: Iterable[str], like: str) -> RuleBook:
        """The book with one more word, which works at once in every rule in which the word `like` works."""
        model = self.word(like)
        if model is None:
            terms = [word.term for word in self.words]
            raise RuleError(f"the rules know no word {like!r}. {did_you_mean(like, terms)}")
        taught = Word(tuple(source), tuple(target), model.kind, PERSON)
        kept = (word for word in self.words if word.source != taught.source)
        return replace(self, words=(*kept, taught))
