"""Wrong outputs, each with what differs from the target and with what the run did not know. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from fewlex.answer import Answer
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge

ALL_KNOWN = "Every word is known, so the network has put them together wrongly."


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
    return [
        Mistake(
            number,
            example,
            answer.published,
            token_diff(example.target, answer.published),
            reasons_of(example, answer, knowledge),
        )
        for number, (example, answer) in enumerate(zip(examples, answers, strict=True), start=1)
        if example.target != answer.published
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


def reasons_of(example: Example, answer: Answer, knowledge: Knowledge) -> tuple[str, ...]:
    """What the run did not know, or knows differently, as sentences for people."""
    lexicon, reasons = knowledge.lexicon, []
    for term in dict.fromkeys(answer.source):
        if term not in lexicon and term not in knowledge.source_vocab:
            reasons.append(f"{term!r} has no row in the lexicon and was never seen in training. Teach it.")
    sayable = knowledge.extended_vocabs[1]
    spelled = {token for word in sayable.words for token in word.split(" ")}
    wanted = knowledge.form.in_notation(example.target)
    for token in dict.fromkeys(wanted):
        if token not in spelled:
            reasons.append(f"The run cannot say {token!r}: no lexicon row has it, nor had the training data.")
    for term in dict.fromkeys(answer.source):
        row = lexicon.row(term)
        meant = {token for target in row for token in target.split(" ")}
        if row and not meant & set(wanted):
            reasons.append(f"The lexicon says {term} ↦ {', '.join(row)}, but the target has none of these.")
    return tuple(reasons) or (ALL_KNOWN,)
