"""This benchmark compares the speed of training with Joey NMT and with what the machine can multiply.

    python benchmarks/training.py [--presets paper fast] [--data cogs eng-cmn] [--batches 12] [--threads 2]
        [--set training.precision=bfloat16 training.equal_sources=true]

fewlex and Joey NMT (benchmarks/joey.py says how far the networks are alike) train on each batch in turns, with a matrix
product between them. A training step is everything from examples to new weights: padding, forward pass, loss, backward
pass, clipping and Adam. A line of JSON is printed for each preset and data set, as soon as it is measured. It has
medians over the batches, with minimum and maximum, of

- target tokens a second, as published (without padding or end markers);
- the ratio of the two on the same batch, with and without input feeding in Joey NMT;
- fewlex's share of the matrix-multiply peak: multiply-adds of all matrix products, forward and backward, × 2, of the
  real tokens alone, against the fastest product of a 512-wide matrix measured beside the batch.

All presets use COGS in its flat form, as published. docs/lab/speed.md says what is counted.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

import fewlex
from fewlex.config import Config, ModelConfig
from fewlex.data.batching import bucketed_batches
from fewlex.data.example import Example
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import build_model
from fewlex.model.batch import Encoded, encode, make_batch
from fewlex.training.trainer import precision

AUTHORS_TOKENS_PER_SECOND = 760
"""The speed of the authors' code on flat COGS, on two AVX2 cores with a peak of 129 GFLOP/s. This benchmark does not
measure it."""

WARM_UP = 2


def load_peers(config: Config, knowledge: Knowledge) -> dict[str, Any]:
    """Joey NMT without input feeding, like fewlex, and with it, which is its default; empty if it is not installed."""
    try:
        from joey import Joey
    except ImportError as error:
        print(f"Joey NMT is not measured: {error}. pip install 'fewlex[bench]'", file=sys.stderr)
        return {}
    return {
        "joeynmt": Joey(config, knowledge, input_feeding=False),
        "joeynmt_feeding": Joey(config, knowledge, input_feeding=True),
    }


def multiply_adds(
    config: ModelConfig, source_tokens: int, target_tokens: int, pairs: int, written_words: int
) -> int:
    """The multiply-adds of all matrix products of one forward pass. `pairs` is Σ source length × target length."""
    hidden, embedding, directions = config.hidden, config.embedding, 1 + config.lstm.bidirectional
    encoder = decoder = 0
    for layer in range(config.layers):
        encoder += directions * 4 * hidden * (hidden + (hidden * directions if layer else embedding))
        decoder += 4 * hidden * (hidden + (hidden if layer else embedding))
    if config.lstm.bidirectional:
        encoder += 2 * hidden * hidden
    decoder += hidden * hidden  # the attention's query
    features = 2 * hidden
    if config.lstm.features == "tanh":
        decoder += 2 * hidden * hidden
        features = hidden
    decoder += features * written_words + hidden  # write distribution and gate
    return source_tokens * encoder + target_tokens * decoder + pairs * 2 * hidden


def batch_flop(config: ModelConfig, batch: Sequence[Encoded], target_vocab: int) -> int:
    """The floating-point operations of a training step. The backward pass costs twice as much as the forward pass."""
    lengths = [(len(e.source), len(e.target) + 1) for e in batch]
    written_words = target_vocab
    if config.write_sample:
        own = len({word for e in batch for word in e.target})
        written_words = min(target_vocab, own + config.write_sample)
    return 6 * multiply_adds(
        config,
        sum(source for source, _ in lengths),
        sum(target for _, target in lengths),
        sum(source * target for source, target in lengths),
        written_words,
    )


def peak_flops(width: int = 512, rows: int = 4096, repeats: int = 4) -> float:
    """The floating-point operations a second of the fastest of a few large matrix products."""
    left, right = torch.randn(rows, width), torch.randn(width, 4 * width)
    return 2 * rows * width * 4 * width / min(seconds(lambda: left @ right) for _ in range(repeats))


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def spread(values: Sequence[float], digits: int = 0) -> dict[str, float]:
    figures = {"median": statistics.median(values), "min": min(values), "max": max(values)}
    return {name: round(figure, digits or None) for name, figure in figures.items()}


def trainer_of(config: Config, knowledge: Knowledge) -> Callable[[Sequence[Encoded]], None]:
    """A function that makes one update of fewlex, as its trainer does."""
    model = build_model(config, knowledge, for_training=True).train()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    is_short = precision(config.training, torch.device("cpu")) == "bfloat16"

    def step(examples: Sequence[Encoded]) -> None:
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=is_short):
            loss = model.loss(make_batch(examples))
        (loss / len(examples)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.training.clip)
        optimizer.step()

    return step


def measure(
    preset: str, data: str, examples: Sequence[Example], batches: int, settings: Sequence[str] = ()
) -> dict[str, Any]:
    config = fewlex.build_config(preset, data, settings=settings)
    knowledge = Knowledge.learn(examples, config)
    torch.manual_seed(0)
    train = trainer_of(config, knowledge)
    peers = load_peers(config, knowledge)
    encoded = encode(examples, knowledge.source_vocab, knowledge.target_vocab)
    limits = config.training.batch_examples, config.training.batch_tokens or None
    groups = bucketed_batches(
        [(len(e.source), len(e.target) + 1) for e in encoded],
        *limits,
        random.Random(0),
        equal_sources=config.training.equal_sources,
    )

    ours, shares, peaks, work = [], [], [], []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    for number, indices in enumerate(groups[: batches + WARM_UP]):
        own, texts = [encoded[i] for i in indices], [examples[i] for i in indices]
        peak = peak_flops()
        our_seconds = seconds(lambda own=own: train(own))
        their_seconds = {
            name: seconds(lambda peer=peer, texts=texts: peer.train_step(texts))
            for name, peer in peers.items()
        }
        if number < WARM_UP:
            continue
        tokens = sum(len(e.target) for e in own)
        flop = batch_flop(config.model, own, len(knowledge.target_vocab))
        ours.append(tokens / our_seconds)
        shares.append(flop / our_seconds / peak)
        peaks.append(peak / 1e9)
        work.append(flop / tokens / 1e6)
        for name, taken in their_seconds.items():
            theirs[name].append(tokens / taken)

    sizes = config.model
    result = {
        "preset": preset,
        "settings": list(settings),
        "data": data,
        "network": f"{sizes.layers} × {sizes.hidden}{', bidirectional' if sizes.lstm.bidirectional else ''}",
        "target_words": len(knowledge.target_vocab),
        "batch_examples": config.training.batch_examples,
        "batches": len(ours),
        "threads": torch.get_num_threads(),
        "fewlex_tokens_per_second": spread(ours),
        "share_of_peak": spread(shares, 3),
        "peak_gflops": spread(peaks, 1),
        "mflop_per_target_token": spread(work, 1),
    }
    for name, speeds in theirs.items():
        result[f"{name}_tokens_per_second"] = spread(speeds)
        result[f"fewlex_to_{name}"] = spread([a / b for a, b in zip(ours, speeds, strict=True)], 2)
    if (preset, data) == ("paper", "cogs"):
        result["times_the_authors_code"] = round(statistics.median(ours) / AUTHORS_TOKENS_PER_SECOND, 2)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presets", nargs="+", default=["paper", "fast"])
    parser.add_argument("--data", nargs="+", default=["cogs", "eng-cmn"])
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument(
        "--set", nargs="+", default=[], dest="settings", help="settings over the presets, for fewlex alone"
    )
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    for data in arguments.data:
        examples = fewlex.load(data)["train"]
        for preset in arguments.presets:
            measured = measure(preset, data, examples, arguments.batches, arguments.settings)
            print(json.dumps(measured, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
