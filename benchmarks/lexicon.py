"""This benchmark compares IBM Model 2 and Simple with compiled aligners in speed, memory and agreement, in one run.

    python benchmarks/lexicon.py                         # eng-cmn, COGS and 10⁴ to 10⁶ synthetic pairs
    python benchmarks/lexicon.py --sizes 10000 30000     # fewer pairs
    python benchmarks/lexicon.py --only fewlex simple    # without the peers
    python benchmarks/lexicon.py --peers-up-to 100000    # the peers need a long time for 10⁶ pairs

Model 2 runs five iterations in both directions, with a diagonal prior, an optimised tension and variational Bayes
(which sil-thot always uses), then takes the intersection. eflomal runs with its own defaults, which are a larger model.
Every measurement has its own process, so that peak memory is measured for it alone. Reading the file is part of the
time. Quality is the F1 of the links against the true links if they are known (the synthetic corpora), and otherwise the
agreement with sil-thot's links.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path

Pair = tuple[list[str], list[str]]
Links = list[set[tuple[int, int]]]

PASSES = 4
"""The number of M-steps. The five iterations of fast_align are four M-steps and the alignment."""


def synthetic(pairs: int, seed: int = 0) -> Iterator[tuple[list[str], list[str], set[tuple[int, int]]]]:
    """Sentences of 3 to 16 Zipf-distributed words, their translations, and the true links.

    They are translated word by word, with local swaps, and with some words dropped and some added.
    """
    generator = random.Random(seed)
    vocabulary = 30_000
    cumulative = list(accumulate(1 / (rank + 3) for rank in range(vocabulary)))
    words = range(vocabulary)
    for _ in range(pairs):
        source = generator.choices(words, cum_weights=cumulative, k=generator.randint(3, 16))
        order = sorted(range(len(source)), key=lambda i: i + generator.random() * 2.5)
        target: list[str] = []
        links = set()
        for i in order:
            luck = generator.random()
            if luck < 0.08:
                continue
            if luck < 0.16:
                target.append(f"f{generator.randint(0, 20)}")
            links.add((i, len(target)))
            target.append(f"t{(source[i] * 7919 + generator.randint(0, 1) * 13) % vocabulary}")
        if not target:
            links, target = {(0, 0)}, [f"t{source[0] * 7919 % vocabulary}"]
        yield [f"s{v}" for v in source], target, links


def read(path: Path) -> Iterator[Pair]:
    with path.open() as file:
        for line in file:
            source, _, target = line.partition(" ||| ")
            yield source.split(), target.split()


def run_fewlex(path: Path) -> Iterable[set[tuple[int, int]]]:
    from fewlex.data.example import Example
    from fewlex.lexicon import Ibm2Settings
    from fewlex.lexicon.alignment.bitext import Bitext

    settings = Ibm2Settings(favor_diagonal=True, variational_bayes=True)
    with Bitext(Example(tuple(source), tuple(target)) for source, target in read(path)) as bitext:
        yield from map(set, bitext.align(bitext.fit(settings), "intersect"))


def run_simple(path: Path) -> Iterable[set[tuple[int, int]]]:
    from fewlex.data.example import Example
    from fewlex.lexicon import learn_lexicon

    learn_lexicon(Example(tuple(source), tuple(target)) for source, target in read(path))
    return []


def run_thot(path: Path) -> Iterable[set[tuple[int, int]]]:
    from thot.alignment import FastAlignModel

    pairs = list(read(path))
    both = []
    for reverse in (False, True):
        model = FastAlignModel()
        for source, target in pairs:
            model.add_sentence_pair(*((target, source) if reverse else (source, target)))
        model.start_training()
        for _ in range(PASSES):
            model.train()
        model.end_training()
        both.append(model)
    for start in range(0, len(pairs), 10_000):
        part = pairs[start : start + 10_000]
        forward = both[0].get_best_alignments([s for s, _ in part], [t for _, t in part])
        backward = both[1].get_best_alignments([t for _, t in part], [s for s, _ in part])
        for (source, target), (_, there), (_, back) in zip(part, forward, backward, strict=True):
            cells = ((i, j) for i in range(len(source)) for j in range(len(target)))
            yield {(i, j) for i, j in cells if there[i, j] and back[j, i]}


def run_eflomal(path: Path) -> Iterable[set[tuple[int, int]]]:
    import eflomal

    with tempfile.TemporaryDirectory() as folder:
        files = [f"{folder}/{name}" for name in ("forward", "reverse")]
        pairs = list(read(path))
        eflomal.Aligner().align(
            [" ".join(source) + "\n" for source, _ in pairs],
            [" ".join(target) + "\n" for _, target in pairs],
            links_filename_fwd=files[0],
            links_filename_rev=files[1],
        )
        for lines in zip(*map(open, files), strict=True):
            forward, reverse = ({tuple(map(int, link.split("-"))) for link in line.split()} for line in lines)
            yield forward & reverse


TOOLS = {"fewlex": run_fewlex, "thot": run_thot, "eflomal": run_eflomal, "simple": run_simple}
OURS = ("fewlex", "simple")


def measure(tool: str, path: Path, out: Path) -> None:
    """Run one tool in this process. Time and peak memory are printed, and the links are written to a file."""
    start = time.perf_counter()
    with out.open("w") as file:
        for links in TOOLS[tool](path):
            file.write(" ".join(f"{i}-{j}" for i, j in links) + "\n")
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak_kilobytes(tool) / 1024}))


def peak_kilobytes(tool: str) -> int:
    """The peak memory of this process, on Linux. For eflomal, which runs another program, its children count too."""
    status = Path("/proc/self/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0])
    return max(peak, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if tool == "eflomal" else 0)


def in_own_process(tool: str, path: Path) -> tuple[float, float, Links]:
    out = path.with_suffix(f".{tool}")
    command = [sys.executable, __file__, "--measure", tool, str(path), str(out)]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result["seconds"], result["megabytes"], read_links(out)


def read_links(path: Path) -> Links:
    with path.open() as file:
        return [{(int(i), int(j)) for i, j in (link.split("-") for link in line.split())} for line in file]


def f1(some: Links, others: Links) -> float:
    shared = sum(len(one & other) for one, other in zip(some, others, strict=True))
    return 2 * shared / max(1, sum(map(len, some)) + sum(map(len, others)))


def exponent(sizes: list[int], values: list[float]) -> float:
    """The slope of the least-squares line through the logarithms; a slope of 1 means linear growth."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum(
        (a - mean_x) ** 2 for a in x
    )


