"""Makes a grammar smaller by what its rules say about each other.

A rule that was learned from a short template is often a special case of one that was learned later, and is dropped:

_ or is _ ↦ or ( #0 ( x ) , #1 ( x ) )        for two words                 is derived by
_ or is _ ↦ or ( #0 , #1 )                    for phrases                   with
_ ↦ #0 ( x )                                  for words

A rule may also have another one within it, if both were learned from the same templates. Then it gets a hole there:

the _ in _ _ ↦ Q ( #1 , #2 ) . to ( #0 )      with
_ _ ↦ Q ( #0 , #1 )                           becomes
the _ in _ ↦ #1 . to ( #0 )

What may stand beside the one may then stand beside the other.
"""

from __future__ import annotations

from collections import Counter

from fewlex.rules.learning.draft import DraftGrammar, DraftRule, rule_size
from fewlex.rules.learning.extension import Extender
from fewlex.rules.learning.forest import Forest, Part
from fewlex.rules.learning.shape import Shape
from fewlex.rules.words.templates import Template, variable


def drop_redundant(grammar: DraftGrammar, shape: Shape) -> bool:
    """Drop or shorten each rule that others say in part or as a whole, large rules first. True if there was one."""
    rules = sorted(grammar.rules.values(), key=lambda rule: -rule_size(rule.source, rule.target))
    # Not `any`, which would stop at the first one.
    return sum(_drop(grammar, rule) or _shorten(grammar, rule, shape) for rule in rules) > 0


def _drop(grammar: DraftGrammar, rule: DraftRule) -> bool:
    """Replace a rule that the others derive by what derives it."""
    part = _derivation(grammar, rule)
    if part is None or part.rule is None or not _fits(grammar, part, rule):
        return False
    _widen(grammar, part, rule)
    grammar.replace(rule, part.rule)
    return True


def _shorten(grammar: DraftGrammar, rule: DraftRule, shape: Shape) -> bool:
    """Put a hole into a rule in the place of each part that the other rules derive."""
    forest = _forest(grammar, rule)
    if forest is None:
        return False
    extender = Extender(grammar, forest, shape)
    found = extender.flat(0, len(rule.source), forest.template.target)
    if found is None or rule_size(found.source, found.target) >= rule_size(rule.source, rule.target):
        return False
    parts = {part.start: part for part in extender.largest_parts(0, len(rule.source), forest.template.target)}
    if not all(_fits(grammar, part, rule) for part in parts.values()):
        return False
    fillers: list[Counter[str]] = []
    position = 0
    while position < len(rule.source):
        symbol, part = rule.source[position], parts.get(position)
        if part is not None:
            _widen(grammar, part, rule)
            fillers.append(Counter([part.kind]))
        elif isinstance(symbol, int):
            fillers.append(rule.fillers[symbol])
        position = position + 1 if part is None else part.end
    shorter = grammar.add(found.source, found.target, fillers)
    if shorter is rule:
        return False
    grammar.replace(rule, shorter)
    return True


def _derivation(grammar: DraftGrammar, rule: DraftRule) -> Part | None:
    """The best way to say what the rule says with the other rules."""
    forest = _forest(grammar, rule)
    if forest is None:
        return None
    others = forest.parts.get((0, len(rule.source)), {}).values()
    found = [part for part in others if part.text == forest.template.target and part.rule is not None]
    return max(found, key=lambda part: part.score, default=None)


def _forest(grammar: DraftGrammar, rule: DraftRule) -> Forest | None:
    """What the other rules make of a rule. Each hole is filled by its most frequent kind; None if one has had none."""
    if not all(rule.fillers):
        return None
    kinds = [kinds.most_common(1)[0][0] for kinds in rule.fillers]
    template = Template(
        rule.source,
        tuple(kinds[symbol] if isinstance(symbol, int) else "" for symbol in rule.source),
        "".join(variable(symbol) if isinstance(symbol, int) else symbol for symbol in rule.target),
        is_whole=True,
        is_plain=True,
        is_clean=True,
        values=tuple(variable(symbol) if isinstance(symbol, int) else "" for symbol in rule.source),
    )
    return Forest(grammar.without(rule), template)


def _fits(grammar: DraftGrammar, part: Part, rule: DraftRule) -> bool:
    """False if the part has a rule of one hole, which stands above words only, where phrases have filled the rule."""
    if part.rule is None:
        return True
    if len(part.rule.source) == 1:
        symbol = rule.source[part.start]
        return isinstance(symbol, int) and grammar.rules.keys().isdisjoint(rule.fillers[symbol])
    return all(_fits(grammar, fill, rule) for fill in part.fills)


def _widen(grammar: DraftGrammar, part: Part, rule: DraftRule) -> None:
    """Let the holes of the derivation take what they have in it: for a hole of the rule, all that has filled it."""
    if part.rule is None:
        return
    for number, fill in enumerate(part.fills):
        if fill.rule is None:
            symbol = rule.source[fill.start]
            kinds = rule.fillers[symbol] if isinstance(symbol, int) else {}
            for kind, n in kinds.items():
                grammar.widen(part.rule, number, kind, n)
        else:
            grammar.widen(part.rule, number, fill.kind)
            _widen(grammar, fill, rule)
