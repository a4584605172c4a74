"""The experiments in which words that training never saw are taught afterwards (docs/fast_mapping.md)."""

from __future__ import annotations

from fewlex.experiments.experiment import Experiment, TaughtWord, WithoutWord
from fewlex.experiments.held_out import WithoutDrawnWords


def _taught(word: str, *lessons: TaughtWord) -> Experiment:
    return Experiment(
        f"teach-{word}",
        "scan:jump",
        "jump",
        "teach",
        prepare=WithoutWord(word),
        lessons={lesson.source: lesson for lesson in lessons},
    )


def _drawn(task: str, draw: str, preset: str = "fast") -> Experiment:
    name = f"teach-{task}{preset.removeprefix('fast').replace('+', '-')}"
    return Experiment(name, task, task, "teach", preset, prepare=WithoutDrawnWords(draw))


TAUGHT = (
    _taught(
        "jump", TaughtWord("jump", "I_JUMP"), TaughtWord("blork", "I_BLORK", instead_of=("jump", "I_JUMP"))
    ),
    _taught("run", TaughtWord("run", "I_RUN")),
    _taught("look", TaughtWord("look", "I_LOOK")),
    _drawn("cogs", "cogs"),
    _drawn("cogs", "cogs", "fast+nested"),
    _drawn("eng-cmn", "translation"),
)
