"""Training pairs that look wrong: the rules, which most pairs agree with, derive another target.

A pair is only suspected if the rules that derive it are usually right, and if the rules explain most of the data.
Where the same source has several targets, the rarer ones are suspected, whether or not there are rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from fewlex.data.example import Example
from fewlex.rules.book import RuleBook
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.parsing.derivation import Derivation
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.rule import Rule

LEAST_EXPLAINED = 0.5
"""Rules that explain less of the data than this are not asked which pairs are wrong."""

LEAST_RELIABLE = 0.6
"""A rule whose derivations agree with fewer of their pairs than this cannot make a pair suspect."""

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Suspicion:
    """One pair that looks wrong: its place among the examples, from 0, the reason, and what was expected instead."""

    index: int
    source: Tokens
    target: Tokens
    expected: Tokens
    reason: str


@dataclass(frozen=True)
class DataCheck:
    """What was found; `explained` is the share of the pairs that the rules derive exactly as they are."""

    n_pairs: int
    explained: float
    suspicions: tuple[Suspicion, ...]
    note: str = ""
    """Why the rules were not asked, if they were not."""


def check_pairs(
    examples: Sequence[Example],
    book: RuleBook,
    on_done: Callable[[int], None] = lambda done: None,
) -> DataCheck:
    """Compare every pair with what the rules derive; `on_done` is told how many more are done."""
    parser = RuleParser(book)
    derivations = []
    for example in examples:
        derivations.append(parse_or_none(parser, example.source))
        on_done(1)
    agrees = [
        derivation is not None and derivation.tokens == example.target
        for derivation, example in zip(derivations, examples, strict=True)
    ]
    explained = sum(agrees) / max(1, len(agrees))
    found: dict[int, Suspicion] = {}
    note = ""
    if explained >= LEAST_EXPLAINED:
        found = _against_rules(examples, derivations, agrees)
    else:
        note = f"the rules explain {explained:.0%} of the pairs, too little to tell which of the others are wrong"
        if book.measured.silence:
            note = f"there are no rules to check with: {book.measured.silence}"
    for index, suspicion in _against_each_other(examples).items():
        if not agrees[index]:
            found.setdefault(index, suspicion)
    return DataCheck(len(examples), explained, tuple(found[index] for index in sorted(found)), note)


def _against_rules(
    examples: Sequence[Example], derivations: Sequence[Derivation | None], agrees: Sequence[bool]
) -> dict[int, Suspicion]:
    used: Counter[str] = Counter()
    right: Counter[str] = Counter()
    owner: dict[Tokens, int] = {}
    for index, (derivation, is_right) in enumerate(zip(derivations, agrees, strict=True)):
        if derivation is not None:
            names = _rules_of(derivation)
            used.update(names)
            right.update(names if is_right else ())
            owner.setdefault(derivation.tokens, index)
    found = {}
    for index, (example, derivation) in enumerate(zip(examples, derivations, strict=True)):
        if derivation is None or agrees[index]:
            continue
        if all(right[name] >= LEAST_RELIABLE * used[name] for name in _rules_of(derivation)):
            reason = _difference(example.target, derivation.tokens, owner, examples)
            found[index] = Suspicion(index, example.source, example.target, derivation.tokens, reason)
    return found


def _rules_of(derivation: Derivation) -> set[str]:
    return {node.of.name for node in derivation.root if isinstance(node.of, Rule)}


def _against_each_other(examples: Sequence[Example]) -> dict[int, Suspicion]:
    """Pairs whose source usually has another target."""
    targets: dict[Tokens, Counter[Tokens]] = defaultdict(Counter)
    for example in examples:
        targets[example.source][example.target] += 1
    found = {}
    for index, example in enumerate(examples):
        usual, times = targets[example.source].most_common(1)[0]
        if times > targets[example.source][example.target]:
            reason = f"{times:,} pairs with the same source have another target"
            found[index] = Suspicion(index, example.source, example.target, usual, reason)
    return found


def _difference(
    target: Tokens, expected: Tokens, owner: Mapping[Tokens, int], examples: Sequence[Example]
) -> str:
    """In one sentence how a target differs from what was expected."""
    if target in owner:
        other = owner[target]
        return f"this is the target of pair {other + 1}, {' '.join(examples[other].source)!r}"
    changes = [
        change
        for change in SequenceMatcher(None, target, expected, autojunk=False).get_opcodes()
        if change[0] != "equal"
    ]
    if len(changes) == 1:
        _, first, end, start, stop = changes[0]
        said, meant = " ".join(target[first:end]), " ".join(expected[start:stop])
        if not said:
            return f"{meant!r} is missing at token {first + 1}"
        if not meant:
            return f"{said!r} at token {first + 1} is too much"
        return f"token {first + 1} is {said!r} where the rules say {meant!r}"
    return f"the target differs in {len(changes)} places from what the rules say"
