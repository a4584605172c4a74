"""Counts the best derivations of all templates, and drops rules that too few pairs need."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple

from fewlex.rules.learning.draft import SENTENCE, DraftGrammar
from fewlex.rules.learning.forest import Forest, Part
from fewlex.rules.words.templates import TemplateCount

LEAST_SUPPORT = 2
"""The number of pairs that a rule needs where there is no noise."""

MUCH_MORE = 10
"""A rule that is used so many times as often as another one for the same words is likely to be the right one."""

MAX_ROUNDS = 5
"""Counts mostly stay the same after two or three rounds."""


class Application(NamedTuple):
    """A rule with the hole that it fills and the kinds that fill its own holes."""

    rule: str
    place: tuple[str, int]
    kinds: tuple[str, ...]


MAX_WORK = 2_000_000
"""The items of charts that learning may cost before nothing else is tried: some ten seconds, ten times that of COGS."""


@dataclass
class Effort:
    """What learning may cost. It is counted in items of charts, so that it ends at the same point on every machine.

    What is left out are only further tries: the first hypothesis is always made.
    """

    limit: int = MAX_WORK
    spent: int = 0

    @property
    def is_spent(self) -> bool:
        return self.spent > self.limit


@dataclass
class Census:
    """How often everything was used in the best derivations of the training pairs."""

    uses: Counter[str] = field(default_factory=Counter)
    """Rule → number of pairs."""
    fillers: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """(Rule, hole, kind) → number of pairs."""
    applications: Counter[Application] = field(default_factory=Counter)
    """How often which rule stood in which hole of which rule with which kinds of fillers."""
    habits: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """Word → hole (`R3#0`) → number of times."""
    examples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Rule → the shortest sentence that uses it."""
    n_pairs: int = 0
    work: int = 0
    """How much was computed for it, in items of charts."""
    derived: list[TemplateCount] = field(default_factory=list)
    underived: list[TemplateCount] = field(default_factory=list)

    @property
    def n_derived(self) -> int:
        return sum(count.n for count in self.derived)

    @property
    def share_derived(self) -> float:
        return self.n_derived / self.n_pairs if self.n_pairs else 0.0


def count_uses(grammar: DraftGrammar, counts: Sequence[TemplateCount]) -> Census:
    census = Census(n_pairs=sum(count.n for count in counts))
    for count in counts:
        forest = Forest(grammar, count.template)
        census.work += forest.n_items
        part = forest.whole()
        if part is None:
            census.underived.append(count)
            continue
        census.derived.append(count)
        seen: set[str] = set()
        _walk(part, SENTENCE, 0, count, census, seen)
        for name in seen:
            census.uses[name] += count.n
            census.examples.setdefault(name, count.sentences[0])
    return census


def _walk(part: Part, parent: str, hole: int, count: TemplateCount, census: Census, seen: set[str]) -> None:
    census.fillers[parent, hole, part.kind] += count.n
    if part.rule is None:
        for units in count.sentences:
            census.habits[units[part.start]][f"{parent}#{hole}"] += 1
        return
    seen.add(part.rule.name)
    kinds = tuple([fill.kind for fill in part.fills])
    census.applications[Application(part.rule.name, (parent, hole), kinds)] += count.n
    for number, fill in enumerate(part.fills):
        _walk(fill, part.rule.name, number, count, census, seen)


def prune(grammar: DraftGrammar, counts: Sequence[TemplateCount], support: int) -> Census:
    """Drop rules that fewer than `support` pairs use, and count again, until all rules that are left are used.

    Each count makes frequent fillers more probable in the next one (Viterbi training), so that derivations of
    templates that have several become alike.
    """
    work = 0
    for _ in range(MAX_ROUNDS):
        before = dict(grammar.fillers())
        census = count_uses(grammar, counts)
        work = census.work = work + census.work
        unused = [rule for rule in grammar.rules.values() if census.uses[rule.name] < support]
        grammar.take_fillers(census.fillers)
        for rule in unused:
            grammar.remove(rule)
        if not unused and dict(grammar.fillers()) == before:
            break
    if unused:
        census = prune(grammar, counts, support)
        census.work += work
    return census


def without_rivals(
    grammar: DraftGrammar, counts: Sequence[TemplateCount], census: Census, support: int
) -> tuple[DraftGrammar, Census]:
    """Among noise, the grammar without rules that contradict far more frequent ones, if too few pairs need them.

    Wrong pairs make such rules, and right pairs may then use them without need: `_ twice ↦ #0` within
    `_ and _ ↦ #0 #0 #1`, which says what `_ twice ↦ #0 #0` within `_ and _ ↦ #0 #1` says.
    """
    most: Counter[object] = Counter()
    for rule in grammar.rules.values():
        most[rule.source] = max(most[rule.source], census.uses[rule.name])
    rivals = [
        name for name, rule in grammar.rules.items() if census.uses[name] * MUCH_MORE <= most[rule.source]
    ]
    if support <= LEAST_SUPPORT or not rivals:
        return grammar, census
    rest = deepcopy(grammar)
    for name in rivals:
        rest.remove(rest.rules[name])
    recount = prune(rest, counts, support)
    recount.work += census.work
    if census.n_derived - recount.n_derived < support * len(rivals):
        return rest, recount
    census.work = recount.work
    return grammar, census
