"""A run whose training has not ended: where it goes on, and what it could end with."""

from __future__ import annotations

import json
from pathlib import Path

from fewlex.run import Run
from fewlex.seal import metadata_of

MAX_HEADER = 1 << 24
"""A checkpoint whose header is longer than this, in bytes, is damaged."""


def checkpoints(run: Run) -> list[Path]:
    """The checkpoints of a training that has not ended; several networks have theirs one after the other."""
    each = (run.checkpoint, *(member.checkpoint for member in run.members))
    return [path for path in each if path.exists()]


def resumes_at(run: Run) -> int | None:
    """The epoch, counted from 1, in which an interrupted training goes on; None where it would begin anew."""
    found = checkpoints(run)
    if run.is_finished or not found:
        return None
    with found[0].open("rb") as file:
        beginning = file.read(MAX_HEADER)
    try:
        return int(json.loads(metadata_of(beginning)["position"])["epoch"]) + 1
    except (KeyError, TypeError, ValueError, RecursionError):
        return None  # whoever loads the checkpoint will say what is wrong with it


def can_be_kept(run: Run) -> bool:
    """True if there is something that the run could end with, should its owner want no more training."""
    return bool(checkpoints(run)) or any(member.is_finished for member in run.members)
