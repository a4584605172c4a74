"""Grows a grammar: templates are met from short to long, and each gets the smallest extension that derives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fewlex.rules.learning.draft import DraftGrammar, DraftRule
from fewlex.rules.learning.extension import Extender
from fewlex.rules.learning.forest import Forest
from fewlex.rules.learning.noise import Trust
from fewlex.rules.learning.shape import Shape
from fewlex.rules.words.templates import TemplateCount


def grow_grammar(trust: Trust, shape: Shape, edges: tuple[str, str] = ("", "")) -> DraftGrammar:
    """The grammar of the trusted templates.

    Templates in which each variable can be followed come first. Those that do not agree with the links come next, if
    they were seen again, and then those in which a variable occurs twice, so that nobody knows which is which.
    `edges` are what all targets begin and end with, if one rule is to say that; all others say what is within.
    """
    trusted = trust.templates
    grammar = DraftGrammar()
    top = _frame(grammar, *edges) if any(edges) else grammar.sentence

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


def _frame(grammar: DraftGrammar, before: str, after: str) -> DraftRule:
    """The rule for what all targets have at their edges: `_ ↦ answer ( #0 )`."""
    top = grammar.add((0,), (*before, 0, *after), [Counter()])
    top.is_open[0] = True
    grammar.widen(grammar.sentence, 0, top.name)
    return top
