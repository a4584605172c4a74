"""`fewlex doctor`: is every file of a run as fewlex has written it? Needs no torch."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from fewlex.cli.options import JsonOption, RunArgument
from fewlex.cli.screen import say
from fewlex.doctor import DAMAGED, SET_ASIDE, examine


def doctor(
    run: RunArgument,
    mend: Annotated[
        bool, typer.Option("--mend", help="Mend what can be mended; what is replaced is kept as `.damaged`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check that every file of a run is as fewlex has written it, and mend what the log of edits can mend.

    `fewlex doctor runs/jump`

    `fewlex doctor runs/jump --mend`

    The exit code is 0 if everything is sound or mended, and 1 if something is damaged or must be trained again.
    """
    findings = examine(run, mend=mend)
    if as_json:
        files = [dataclasses.asdict(finding) for finding in findings]
        say(json.dumps({"run": run, "files": files}, ensure_ascii=False))
    else:
        for finding in findings:
            colour = "red" if finding.state in (DAMAGED, SET_ASIDE) else None
            say(f"{finding.file}: {finding.state}. {finding.told}".rstrip(), fg=colour)
    if not all(finding.is_good for finding in findings):
        raise typer.Exit(1)