def compare(
    name: str, path: Path, pairs: int, tools: list[str], gold: Links | None
) -> dict[str, tuple[float, float]]:
    results = {}
    reference = gold
    for tool in sorted(tools, key=lambda tool: tool != "thot"):  # The reference, thot, must come first.
        seconds, megabytes, links = in_own_process(tool, path)
        if reference is None and tool == "thot":
            reference = links
        quality = f"{f1(links, reference):.4f}" if links and reference else "–"
        print(f"| {name} | {pairs:,} | {tool} | {seconds:.2f} | {megabytes:,.0f} | {quality} |", flush=True)
        results[tool] = seconds, megabytes
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="*", default=list(TOOLS), choices=list(TOOLS))
    parser.add_argument(
        "--peers-up-to", type=int, default=10**9, help="Largest synthetic corpus for the others."
    )
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        tool, path, out = arguments.measure
        measure(tool, Path(path), Path(out))
        return
    print(f"{os.cpu_count()} cores\n\n| corpus | pairs | tool | s | MB | F1 |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        from fewlex.data import load

        for name in ("eng-cmn", "cogs") if os.environ.get("FEWLEX_DATA") else ():
            examples = load(name)["train"]
            path = Path(folder) / f"{name}.txt"
            path.write_text("".join(f"{' '.join(e.source)} ||| {' '.join(e.target)}\n" for e in examples))
            compare(name, path, len(examples), arguments.only, None)
        figures = {}
        for size in arguments.sizes:
            path = Path(folder) / f"synthetic-{size}.txt"
            gold: Links = []
            with path.open("w") as file:
                for source, target, links in synthetic(size):
                    file.write(f"{' '.join(source)} ||| {' '.join(target)}\n")
                    gold.append(links)
            tools = [tool for tool in arguments.only if tool in OURS or size <= arguments.peers_up_to]
            figures[size] = compare("synthetic", path, size, tools, gold)
    for tool in arguments.only:
        sizes = [size for size in figures if tool in figures[size]]
        if len(sizes) > 1:
            seconds, memory = (exponent(sizes, [figures[size][tool][k] for size in sizes]) for k in (0, 1))
            print(f"\n{tool}: time ∝ pairs^{seconds:.2f}, peak memory ∝ pairs^{memory:.2f}")


if __name__ == "__main__":
    main()
