"""The grammar while it is learned: rules whose holes become wider."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fewlex.rules.rule import Symbol

SEEN, UNSEEN = -0.1, -5.0
"""Log prices of a filler that the hole has had before and of a new one."""

SENTENCE = "sentence"
"""The name of the rule `_ ↦ #0` at the top, whose hole is the whole sentence. It is in no book."""


@dataclass(eq=False)
class DraftRule:
    """Like `Rule`, with a coded target and with fillers that grow."""

    name: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    fillers: list[Counter[str]]
    is_open: list[bool]
    """For each hole whether it takes new kinds of fillers. A hole that has only had words of one class does not."""
    log_probs: list[dict[str, float]] | None = None
    """For each hole the log probabilities of its fillers, once derivations have been counted."""
    tag: tuple[tuple[int, str], ...] = ()
    """What tells a rule that was split off another one from its siblings: a hole, and one of the kinds that fill it."""
    words: frozenset[str] = field(init=False)
    characters: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.words = frozenset(symbol for symbol in self.source if isinstance(symbol, str))
        self.characters = frozenset(symbol for symbol in self.target if isinstance(symbol, str))

    def price(self, hole: int, kind: str) -> float | None:
        """The log price of a filler; None if the hole does not take it."""
        if kind in self.fillers[hole]:
            return SEEN if self.log_probs is None else self.log_probs[hole].get(kind, SEEN)
        return UNSEEN if self.is_open[hole] else None

    def yields(self, parts: Sequence[str]) -> str:
        """The target with its holes filled."""
        return "".join([parts[symbol] if isinstance(symbol, int) else symbol for symbol in self.target])

    def settle(self) -> None:
        """Take the counts of fillers for probabilities."""
        self.log_probs = [
            {kind: math.log(n / kinds.total()) for kind, n in kinds.items() if n} for kinds in self.fillers
        ]


class DraftGrammar:
    """Rules by name, and what a whole sentence may be."""

    def __init__(self) -> None:
        self.sentence = DraftRule(SENTENCE, (0,), (0,), [Counter()], [True])
        self.rules: dict[str, DraftRule] = {}
        self._by_skeleton: dict[object, DraftRule] = {}
        self._n_names = 0

    def rules_in(self, rule: DraftRule, hole: int) -> list[DraftRule]:
        """The rules that have filled a hole."""
        return [self.rules[kind] for kind in rule.fillers[hole] if kind in self.rules]

    def without(self, rule: DraftRule) -> DraftGrammar:
        """A grammar of the same rules but for one. The rules are shared, so it is only to be read."""
        rest = DraftGrammar()
        rest.sentence = self.sentence
        rest.rules = {name: other for name, other in self.rules.items() if other is not rule}
        return rest

    def widen(self, rule: DraftRule, hole: int, kind: str, n: int = 1) -> None:
        """From now on the hole takes this kind of filler."""
        rule.fillers[hole][kind] += n
        rule.is_open[hole] = rule.is_open[hole] or kind in self.rules or len(rule.fillers[hole]) > 1

    def add(
        self, source: Sequence[Symbol], target: Sequence[Symbol], fillers: Iterable[Counter[str]]
    ) -> DraftRule:
        """A new rule; where a rule does the same already, its holes become wider."""
        skeleton = tuple(source), tuple(target)
        rule = self._by_skeleton.get((*skeleton, ()))
        fillers = list(fillers)
        if rule is None:
            self._n_names += 1
            rule = DraftRule(
                f"R{self._n_names}", *skeleton, [Counter() for _ in fillers], [False for _ in fillers]
            )
            self.rules[rule.name] = self._by_skeleton[self._key(rule)] = rule
        for hole, kinds in enumerate(fillers):
            for kind, n in kinds.items():
                self.widen(rule, hole, kind, n)
        return rule

    def fillers(self) -> Iterator[tuple[tuple[str, int, str], int]]:
        """How often which kind has filled which hole."""
        for rule in (self.sentence, *self.rules.values()):
            for hole, kinds in enumerate(rule.fillers):
                for kind, n in kinds.items():
                    yield (rule.name, hole, kind), n

    def take_fillers(self, counts: Mapping[tuple[str, int, str], int]) -> None:
        """Replace what has filled each hole by what was counted."""
        rules = (self.sentence, *self.rules.values())
        for rule in rules:
            rule.fillers = [Counter() for _ in rule.fillers]
        for (name, hole, kind), n in counts.items():
            (self.sentence if name == SENTENCE else self.rules[name]).fillers[hole][kind] = n
        for rule in rules:
            rule.settle()

    def remove(self, rule: DraftRule) -> None:
        del self._by_skeleton[self._key(rule)]
        del self.rules[rule.name]
        for other in (self.sentence, *self.rules.values()):
            for kinds in other.fillers:
                kinds.pop(rule.name, None)

    def split(self, rule: DraftRule, hole: int, groups: Iterable[set[str]]) -> None:
        """Replace a rule by one rule for each group of the kinds that fill one of its holes."""
        del self._by_skeleton[self._key(rule)]
        for group in groups:
            self._n_names += 1
            part = DraftRule(
                f"R{self._n_names}",
                rule.source,
                rule.target,
                [Counter(group) if h == hole else Counter(kinds) for h, kinds in enumerate(rule.fillers)],
                [is_open and h != hole for h, is_open in enumerate(rule.is_open)],
                tag=(*rule.tag, (hole, min(group))),
            )
            self.rules[part.name] = self._by_skeleton[self._key(part)] = part
            for other in (self.sentence, *self.rules.values()):
                for h, kinds in enumerate(other.fillers):
                    if rule.name in kinds:
                        self.widen(other, h, part.name)
        del self.rules[rule.name]
        for other in (self.sentence, *self.rules.values()):
            other.log_probs = None
            for kinds in other.fillers:
                kinds.pop(rule.name, None)

    @staticmethod
    def _key(rule: DraftRule) -> object:
        return rule.source, rule.target, rule.tag

    def replace(self, old: DraftRule, new: DraftRule) -> None:
        """Let `new` fill every hole that `old` has filled, and remove `old`."""
        for rule in (self.sentence, *self.rules.values()):
            for hole, kinds in enumerate(rule.fillers):
                if old.name in kinds:
                    self.widen(rule, hole, new.name, kinds[old.name])
        self.remove(old)


def rule_size(source: Sequence[Symbol], target: Sequence[Symbol]) -> float:
    """The description length of a rule: a hole costs 1, a token, of which there are more to choose from, 1.5."""
    return sum(1.0 if isinstance(symbol, int) else 1.5 for symbol in (*source, *target))
