"""Splits rules whose holes depend on each other.

A rule says that its holes are filled independently. If it depends on the filler of one hole what fills the others, or
where the rule stands, then one rule for each kind of that filler describes the data better. In *_ _ ↦ #1 ( #0 )* an
adverb may take whole sentences where an adjective takes nouns.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

from fewlex.rules.learning.counting import Application, Census
from fewlex.rules.learning.draft import DraftGrammar

MAX_KINDS = 20
"""A hole with more kinds of fillers is not looked at: all groups of them would take too long."""


def split_rules(grammar: DraftGrammar, census: Census, min_gain: float = 0.0) -> bool:
    """Split each rule at the hole where that gains most, where it gains enough; true if a rule was split."""
    by_rule: dict[str, Counter[Application]] = defaultdict(Counter)
    for application, n in census.applications.items():
        by_rule[application.rule][application] += n
    is_changed = False
    for name, applications in by_rule.items():
        rule = grammar.rules[name]
        splits = [(*_best_groups(applications, hole), hole) for hole in range(len(rule.fillers))]
        gain, groups, hole = max(splits, key=lambda split: split[0], default=(0.0, [], 0))
        if gain > min_gain:
            grammar.split(rule, hole, groups)
            is_changed = True
    return is_changed


def _best_groups(applications: Mapping[Application, int], hole: int) -> tuple[float, list[set[str]]]:
    """The kinds that fill a hole in groups, so that a split into these gains most, and how much that is."""
    groups = [{kind} for kind in sorted({application.kinds[hole] for application in applications})]
    if len(groups) > MAX_KINDS:
        return 0.0, groups
    gain = _gain(applications, hole, groups)
    while len(groups) > 1:
        mergers = []
        for one, other in combinations(range(len(groups)), 2):
            rest = [group for number, group in enumerate(groups) if number not in (one, other)]
            merged = [*rest, groups[one] | groups[other]]
            mergers.append((_gain(applications, hole, merged), merged))
        best_gain, best = max(mergers, key=lambda merger: merger[0])
        if best_gain < gain:
            break
        gain, groups = best_gain, best
    return gain, groups


def _gain(applications: Mapping[Application, int], hole: int, groups: Sequence[set[str]]) -> float:
    """The gain in log likelihood from a split at a hole, less the price of the new parameters (BIC)."""
    group_of = {kind: number for number, group in enumerate(groups) for kind in group}
    n_holes = len(next(iter(applications)).kinds)
    total = sum(applications.values())
    gain = 0.0
    for other in range(-1, n_holes):
        if other != hole:
            joint: Counter[tuple[Hashable, Hashable]] = Counter()
            for application, n in applications.items():
                context = application.place if other < 0 else application.kinds[other]
                joint[group_of[application.kinds[hole]], context] += n
            information, n_parameters = _mutual_information(joint)
            gain += total * information - 0.5 * n_parameters * math.log(total)
    return gain


def _mutual_information(joint: Mapping[tuple[Hashable, Hashable], int]) -> tuple[float, int]:
    """The mutual information of two variables, and the number of parameters that it takes to describe it."""
    total = sum(joint.values())
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (row, column), n in joint.items():
        rows[row] += n
        columns[column] += n
    information = sum(
        n / total * math.log(n * total / (rows[row] * columns[column])) for (row, column), n in joint.items()
    )
    return information, (len(rows) - 1) * (len(columns) - 1)
