"""Wrong outputs, each with what differs from the target and with what the run did not know. Needs no torch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from fewlex.answer import Answer
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge
from fewlex.rules import RuleParser
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.rule import Rule

ALL_KNOWN = "Every word is known, so the network has put them together wrongly."
DERIVED = "The rules derived it with {}. One of them is wrong, or a rule for just this case is missing."
NO_WORD = "No rule has {!r}, and it is no word of the rules. Add a rule with it, or teach the word."
NO_RULE = "A rule is missing: the rules derive {}, but none puts these together."

PARTED = 50
"""The missing rule is looked for in so many mistakes of an evaluation, since that takes a parse for each part."""


@dataclass(frozen=True)
class Part:
    """Tokens that target and output share, that the output lacks, or that only the output has."""

    op: Literal["same", "missing", "extra"]
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class Mistake:
    """One wrong output; `number` counts the examples from 1, as the lines of a file."""

    number: int
    example: Example
    output: tuple[str, ...]
    diff: tuple[Part, ...]
    reasons: tuple[str, ...]


def mistakes_in(
    examples: Sequence[Example], answers: Sequence[Answer], knowledge: Knowledge
) -> list[Mistake]:
    """The examples that were answered wrongly, in their order."""
    book = knowledge.taught_rules
    parser = RuleParser(book) if book is not None and book.rules else None
    wrong = [
        (number, example, answer)
        for number, (example, answer) in enumerate(zip(examples, answers, strict=True), start=1)
        if example.target != answer.published
    ]
    return [
        Mistake(
            number,
            example,
            answer.published,
            token_diff(example.target, answer.published),
            reasons_of(example, answer, knowledge, parser if place < PARTED else None),
        )
        for place, (number, example, answer) in enumerate(wrong)
    ]


def token_diff(target: Sequence[str], output: Sequence[str]) -> tuple[Part, ...]:
    """How the output differs from the target, from left to right."""
    parts: list[Part] = []
    matcher = SequenceMatcher(None, target, output, autojunk=False)
    for tag, from_target, to_target, from_output, to_output in matcher.get_opcodes():
        if tag == "equal":
            parts.append(Part("same", tuple(target[from_target:to_target])))
            continue
        if to_target > from_target:
            parts.append(Part("missing", tuple(target[from_target:to_target])))
        if to_output > from_output:
            parts.append(Part("extra", tuple(output[from_output:to_output])))
    return tuple(parts)


def reasons_of(
    example: Example, answer: Answer, knowledge: Knowledge, parser: RuleParser | None = None
) -> tuple[str, ...]:
    """What the run did not know, or knows differently, as sentences for people. The parser finds missing rules."""
    reasons = [*_lexical_reasons(example, answer, knowledge)]
    if answer.derivation is not None:
        used = {
            f"{node.of.name} ({node.of})": None
            for node in answer.derivation.root
            if isinstance(node.of, Rule)
        }
        reasons += [DERIVED.format(", ".join(used))] if used else []
    elif parser is not None:
        reasons += _missing_rules(knowledge.form.read(example.source), knowledge, parser)
    return tuple(reasons) or (
        (ALL_KNOWN,) if answer.by == "network" else ("The rules derive nothing for it.",)
    )


def _lexical_reasons(example: Example, answer: Answer, knowledge: Knowledge) -> Iterator[str]:
    lexicon, in_rules = knowledge.lexicon, _words_of_rules(knowledge)
    copied = {token for value in knowledge.hide(example.source).values.values() for token in value}
    for term in dict.fromkeys(answer.source):
        if copied.issuperset(term.split(" ")):
            continue
        if term not in lexicon and term not in knowledge.source_vocab and term not in in_rules:
            yield f"{term!r} has no row in the lexicon and was never seen in training. Teach it."
    sayable = knowledge.extended_vocabs[1]
    spelled = {token for word in sayable.words for token in word.split(" ")}
    wanted = knowledge.form.in_notation(example.target)
    for token in dict.fromkeys(wanted):
        if token not in spelled and token not in copied:
            yield f"The run cannot say {token!r}: no lexicon row has it, nor had the training data."
    for term in dict.fromkeys(answer.source):
        row = lexicon.row(term)
        meant = {token for target in row for token in target.split(" ")}
        if row and not meant & set(wanted):
            yield f"The lexicon says {term} ↦ {', '.join(row)}, but the target has none of these."


def _missing_rules(source: Sequence[str], knowledge: Knowledge, parser: RuleParser) -> Iterator[str]:
    """Why the rules derive nothing: the words that they do not have, or the parts that no rule puts together."""
    known = _words_of_rules(knowledge)
    strangers = [word for word in dict.fromkeys(source) if word not in known]
    yield from (NO_WORD.format(word) for word in strangers)
    if strangers:
        return
    parts, rest = [], list(source)
    while rest:
        length = next((n for n in range(len(rest), 0, -1) if parse_or_none(parser, rest[:n])), 1)
        parts.append(" ".join(rest[:length]))
        rest = rest[length:]
    if len(parts) > 1:
        yield NO_RULE.format(" and ".join(repr(part) for part in parts))


def _words_of_rules(knowledge: Knowledge) -> frozenset[str]:
    """The words that some rule has, or that fill holes."""
    book = knowledge.taught_rules
    if book is None:
        return frozenset()
    fillers = (word for entry in book.words for word in entry.source)
    return frozenset((*fillers, *(word for rule in book.rules for word in rule.words)))
