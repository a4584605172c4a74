"""How fast training is, as a share of what the machine can multiply.

Measures the paper's network (2 × 512 LSTM, batches of 128, flat COGS) and prints, from one run in which network
and matrix product take turns:

- target tokens a second, as published (without padding or end markers);
- the share of the matrix-multiply peak: multiply-adds of all matrix products, forward and backward, × 2, of the
  real tokens alone, against the fastest product of a 512-wide matrix measured between the batches.

    python benchmarks/training.py [--preset paper|fast] [--batches 12] [--threads 2]

The authors' code trains about 760 target tokens a second on two AVX2 cores (shared/paper/NOTES.md).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time

import torch

import fewlex
from fewlex.config import Config, ModelConfig
from fewlex.data.batching import bucketed_batches
from fewlex.model.assemble import Knowledge, build_model
from fewlex.model.batch import make_batch
from fewlex.training.train import encode

AUTHORS_TOKENS_PER_SECOND = 760


def multiply_adds(
    config: ModelConfig, source_tokens: int, target_tokens: int, pairs: int, target_vocab: int
) -> int:
    """Of all matrix products of one forward pass; `pairs` is Σ source length × target length."""
    hidden, embedding, directions = config.hidden, config.embedding, 1 + config.bidirectional
    encoder = decoder = 0
    for layer in range(config.layers):
        encoder += directions * 4 * hidden * (hidden + (hidden * directions if layer else embedding))
        decoder += 4 * hidden * (hidden + (hidden if layer else embedding))
    if config.bidirectional:
        encoder += 2 * hidden * hidden
    decoder += hidden * hidden  # the attention's query
    features = 2 * hidden
    if config.features == "tanh":
        decoder += 2 * hidden * hidden
        features = hidden
    decoder += features * target_vocab + hidden  # write distribution and gate
    return source_tokens * encoder + target_tokens * decoder + pairs * 2 * hidden


def peak_flops(width: int = 512, rows: int = 4096, repeats: int = 4) -> float:
    """Floating-point operations a second of the fastest of a few large matrix products."""
    left, right = torch.randn(rows, width), torch.randn(width, 4 * width)
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        left @ right
        times.append(time.perf_counter() - started)
    return 2 * rows * width * 4 * width / min(times)


def measure(config: Config, batches: int) -> dict[str, float | str | int]:
    examples = fewlex.load("cogs")["train"]
    knowledge = Knowledge.learn(examples, config)
    torch.manual_seed(0)
    model = build_model(config, knowledge).train()
    optimizer = torch.optim.Adam(model.parameters())
    encoded = encode(examples, knowledge.source_vocab, knowledge.target_vocab)
    lengths = [(len(source), len(target) + 1) for source, target in encoded]
    groups = bucketed_batches(lengths, 128, None, random.Random(0))
    speeds, shares, peaks = [], [], []
    for number, indices in enumerate(groups[: batches + 2]):
        peak = peak_flops()
        started = time.perf_counter()
        batch = make_batch([encoded[i][0] for i in indices], [encoded[i][1] for i in indices])
        optimizer.zero_grad()
        (model.loss(batch) / len(indices)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        seconds = time.perf_counter() - started
        if number < 2:  # warm-up
            continue
        work = multiply_adds(
            config.model,
            sum(lengths[i][0] for i in indices),
            sum(lengths[i][1] for i in indices),
            sum(lengths[i][0] * lengths[i][1] for i in indices),
            len(knowledge.target_vocab),
        )
        speeds.append(sum(lengths[i][1] - 1 for i in indices) / seconds)
        shares.append(2 * 3 * work / seconds / peak)  # backward costs twice the forward pass
        peaks.append(peak)
    return {
        "preset": config.preset,
        "threads": torch.get_num_threads(),
        "batches": len(speeds),
        "target_tokens_per_second": round(statistics.median(speeds)),
        "target_tokens_per_second_min": round(min(speeds)),
        "target_tokens_per_second_max": round(max(speeds)),
        "share_of_peak": round(statistics.median(shares), 3),
        "share_of_peak_min": round(min(shares), 3),
        "share_of_peak_max": round(max(shares), 3),
        "peak_gflops": round(statistics.median(peaks) / 1e9, 1),
        "times_the_authors_code": round(statistics.median(speeds) / AUTHORS_TOKENS_PER_SECOND, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--batches", type=int, default=12)
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    print(json.dumps(measure(fewlex.build_config(arguments.preset, "cogs"), arguments.batches), indent=1))


if __name__ == "__main__":
    main()
