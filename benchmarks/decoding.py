"""This benchmark measures decoding: sentences a second beside Joey NMT, and the cost of a sentence by its length.

    python benchmarks/decoding.py [--presets paper fast] [--sentences 512] [--repeats 5] [--threads 2]

Weights are random, and no output may end early. Both decode the same batches of sentences for as many steps as the
longest reference of the batch has tokens, and one more for the end marker. So output lengths are those of the data and
the same for both. The references of a batch are similar in length. fewlex would gain from dropping finished sentences
from a batch, but this is not measured. Each result is a line of JSON, which is printed as soon as it is measured.

Linearity is measured with batches of sources of n / 8 words (as in COGS), which are decoded for n steps, with n from 16
to 480. The exponent is the slope of log time against log n; an exponent of 1 means that time is linear.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import torch
from training import load_peers, seconds, spread

import fewlex
from fewlex.config import Config
from fewlex.data.batching import bucketed_batches
from fewlex.data.example import Example
from fewlex.data.vocabulary import EOS
from fewlex.decoding import BATCH_EXAMPLES, beam_search, greedy
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import build_model
from fewlex.model.batch import encode_source, pad

Decode = Callable[[Sequence[Example], int, int], object]
"""A function that decodes examples for a number of steps with a beam of a given width."""

SPLIT = {"cogs": "gen", "eng-cmn": "test"}
BEAMS = (1, 5)
LINEARITY_BATCH = 16


def decoder_of(config: Config, knowledge: Knowledge) -> Decode:
    """fewlex's search, from words to words."""
    model = build_model(config, knowledge).eval()
    with torch.no_grad():
        model.decoder.output.project.bias[EOS] = float("-inf")  # No output ends before the last step.

    def decode(examples: Sequence[Example], steps: int, beam: int) -> list[tuple[str, ...]]:
        source = pad([encode_source(e.source, knowledge.source_vocab) for e in examples])
        if beam == 1:
            found = greedy(model, source, steps - 1)
        else:
            found = [hypotheses[0] for hypotheses in beam_search(model, source, steps - 1, beam)]
        if not all(len(hypothesis.ids) == steps - 1 for hypothesis in found):
            raise RuntimeError("an output ended early, so the comparison would not be fair")
        return [knowledge.target_vocab.decode(hypothesis.ids) for hypothesis in found]

    return decode


def decode_all(decode: Decode, examples: Sequence[Example], beam: int) -> None:
    lengths = [(len(e.source), len(e.target) + 1) for e in examples]
    for indices in bucketed_batches(lengths, BATCH_EXAMPLES // beam, None):
        decode([examples[i] for i in indices], max(lengths[i][1] for i in indices), beam)


def compare(
    contenders: dict[str, Decode], examples: Sequence[Example], beam: int, repeats: int
) -> dict[str, Any]:
    """Let each decoder decode all examples, in turns. A first round on a few examples is warm-up."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for decode in contenders.values():
        decode_all(decode, examples[:32], beam)
    for _ in range(repeats):
        for name, decode in contenders.items():
            times[name].append(seconds(lambda decode=decode: decode_all(decode, examples, beam)))
    result: dict[str, Any] = {
        f"{name}_sentences_per_second": spread([len(examples) / t for t in own], 1)
        for name, own in times.items()
    }
    ours = times.pop("fewlex")
    for name, theirs in times.items():
        result[f"fewlex_to_{name}"] = spread([b / a for a, b in zip(ours, theirs, strict=True)], 2)
    return result


def linearity(
    decode: Decode, words: Sequence[str], beam: int, lengths: Sequence[int], repeats: int
) -> dict[str, Any]:
    """Measure milliseconds a sentence for each length, and the exponent over all lengths. Lengths take turns."""
    rng = random.Random(0)
    batches = {
        steps: [Example(tuple(rng.choices(words, k=steps // 8)), ()) for _ in range(LINEARITY_BATCH)]
        for steps in lengths
    }
    decode(batches[lengths[0]], lengths[0], beam)
    rounds = [
        [seconds(lambda steps=steps: decode(batches[steps], steps, beam)) for steps in lengths]
        for _ in range(repeats)
    ]
    logs = [math.log(steps) for steps in lengths]
    exponents = [statistics.linear_regression(logs, [math.log(t) for t in times]).slope for times in rounds]
    return {
        "milliseconds_per_sentence": {
            steps: round(1000 * statistics.median(times) / LINEARITY_BATCH, 2)
            for steps, times in zip(lengths, zip(*rounds, strict=True), strict=True)
        },
        "exponent": spread(exponents, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presets", nargs="+", default=["paper", "fast"])
    parser.add_argument("--data", nargs="+", default=["cogs", "eng-cmn"])
    parser.add_argument("--sentences", type=int, default=512, help="drawn from COGS gen and eng-cmn test")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--lengths", type=int, nargs="+", default=[16, 32, 64, 128, 256, 480])
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    for data in arguments.data:
        corpus = fewlex.load(data)
        examples = random.Random(0).sample(corpus[SPLIT[data]], arguments.sentences)
        for preset in arguments.presets:
            config = fewlex.build_config(preset, data)
            knowledge = Knowledge.learn(corpus["train"], config)
            torch.manual_seed(0)
            contenders: dict[str, Decode] = {"fewlex": decoder_of(config, knowledge)}
            contenders |= {name: peer.decode for name, peer in load_peers(config, knowledge).items()}
            for beam in BEAMS:
                result = {"preset": preset, "data": data, "beam": beam, "sentences": len(examples)}
                result["threads"] = torch.get_num_threads()
                result |= compare(contenders, examples, beam, arguments.repeats)
                if data == "cogs":
                    words = knowledge.source_vocab.words
                    result["linearity"] = {
                        name: linearity(decode, words, beam, arguments.lengths, arguments.repeats)
                        for name, decode in contenders.items()
                    }
                print(json.dumps(result, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
