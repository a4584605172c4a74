"""SCAN (Lake & Baroni 2018): commands such as *jump left twice* and their actions, from the grammar itself.

The splits `jump`, `around_right` and `length` hold the lines of the published files, in the order of the
grammar. The published `simple` split is a random one; ours draws the same 80 % with a seed of its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from fewlex.data.example import Example

Words = tuple[str, ...]
Phrase = tuple[Words, Words]  # a command and its actions
TrainAndTest = tuple[list[Phrase], list[Phrase]]

_ACTIONS: dict[str, Words] = {
    "walk": ("I_WALK",),
    "look": ("I_LOOK",),
    "run": ("I_RUN",),
    "jump": ("I_JUMP",),
    "turn": (),  # A turn is its direction and nothing else, so it never stands alone.
}
_REPETITIONS: dict[Words, int] = {(): 1, ("twice",): 2, ("thrice",): 3}

_JUMP_COPIES = 1467
"""The published training file of `jump` repeats its only line with *jump* this often, so it is a tenth of the file."""

_LONGEST_TRAINING_OUTPUT = 22
_SIMPLE_TRAINING_SHARE = 0.8
_SIMPLE_SEED = 0


def commands() -> Iterator[Phrase]:
    """All 20,910 commands of the grammar with their actions, always in the same order."""
    phrases = list(_repeated_phrases())
    yield from phrases
    for left, left_actions in phrases:
        for right, right_actions in phrases:
            yield (*left, "and", *right), left_actions + right_actions
            yield (*left, "after", *right), right_actions + left_actions


def _repeated_phrases() -> Iterator[Phrase]:
    for phrase, actions in _directed_phrases():
        for repetition, times in _REPETITIONS.items():
            yield phrase + repetition, actions * times


def _directed_phrases() -> Iterator[Phrase]:
    for verb, action in _ACTIONS.items():
        if action:
            yield (verb,), action
        for direction in ("left", "right"):
            turn = (f"I_TURN_{direction.upper()}",)
            yield (verb, direction), turn + action
            yield (verb, "opposite", direction), turn + turn + action
            yield (verb, "around", direction), (turn + action) * 4


def splits(variant: str) -> dict[str, tuple[Example, ...]]:
    """The `train` and `test` examples of one of VARIANTS."""
    train, test = VARIANTS[variant](list(commands()))
    return {"train": _examples(train), "test": _examples(test)}


def _examples(phrases: Iterable[Phrase]) -> tuple[Example, ...]:
    return tuple(Example(command, actions, index=i) for i, (command, actions) in enumerate(phrases))


def _simple(phrases: list[Phrase]) -> TrainAndTest:
    """A random four fifths of the commands are for training and the rest is the test."""
    size = round(_SIMPLE_TRAINING_SHARE * len(phrases))
    chosen = set(random.Random(_SIMPLE_SEED).sample(phrases, size))
    return _divide(phrases, lambda command, actions: (command, actions) in chosen)


def _jump(phrases: list[Phrase]) -> TrainAndTest:
    """Training has only the command *jump*, many times. The test combines *jump* with everything else."""
    alone: Phrase = ("jump",), ("I_JUMP",)
    phrases.remove(alone)
    train, test = _divide(phrases, lambda command, _: "jump" not in command)
    return [alone] * _JUMP_COPIES + train, test


def _around_right(phrases: list[Phrase]) -> TrainAndTest:
    """Training has *around left* and *right*, and the test has *around right*. *turn around right* is in neither."""
    train, test = _divide(phrases, lambda command, _: "around right" not in " ".join(command))
    return train, [phrase for phrase in test if "turn around right" not in " ".join(phrase[0])]


def _length(phrases: list[Phrase]) -> TrainAndTest:
    """Training has outputs of up to 22 actions, and the test has longer ones."""
    return _divide(phrases, lambda _, actions: len(actions) <= _LONGEST_TRAINING_OUTPUT)


def _divide(phrases: list[Phrase], is_training: Callable[[Words, Words], bool]) -> TrainAndTest:
    train: list[Phrase] = []
    test: list[Phrase] = []
    for phrase in phrases:
        (train if is_training(*phrase) else test).append(phrase)
    return train, test


VARIANTS: dict[str, Callable[[list[Phrase]], TrainAndTest]] = {
    "simple": _simple,
    "jump": _jump,
    "around_right": _around_right,
    "length": _length,
}
