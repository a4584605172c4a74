"""Removes rules that other rules derive.

A rule that was learned from a short template is often a special case of one that was learned later:

_ or is _ ↦ or ( #0 ( x ) , #1 ( x ) )        for two words                 is derived by
_ or is _ ↦ or ( #0 , #1 )                    for phrases                   with
_ ↦ #0 ( x )                                  for words

Without the special case the grammar is shorter, and what may stand beside the one may stand beside the other.
"""

from __future__ import annotations

from fewlex.rules.draft import DraftGrammar, DraftRule, rule_size
from fewlex.rules.forest import Forest, Part
from fewlex.rules.templates import Template, variable


def drop_redundant(grammar: DraftGrammar) -> bool:
    """Replace each rule that the others derive by what derives it, large rules first. True if there was one."""
    rules = sorted(grammar.rules.values(), key=lambda rule: -rule_size(rule.source, rule.target))
    return sum(_drop(grammar, rule) for rule in rules) > 0  # not `any`, which would stop at the first


def _drop(grammar: DraftGrammar, rule: DraftRule) -> bool:
    part = _derivation(grammar, rule)
    if part is None or part.rule is None:
        return False
    _widen(grammar, part, rule)
    grammar.replace(rule, part.rule)
    return True


def _derivation(grammar: DraftGrammar, rule: DraftRule) -> Part | None:
    """The best way to say what the rule says with the other rules. Each hole is filled by its most frequent kind."""
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
    )
    others = Forest(grammar.without(rule), template).parts.get((0, len(rule.source)), {}).values()
    found = [part for part in others if part.text == template.target and part.rule is not None]
    return max(found, key=lambda part: part.score, default=None)


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
