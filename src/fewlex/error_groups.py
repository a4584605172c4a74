"""What a run gets wrong, grouped by what went wrong, as a file to read or for programs. Needs no torch.

The groups are guesses from the words alone, and the first that fits is taken:

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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fewlex.answer import Answer
from fewlex.data.example import Example
from fewlex.files import atomic_write_text
from fewlex.knowledge import Knowledge
from fewlex.lexicon import best_translations
from fewlex.mistakes import Mistake, Part, mistakes_in

GROUPS = ("unknown word", "no row", "wrong row", "structure", "length")

RARE = 0.05
"""A target word is rare if at most this share of the targets has it, or one of them."""


@dataclass(frozen=True)
class GroupedMistake:
    """One output that is not the target, with what went wrong."""

    mistake: Mistake
    group: str
    words: tuple[str, ...]
    """The words that it is about; none for length and structure."""
    by: str
    """Who gave the answer: the rules, the network, or nobody."""

    def to_json(self) -> dict[str, Any]:
        example = self.mistake.example
        return {
            "pair": self.mistake.number,
            "group": self.group,
            "words": self.words,
            "by": self.by,
            "source": " ".join(example.source),
            "target": " ".join(example.target),
            "output": " ".join(self.mistake.output),
            "diff": diff_text(self.mistake.diff),
            "category": example.category,
            "reasons": self.mistake.reasons,
        }


def group_mistakes(
    examples: Sequence[Example], answers: Sequence[Answer], knowledge: Knowledge
) -> list[GroupedMistake]:
    """The examples that the answers get wrong, in their order."""
    seen = Counter(token for example in examples for token in set(example.target))
    limit = max(1, RARE * len(examples))
    rare = {token for token, count in seen.items() if count <= limit}
    best = best_translations(knowledge.lexicon, knowledge.lexicon.targets)
    grouped = []
    for mistake in mistakes_in(examples, answers, knowledge):
        answer = answers[mistake.number - 1]
        group, words = _group(mistake, answer, knowledge.units(mistake.example.source), best, rare)
        grouped.append(GroupedMistake(mistake, group, words, answer.by))
    return grouped


def _group(
    mistake: Mistake, answer: Answer, units: Sequence[str], best: Mapping[str, str], rare: set[str]
) -> tuple[str, tuple[str, ...]]:
    if answer.unknown:
        return "unknown word", answer.unknown
    target, output = mistake.example.target, mistake.output
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


def diff_text(parts: Sequence[Part]) -> str:
    """`A [-B-] {+X+} C` where the target is A B C and the output A X C."""
    marks = {"same": "{}", "missing": "[-{}-]", "extra": "{{+{}+}}"}
    return " ".join(marks[part.op].format(" ".join(part.tokens)) for part in parts)


def summary(mistakes: Sequence[GroupedMistake]) -> str:
    """How many mistakes there are of each group, in one line."""
    counts = Counter(mistake.group for mistake in mistakes)
    kinds = ", ".join(f"{counts[group]:,} {group}" for group in GROUPS if counts[group])
    return f"mistakes: {len(mistakes):,}{f' ({kinds})' if kinds else ''}"


def write_mistakes(mistakes: Sequence[GroupedMistake], path: Path) -> None:
    """One JSON object a line where the name ends in .jsonl, otherwise text with a heading for each group."""
    if path.suffix == ".jsonl":
        lines = [json.dumps(mistake.to_json(), ensure_ascii=False) for mistake in mistakes]
        atomic_write_text(path, "".join(f"{line}\n" for line in lines))
        return
    text = [summary(mistakes), ""]
    for group in GROUPS:
        chosen = [mistake.to_json() for mistake in mistakes if mistake.group == group]
        if chosen:
            text.append(f"== {group} ({len(chosen):,}) ==")
        for fields in chosen:
            about = f"  about: {', '.join(fields['words'])}\n" if fields["words"] else ""
            lines = [f"  {name + ':':<8}{fields[name]}\n" for name in ("source", "target", "output", "diff")]
            text.append(f"pair {fields['pair']}, by {fields['by']}\n{''.join(lines)}{about}")
    atomic_write_text(path, "\n".join(text) + "\n")
