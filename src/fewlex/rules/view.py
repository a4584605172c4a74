"""Rules to look at: a book grouped by what its rules do, and the derivation of a sentence as a tree."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from fewlex.data.brackets import opens_bracket
from fewlex.errors import ParseBudgetError
from fewlex.rules.book import RuleBook, Word
from fewlex.rules.parsing.derivation import Derivation, Node
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.rule import ARROW, PERSON, Rule
from fewlex.rules.storage import rule_fields

DEEDS = {
    "repeat": "say something more than once",
    "drop": "leave something out",
    "build": "put something into brackets",
    "reorder": "change the order",
    "wrap": "add tokens",
    "join": "put one thing after the other",
    "pass": "leave out words of their own and pass on the rest",
    "phrase": "translate a fixed phrase",
}
"""What a rule can do, in the order in which groups are shown. A rule that does several things is in the first group."""

WORDS_SHOWN = 12


def deed(rule: Rule) -> str:
    """What a rule does with what fills its holes: one of the keys of `DEEDS`."""
    holes = [symbol for symbol in rule.target if isinstance(symbol, int)]
    brings_tokens = len(holes) < len(rule.target)
    if rule.n_holes == 0:
        return "phrase"
    if len(set(holes)) < len(holes):
        return "repeat"
    if len(holes) < rule.n_holes:
        return "drop"
    if any(isinstance(symbol, str) and opens_bracket(symbol) for symbol in rule.target):
        return "build"
    if holes != sorted(holes):
        return "reorder"
    if brings_tokens:
        return "wrap"
    return "join" if rule.n_holes > 1 else "pass"


def group_rules(book: RuleBook) -> dict[str, list[Rule]]:
    """The rules by what they do; in a group the most used ones come first."""
    groups: dict[str, list[Rule]] = {name: [] for name in DEEDS}
    for rule in book.rules:
        groups[deed(rule)].append(rule)
    for rules in groups.values():
        rules.sort(key=lambda rule: -rule.count)
    return {name: rules for name, rules in groups.items() if rules}


def book_text(book: RuleBook, max_rules: int = 100) -> str:
    """The book as a page to read: each group of rules with how often they were used and an example, then the words."""
    blocks = [[f"No rules: {book.measured.silence}."]] if book.measured.silence else []
    parser = RuleParser(book)
    left = max_rules
    for name, rules in group_rules(book).items():
        shown, left = rules[:left], left - len(rules[:left])
        if shown:
            blocks.append([f"Rules that {DEEDS[name]}:", *_rule_lines(shown, parser)])
    if len(book.rules) > max_rules:
        blocks.append([f"… and {len(book.rules) - max_rules:,} more rules"])
    if book.words:
        blocks.append(["Words:", *(_class_line(kind, words) for kind, words in book.kinds.items())])
    return "".join("\n".join(block) + "\n\n" for block in blocks).removesuffix("\n")


def _rule_lines(rules: list[Rule], parser: RuleParser) -> Iterator[str]:
    width = min(60, max(len(str(rule)) for rule in rules))
    for rule in rules:
        by = ", by a person" if rule.origin == PERSON else ""
        yield f"  {rule.name:<4} {rule!s:<{width}}  {rule.count:,}×{by}"
        if rule.example:
            yield f"         {' '.join(rule.example)} → {_translation(parser, rule.example)}"


def _translation(parser: RuleParser, source: tuple[str, ...]) -> str:
    try:
        derivation = parser.parse(source)
    except ParseBudgetError:
        derivation = None
    return "?" if derivation is None else " ".join(derivation.tokens)


def _class_line(kind: str, words: tuple[Word, ...]) -> str:
    shown = ", ".join(f"{word.term} {ARROW} {' '.join(word.target)}" for word in words[:WORDS_SHOWN])
    hidden = len(words) - WORDS_SHOWN
    return f"  {kind:<4} {shown}" + (f", … {hidden:,} more" if hidden > 0 else "")


def book_json(book: RuleBook) -> dict[str, Any]:
    """What `book_text` shows, for programs."""
    return {
        "silence": book.measured.silence,
        "groups": {
            name: [{**rule_fields(rule), "does": DEEDS[name]} for rule in rules]
            for name, rules in group_rules(book).items()
        },
        "words": {
            kind: {word.term: " ".join(word.target) for word in words} for kind, words in book.kinds.items()
        },
    }


def derivation_text(derivation: Derivation) -> str:
    """The derivation as a tree: each rule with the words that it covers, and below it what fills its holes.

    R2  _ and _ ↦ #0 #1   walk twice and jump
    ├─ R1  _ twice ↦ #0 #0   walk twice
    │  └─ walk ↦ I_WALK
    └─ jump ↦ I_JUMP
    """
    lines: list[str] = []
    stack: list[tuple[Node, str, str]] = [(derivation.root, "", "")]
    while stack:
        node, before, below = stack.pop()
        lines.append(before + _node_text(node, derivation.source))
        last = len(node.children) - 1
        below_children = [
            (child, below + ("└─ " if place == last else "├─ "), below + ("   " if place == last else "│  "))
            for place, child in enumerate(node.children)
        ]
        stack += reversed(below_children)
    return "\n".join(lines) + "\n"


def _node_text(node: Node, source: tuple[str, ...]) -> str:
    if isinstance(node.of, Word):
        return f"{node.of.term} {ARROW} {' '.join(node.of.target)}"
    return f"{node.of.name}  {node.of}   {' '.join(source[node.start : node.end])}"


def derivation_json(derivation: Derivation) -> dict[str, Any]:
    """The derivation for programs; a margin of null says that there is no other reading."""
    return {
        "source": list(derivation.source),
        "target": list(derivation.tokens),
        "positions": list(derivation.positions),
        "score": derivation.score,
        "margin": derivation.margin if math.isfinite(derivation.margin) else None,
        "confidence": derivation.confidence,
        "is_sure": derivation.is_sure,
        "makers": makers_of(derivation),
        "tree": _node_json(derivation.root),
    }


def makers_of(derivation: Derivation) -> list[str | None]:
    """For each token, the name of the rule that brings it, or that has a hole for the word which brings it.

    None stands for a word without a rule. Where a rule repeats only the head of what fills its hole, the tree alone
    does not tell the tokens, and all are None.
    """
    made = _made(derivation.root, None)[: len(derivation.tokens)]
    if tuple(token for token, _ in made) != derivation.tokens:
        return [None] * len(derivation.tokens)
    return [maker for _, maker in made]


def _made(node: Node, above: str | None) -> list[tuple[str, str | None]]:
    if isinstance(node.of, Word):
        return [(token, above) for token in node.of.target]
    fills = [_made(child, node.of.name) for child in node.children]
    made: list[tuple[str, str | None]] = []
    for symbol in node.of.target:
        made += fills[symbol] if isinstance(symbol, int) else [(symbol, node.of.name)]
    return made


def _node_json(node: Node) -> Mapping[str, Any]:
    place = {"start": node.start, "end": node.end}
    if isinstance(node.of, Word):
        return {"word": node.of.term, "target": list(node.of.target), "kind": node.of.kind, **place}
    children = [_node_json(child) for child in node.children]
    return {"rule": node.of.name, "text": str(node.of), **place, "children": children}
