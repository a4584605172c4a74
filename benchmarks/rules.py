"""What rules cost: learning and parsing, side by side with the trial, and how both grow with the data.

    python benchmarks/rules.py [--trial FOLDER]

`FOLDER` holds the trial's `rules.py`. It is timed in the same run as our learner and parser, in turns, so that the load
of the machine cancels out in the ratios. Seconds are processor time of one core. COGS is in its nested notation.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from fewlex.data import Example, find_notation, load
from fewlex.data.truecase import learn_truecase
from fewlex.errors import ParseBudgetError
from fewlex.rules import Rule, RuleBook, RuleParser, Word, learn_rules

SENTENCES = 2_000

LENGTHS = (50, 100, 200, 400, 800)
LONG: dict[str, Callable[[int], list[str]]] = {
    "ambiguous": lambda n: ["a", *["and", "a"] * (n // 2)],
    "clauses": lambda n: [*["Emma", "said", "that"] * ((n - 4) // 3), "a", "dog", "slept", "."],
    "places": lambda n: ["Emma", "ate", "a", "cake", *["on", "a", "table"] * ((n - 5) // 3), "."],
}
"""Every word can be joined to every other; clauses stand within clauses; phrases of place follow each other."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trial", type=Path, help="the folder of the trial, to be timed beside us")
    arguments = parser.parse_args()
    corpus = cogs()
    train, gen = corpus["train"], random.Random(0).sample(corpus["gen"], SENTENCES)
    report: dict[str, Any] = {"gflops": matrix_product()}
    seconds, book = timed(lambda: learn_rules(train))
    report["learn_cogs"] = round(seconds, 2)
    report["learn_noisy_cogs"] = round(timed(lambda: learn_rules(exchanged(train)))[0], 2)
    rules = RuleParser(book)
    report["sentences_per_second"] = round(SENTENCES / timed(lambda: [rules.parse(e.source) for e in gen])[0])
    if arguments.trial:
        report["trial"] = beside_the_trial(arguments.trial, train, gen, rules)
    report["learn_by_pairs"] = {str(size): learn_many(size) for size in (1_000, 10_000, 100_000)}
    report["parse_by_length"] = {kind: parse_long(rules, kind) for kind in LONG}
    print(json.dumps(report, indent=1))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result


def matrix_product() -> float:
    """How fast the machine is: GFLOP/s of a product of two 512-wide matrices."""
    matrix = np.random.default_rng(0).random((512, 512), dtype=np.float32)
    best = min(timed(lambda: matrix @ matrix)[0] for _ in range(50))
    return round(2 * 512**3 / max(best, 1e-9) / 1e9, 1)


def cogs() -> Any:
    corpus = load("cogs")
    truecase = learn_truecase(example.source for example in corpus["train"])
    return corpus.truecased(truecase).in_notation(find_notation("nested", "cogs"))


def exchanged(examples: Sequence[Example], share: float = 0.05) -> list[Example]:
    """The examples with some of the targets exchanged among each other."""
    rng, noisy = random.Random(0), list(examples)
    places = rng.sample(range(len(noisy)), round(share * len(noisy)))
    targets = [noisy[place].target for place in places]
    rng.shuffle(targets)
    for place, target in zip(places, targets, strict=True):
        noisy[place] = Example(noisy[place].source, target)
    return noisy


def beside_the_trial(
    folder: Path, train: Sequence[Example], gen: Sequence[Example], ours: RuleParser
) -> dict[str, float]:
    """The trial's seconds divided by ours, measured one directly after the other."""
    sys.path.insert(0, str(folder))
    trial = importlib.import_module("rules")
    pairs = [(example.source, example.target) for example in train]
    their_learning, grammar = timed(lambda: trial.induce(pairs, verbose=False))
    our_learning, _ = timed(lambda: learn_rules(train))
    their_parsing, _ = timed(lambda: [grammar.parse(example.source) for example in gen])
    our_parsing, _ = timed(lambda: [ours.parse(example.source) for example in gen])
    return {
        "learning_ratio": round(their_learning / our_learning, 2),
        "parsing_ratio": round(their_parsing / our_parsing, 2),
        "their_sentences_per_second": round(len(gen) / their_parsing),
    }


def learn_many(size: int) -> dict[str, float]:
    """Seconds of learning from `size` pairs of a language of commands, and the peak memory of the process so far."""
    rng = random.Random(size)
    verbs = {f"verb{i}": f"V{i}" for i in range(40)}
    adverbs = {"twice": 2, "thrice": 3}

    def phrase() -> tuple[list[str], list[str]]:
        verb, adverb = rng.choice(list(verbs)), rng.choice(["", *adverbs])
        times = adverbs.get(adverb, 1)
        return [verb, adverb] if adverb else [verb], [verbs[verb]] * times

    examples = []
    for _ in range(size):
        source, target = phrase()
        for _ in range(rng.randint(0, 3)):
            more, tokens = phrase()
            join = rng.choice(("and", "after"))
            source, target = (
                [*source, join, *more],
                [*target, *tokens] if join == "and" else [*tokens, *target],
            )
        examples.append(Example(tuple(source), tuple(target)))
    seconds, _ = timed(lambda: learn_rules(examples))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": round(seconds, 2), "peak_megabytes_of_process": round(peak / 1e3)}


def parse_long(of_cogs: RuleParser, kind: str) -> dict[str, Any]:
    """Milliseconds for sentences of about so many words, and the power of the length that the time grows with.

    Time counts for sentences that are refused because their derivation is too deep, too: they have been parsed.
    """
    rule = Rule("R1", (0, "and", 1), (0, 1), ({"C0": 2, "R1": 1}, {"C0": 2, "R1": 1}))
    joined = RuleBook((rule,), (Word(("a",), ("A",), "C0"),), {"R1": 1})
    parser = RuleParser(joined if kind == "ambiguous" else of_cogs.book, max_items=10**8)

    def parse(sentence: list[str]) -> None:
        with suppress(ParseBudgetError):
            parser.parse(sentence)

    spent = {length: 1000 * timed(lambda n=length: parse(LONG[kind](n)))[0] for length in LENGTHS}
    return {
        "milliseconds": {str(length): round(value, 1) for length, value in spent.items()},
        "power": power(spent, LENGTHS),
        "power_from_200": power(spent, [length for length in LENGTHS if length >= 200]),
    }


def power(spent: Mapping[int, float], lengths: Sequence[int]) -> float:
    """The slope of the line through the logarithms of lengths and times."""
    slope, _ = np.polyfit(np.log(lengths), np.log([spent[length] for length in lengths]), 1)
    return round(float(slope), 2)


if __name__ == "__main__":
    main()
