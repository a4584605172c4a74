"""This benchmark measures what it costs to teach 10,000 entries at once and to translate with them.

    python benchmarks/teaching.py

A small SCAN model is trained for an epoch. Then it translates the same commands with and without 10,000 taught words,
in turns. Half of the taught words are single words, and half are terms of two words.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path

import torch

import fewlex
from fewlex.lexicon.journal import Journal
from fewlex.translator import Translator

ENTRIES, COMMANDS, ROUNDS = 10_000, 2_000, 7


def main() -> None:
    torch.set_num_threads(1)
    corpus = fewlex.load("scan:simple")
    config = fewlex.build_config(
        "fast", "scan:simple", settings=["training.epochs=1", "data.validation_share=0"]
    )
    words = [(f"word{i}" if i % 2 else f"new word{i}", f"WORD{i}") for i in range(ENTRIES)]
    commands = [list(example.source) for example in corpus["test"][:COMMANDS]]
    for i in range(0, COMMANDS, 10):
        commands[i][0] = words[(7 * i + 1) % ENTRIES][0]
    with tempfile.TemporaryDirectory() as folder:
        run = fewlex.train(corpus, config, Path(folder) / "run")
        started = time.perf_counter()
        Journal(run.path).teach((source, target, "") for source, target in words)
        teaching = time.perf_counter() - started
        Journal(run.path).undo()
        plain = Translator.load(run.path)
        Journal(run.path).teach((source, target, "") for source, target in words)
        taught = Translator.load(run.path)
    known = [["walk" if "word" in token else token for token in command] for command in commands]
    seconds: dict[str, list[float]] = {"without": [], "with": []}
    for _ in range(ROUNDS):
        for name, translator in (("without", plain), ("with", taught)):
            started = time.perf_counter()
            translator.translate_tokens(known)
            seconds[name].append(time.perf_counter() - started)
    ratios = [b / a for a, b in zip(seconds["without"], seconds["with"], strict=True)]
    started = time.perf_counter()
    taught.translate_tokens(commands)
    print(
        json.dumps(
            {
                "teaching_seconds": round(teaching, 3),
                "translating_with_to_without": round(statistics.median(ratios), 3),
                "spread": [round(min(ratios), 3), round(max(ratios), 3)],
                "rounds": ROUNDS,
                "seconds_for_commands_with_taught_words": round(time.perf_counter() - started, 2),
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
