"""From a corpus and a config to a finished run, in one call that may be killed and called again."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path

from fewlex.config import Config
from fewlex.data.corpus import Corpus
from fewlex.deadline import preparing
from fewlex.errors import RunError
from fewlex.lexicon import Lexicon
from fewlex.preparing import prepare
from fewlex.rules import RuleBook
from fewlex.run import Run
from fewlex.training.committee import train_committee
from fewlex.training.distributed import join_workers
from fewlex.training.interruption import Interruption
from fewlex.training.one_network import train_network
from fewlex.training.progress import Observer


def train(
    corpus: Corpus,
    config: Config,
    out: Path | str,
    *,
    lexicon: Lexicon | None = None,
    rules: RuleBook | None = None,
    device: str = "cpu",
    observe: Observer = lambda news: None,
    began: float | None = None,
) -> Run:
    """Train on `corpus["train"]` and leave the run in `out`; go on where a killed run of the same config stopped.

    Ctrl-C and SIGTERM end training between two updates: it writes its checkpoint and raises a KeyboardInterrupt.

    A given `lexicon` takes the place of the one that `config.lexicon.method` would learn, and so do given `rules` if
    `config.rules.learn` is set. Started by torchrun, all
    workers train together; the first of them writes and tells `observe`. A time limit counts from `began`, a value of
    `time.monotonic()`, or from this call.
    """
    began = time.monotonic() if began is None else began
    seconds = config.training.seconds
    with preparing(seconds, began, "bringing the data into form"):
        prepared = prepare(corpus, config, out, lexicon, rules)
    run = prepared.run
    with join_workers(device) as workers, run.locked_for_training() if workers.is_first else nullcontext():
        if workers.is_first:
            with preparing(seconds, began, "learning the lexicon and the rules"):
                prepared.begin()
        workers.wait()
        if not run.exists():
            raise RunError(
                f"worker {workers.rank} does not see {run.path}. Put --out where all machines can read it."
            )
        prepared.begin()  # every worker checks that the run is of its settings
        if not run.is_finished and not prepared.config.rules.alone:
            with Interruption().watching() as interruption:
                if prepared.config.training.networks > 1:
                    train_committee(prepared, workers, observe, interruption, began)
                else:
                    train_network(
                        prepared.corpus, prepared.config, run, workers, observe, interruption, began
                    )
        workers.wait()  # whoever goes on finds the run finished
    return run
