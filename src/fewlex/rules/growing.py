"""Grows a grammar: templates are met from short to long, and each gets the smallest extension that derives it."""

from __future__ import annotations

from collections.abc import Iterable

from fewlex.rules.draft import DraftGrammar
from fewlex.rules.extension import Extender
from fewlex.rules.forest import Forest
from fewlex.rules.noise import Trust
from fewlex.rules.shape import Shape
from fewlex.rules.templates import TemplateCount


def grow_grammar(trust: Trust, shape: Shape) -> DraftGrammar:
    """The grammar of the trusted templates.

    Templates in which each variable can be followed come first. Those that do not agree with the links come next, if
    they were seen again, and then those in which a variable occurs twice, so that nobody knows which is which.
    """
    trusted = trust.templates
    grammar = DraftGrammar()
    _extend(grammar, shape, (count for count in trusted if count.template.is_clean))
    _extend(
        grammar,
        shape,
        (c for c in trusted if c.template.is_plain and not c.template.is_clean and c.n > 1),
    )
    _extend(grammar, shape, (c for c in trusted if c.template.is_whole and not c.template.is_plain))
    _extend(grammar, shape, (count for count in trust.doubtful if count.template.is_clean))
    return grammar


def _extend(grammar: DraftGrammar, shape: Shape, counts: Iterable[TemplateCount]) -> None:
    for count in counts:
        forest = Forest(grammar, count.template)
        whole = forest.whole()
        if whole is not None:
            grammar.widen(grammar.sentence, 0, whole.kind)
            continue
        extension = Extender(grammar, forest, shape).smallest()
        if extension is not None:
            extension.apply()
