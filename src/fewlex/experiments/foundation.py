"""The experiments behind the README's numbers on Colors and SCAN, and behind docs/fast_mapping.md.

python -m fewlex.experiments.foundation scan-jump around-right --seeds 0 1 2 --processes 2
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fewlex.errors import ConfigError, did_you_mean
from fewlex.experiments.experiment import Experiment, Lesson, WithoutWord
from fewlex.experiments.runner import run_all

PLAIN = ("model.output=write", "fast_mapping.probability=0")
PAPERS_MECHANISM = ("fast_mapping.probability=0",)

EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("colors", "colors"),
        Experiment("colors-lstm", "colors", settings=PLAIN),
        Experiment("colors-no-fast-mapping", "colors", settings=PAPERS_MECHANISM),
        Experiment("colors-paper", "colors", preset="paper"),
        Experiment("colors-as-published", "colors", preset="paper+as_published"),
        Experiment("jump", "scan:jump"),
        Experiment("jump-lstm", "scan:jump", settings=PLAIN),
        Experiment("jump-no-fast-mapping", "scan:jump", settings=PAPERS_MECHANISM),
        Experiment("around-right", "scan:around_right"),
        Experiment("around-right-lstm", "scan:around_right", settings=PLAIN),
        Experiment("around-right-no-fast-mapping", "scan:around_right", settings=PAPERS_MECHANISM),
        Experiment(
            "teach-jump",
            "scan:jump",
            prepare=WithoutWord("jump"),
            lessons={
                "jump": Lesson("jump", "I_JUMP"),
                "blork": Lesson("blork", "I_BLORK", instead_of=("jump", "I_JUMP")),
            },
        ),
        Experiment(
            "teach-run", "scan:jump", prepare=WithoutWord("run"), lessons={"run": Lesson("run", "I_RUN")}
        ),
        Experiment(
            "teach-look", "scan:jump", prepare=WithoutWord("look"), lessons={"look": Lesson("look", "I_LOOK")}
        ),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="+", help=f"any of: {', '.join(EXPERIMENTS)}")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in EXPERIMENTS:
            raise ConfigError(f"no experiment {name!r}. {did_you_mean(name, EXPERIMENTS)}")
    run_all(
        [EXPERIMENTS[name] for name in arguments.names],
        arguments.seeds,
        results=arguments.results,
        runs=arguments.runs,
        processes=arguments.processes,
    )


if __name__ == "__main__":
    main()
