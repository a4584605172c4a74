"""Splits rules whose holes depend on each other.

A rule says that its holes are filled independently. If it depends on the filler of one hole what fills the others, or
where the rule stands, then one rule for each kind of that filler describes the data better. In *_ _ ↦ #1 ( #0 )* an
adverb may take whole sentences where an adjective takes nouns.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping

from fewlex.rules.counting import Application, Census
from fewlex.rules.draft import DraftGrammar


def split_rules(grammar: DraftGrammar, census: Census) -> bool:
    """Split each rule at the hole where that gains most, where it gains anything; true if a rule was split."""
    by_rule: dict[str, Counter[Application]] = defaultdict(Counter)
    for application, n in census.applications.items():
        by_rule[application.rule][application] += n
    is_changed = False
    for name, applications in by_rule.items():
        rule = grammar.rules[name]
        # A hole that the rule itself may fill is left alone: without it there would be no recursion.
        holes = [hole for hole, kinds in enumerate(rule.fillers) if name not in kinds]
        gains = [(_gain(applications, hole), hole) for hole in holes]
        gain, hole = max(gains, default=(0.0, 0))
        if gain > 0:
            grammar.split(rule, hole)
            is_changed = True
    return is_changed


def _gain(applications: Mapping[Application, int], hole: int) -> float:
    """The gain in log likelihood from a split at a hole, less the price of the new parameters (BIC)."""
    n_holes = len(next(iter(applications)).kinds)
    total = sum(applications.values())
    gain = 0.0
    for other in range(-1, n_holes):
        if other == hole:
            continue
        joint: Counter[tuple[Hashable, Hashable]] = Counter()
        for application, n in applications.items():
            joint[application.kinds[hole], application.place if other < 0 else application.kinds[other]] += n
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
