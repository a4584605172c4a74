"""Grows a grammar: templates are met from short to long, and each gets the smallest extension that derives it."""

from __future__ import annotations

import os.path
from collections import Counter
from collections.abc import Iterable, Sequence

from fewlex.rules.draft import DraftGrammar, DraftRule
from fewlex.rules.extension import Extender
from fewlex.rules.forest import Forest
from fewlex.rules.noise import Trust
from fewlex.rules.shape import Shape
from fewlex.rules.templates import TemplateCount, is_variable


def has_edges(targets: Sequence[Sequence[str]]) -> bool:
    """True if all targets begin or end with the same token."""
    return any(len({target[place] for target in targets if target}) == 1 for place in (0, -1))


def grow_grammar(trust: Trust, shape: Shape, is_framed: bool = False) -> DraftGrammar:
    """The grammar of the trusted templates.

    Templates in which each variable can be followed come first. Those that do not agree with the links come next, if
    they were seen again, and then those in which a variable occurs twice, so that nobody knows which is which.
    If `is_framed`, one rule says what all targets have at their edges, and all others say what is within.
    """
    trusted = trust.templates
    grammar = DraftGrammar()
    top = _frame(grammar, shape, trusted) if is_framed else grammar.sentence

    def extend(counts: Iterable[TemplateCount]) -> None:
        for count in counts:
            forest = Forest(grammar, count.template)
            whole = forest.whole()
            if whole is not None:
                grammar.widen(grammar.sentence, 0, whole.kind)
                continue
            extension = Extender(grammar, forest, shape).smallest(top)
            if extension is not None:
                extension.apply()

    extend(count for count in trusted if count.template.is_clean)
    extend(c for c in trusted if c.template.is_plain and not c.template.is_clean and c.n > 1)
    extend(c for c in trusted if c.template.is_whole and not c.template.is_plain)
    extend(count for count in trust.doubtful if count.template.is_clean)
    return grammar


def _frame(grammar: DraftGrammar, shape: Shape, trusted: Sequence[TemplateCount]) -> DraftRule:
    """The rule for what all targets have at their edges: `_ ↦ answer ( #0 )`."""
    before, after = common_edges([count.template.target for count in trusted], shape)
    if not before and not after:
        return grammar.sentence
    top = grammar.add((0,), (*before, 0, *after), [Counter()])
    top.is_open[0] = True
    grammar.widen(grammar.sentence, 0, top.name)
    return top


def common_edges(targets: Sequence[str], shape: Shape) -> tuple[str, str]:
    """What all targets begin and end with, as much of it as holds whole pairs of brackets."""
    if not targets:
        return "", ""
    first, last = os.path.commonprefix(targets), os.path.commonprefix([text[::-1] for text in targets])[::-1]
    shortest = min(map(len, targets))
    found = [
        (first[:before], last[len(last) - after :])
        for before in range(len(first) + 1)
        for after in range(len(last) + 1)
        if 0 < before + after < shortest
    ]
    whole = [
        edges
        for edges in found
        if shape.is_whole("".join(edges)) and not any(map(is_variable, "".join(edges)))
    ]
    return max(whole, key=lambda edges: len(edges[0]) + len(edges[1]), default=("", ""))
