"""What a finished run tells its user: whether it had enough time, and what to do next. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence

from fewlex.metrics import Milestone, read_metrics
from fewlex.run import Run

FALLING = 0.9
"""The loss is still falling if, in the last fifth of the training, it fell to less than this share."""
LEARNED_LOSS = 0.01
"""Below this loss of a target token there is nothing left to learn."""


def is_unfinished(rows: Sequence[Milestone]) -> bool:
    """Whether the loss was still falling when training ended; `rows` are those of metrics.jsonl."""
    if len(rows) < 2:
        return False
    name = "validation_loss" if "validation_loss" in rows[-1] else "loss"
    losses = [row[name] for row in rows if name in row]
    if len(losses) < 2:
        return False
    before = losses[max(0, len(losses) - 1 - max(1, len(losses) // 5))]
    return bool(LEARNED_LOSS < losses[-1] < FALLING * before)


def next_steps(run: Run, data: str) -> list[str]:
    """Sentences for the end of `fewlex train`."""
    result, steps = run.read_json("result.json"), []
    trained = (
        run.members[-1] if run.members else run
    )  # of several networks, the last one's curve is like the others'
    milestones = list(read_metrics(trained.path / "metrics.jsonl"))
    if result.get("stopped_by") in ("time", "updates", "epochs") and is_unfinished(milestones):
        steps.append(
            "the run is not done: its loss was still falling when training ended. Give it more time: "
            "`--time-budget 10m`, or `--set training.updates=…`, with another --out."
        )
    steps.append(f"next: `echo 'your text' | fewlex translate {run.path}`")
    steps.append(f"      `fewlex evaluate {run.path} {data}` · `fewlex teach {run.path} WORD MEANING`")
    return steps
