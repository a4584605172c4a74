"""What a run gets wrong, grouped by the reason, each with a token diff. Needs no torch.

The reasons are guesses from the words alone, and the first that fits is taken:

unknown word   the source has a word that the run has never seen
length         the output stops too early, or goes on after it should have stopped
wrong row      the output has what the lexicon says of a source word, and the target has not
no row         the target has a rare word that no row of the lexicon could give
structure      the right words in the wrong order, or too many or too few of them
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fewlex.answer import Answer
from fewlex.data.example import Example
from fewlex.files import atomic_write_text
from fewlex.knowledge import Knowledge
from fewlex.lexicon import best_translations
from fewlex.mistakes import token_diff

REASONS = ("unknown word", "no row", "wrong row", "structure", "length")

RARE = 0.05
"""A target word is rare if at most this share of the targets has it, or one of them."""


@dataclass(frozen=True)
class Mistake:
    """One output that is not the target."""

    index: int
    reason: str
    words: tuple[str, ...]
    """The words that the reason is about; none for length and structure."""
    source: str
    target: str
    output: str
    diff: str
    """The target as the output has it: `[-missing-]` and `{+too much+}`."""
    by: str
    category: str = ""


def find_mistakes(
    examples: Sequence[Example], answers: Sequence[Answer], knowledge: Knowledge
) -> list[Mistake]:
    """The examples that the answers get wrong."""
    seen = Counter(token for example in examples for token in set(example.target))
    limit = max(1, RARE * len(examples))
    rare = {token for token, count in seen.items() if count <= limit}
    best = best_translations(knowledge.lexicon, knowledge.lexicon.targets)
    mistakes = []
    for example, answer in zip(examples, answers, strict=True):
        if answer.published != example.target:
            reason, words = _reason(example, answer, knowledge.units(example.source), best, rare)
            mistakes.append(
                Mistake(
                    example.index,
                    reason,
                    words,
                    " ".join(example.source),
                    " ".join(example.target),
                    " ".join(answer.published),
                    diff_text(example.target, answer.published),
                    answer.by,
                    example.category,
                )
            )
    return mistakes


def _reason(
    example: Example, answer: Answer, units: Sequence[str], best: Mapping[str, str], rare: set[str]
) -> tuple[str, tuple[str, ...]]:
    if answer.unknown:
        return "unknown word", answer.unknown
    target, output = example.target, answer.published
    shorter = min(len(target), len(output))
    if target[:shorter] == output[:shorter]:
        return "length", ()
    missing, extra = Counter(target) - Counter(output), Counter(output) - Counter(target)
    rows = {word: best[word].split() for word in units if word in best}
    if misleading := tuple(word for word, row in rows.items() if not extra.keys().isdisjoint(row)):
        return "wrong row", misleading
    given = {token for row in rows.values() for token in row}
    if without := tuple(token for token in missing if token in rare and token not in given):
        return "no row", without
    return "structure", ()


def diff_text(target: Sequence[str], output: Sequence[str]) -> str:
    """`A [-B-] {+X+} C` where the target is A B C and the output A X C."""
    marks = {"same": "{}", "missing": "[-{}-]", "extra": "{{+{}+}}"}
    return " ".join(marks[part.op].format(" ".join(part.tokens)) for part in token_diff(target, output))


def summary(mistakes: Sequence[Mistake]) -> str:
    """How many mistakes there are of each kind, in one line."""
    counts = Counter(mistake.reason for mistake in mistakes)
    kinds = ", ".join(f"{counts[reason]:,} {reason}" for reason in REASONS if counts[reason])
    return f"{len(mistakes):,} mistakes{f' ({kinds})' if kinds else ''}"


def write_mistakes(mistakes: Sequence[Mistake], path: Path) -> None:
    """One JSON object a line where the name ends in .jsonl, otherwise text with a heading for each reason."""
    if path.suffix == ".jsonl":
        lines = [json.dumps(asdict(mistake), ensure_ascii=False) for mistake in mistakes]
        atomic_write_text(path, "".join(f"{line}\n" for line in lines))
        return
    text = [summary(mistakes), ""]
    for reason in REASONS:
        chosen = [mistake for mistake in mistakes if mistake.reason == reason]
        if chosen:
            text.append(f"== {reason} ({len(chosen):,}) ==")
        for mistake in chosen:
            about = f"  about: {', '.join(mistake.words)}\n" if mistake.words else ""
            text.append(
                f"pair {mistake.index + 1}, by {mistake.by}\n  source: {mistake.source}\n  target: {mistake.target}\n"
                f"  output: {mistake.output}\n  diff:   {mistake.diff}\n{about}"
            )
    atomic_write_text(path, "\n".join(text) + "\n")
