"""Trainings that the page starts, one at a time, each in a process of its own.

A training is the command `fewlex train`. What was ordered is kept in the run folder as `studio.json`, so that the same
command can be given again: that is how a stopped training goes on, also after the studio was closed. The file may come
from somebody else, so it holds no command but an order, which is checked as if the page had sent it. What the page
shows of a training is read from `metrics.jsonl`, which the command writes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fewlex.config import MOST_NETWORKS
from fewlex.config_layers import AUTO, preset_names
from fewlex.data import find_dataset
from fewlex.durations import parse_duration
from fewlex.errors import ConfigError, FewlexError, RunError, did_you_mean
from fewlex.files import atomic_write_text
from fewlex.own_files import require_own_files
from fewlex.run import Run
from fewlex.strict import StrictError, checked
from fewlex.studio.library import Library, metrics_of
from fewlex.unfinished import can_be_kept

PROGRAM = (sys.executable, "-m", "fewlex")
ORDER = "studio.json"
LOG = "training.log"
CHECKPOINT_SECONDS = "3"
"""A training that is stopped loses at most this much."""
GRACE_SECONDS = 10
LOG_TAIL = 2000
SHARE_WITH_VALIDATION = 0.1
FEW = 30
"""Below this number of examples, none of them is set aside to validate with."""
_NAME = re.compile(r"\w[\w.-]{0,63}")


class BusyError(FewlexError):
    """Another training is under way."""


@dataclass(frozen=True)
class Order:
    """What is to be trained, as the page asks for it."""

    name: str
    data: str
    """A data set, or the path of dropped data relative to the folder."""
    preset: str = AUTO
    budget: str = ""
    """`90s`, `20m`; empty for no limit."""
    epochs: int | None = None
    seed: int = 0
    networks: int = 1
    """So many networks answer together (docs/training.md)."""
    rules: bool = False
    """Whether rules are learned beside the network; the preset `rules` learns them without one."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigError(
                f"{self.name[:80]!r} cannot be the name of a run. Use up to 64 letters, digits, dots and hyphens, "
                "and begin with a letter or digit."
            )
        for preset in self.preset.split("+"):
            if preset not in preset_names():
                raise ConfigError(f"no preset {preset!r}. {did_you_mean(preset, preset_names())}")
        if self.budget:
            parse_duration(self.budget)
        if not 1 <= self.networks <= MOST_NETWORKS:
            raise ConfigError(f"{self.networks} networks are too few or too many. Say 1 to {MOST_NETWORKS}.")
        if self.epochs is not None and not 1 <= self.epochs <= 10_000:
            raise ConfigError(f"{self.epochs} passes over the data are too few or too many. Say 1 to 10000.")

    def command(self, folder: Path, examples: int | None = None) -> list[str]:
        """The arguments of `fewlex train`; `examples` is the size of dropped data, None for a data set."""
        data = self.data if find_dataset(self.data) else str(folder / self.data)
        out = str(folder / self.name)
        command = ["train", data, "--out", out, "--preset", self.preset, "--seed", str(self.seed)]
        command += [
            "--threads",
            "1",
        ]  # the page must stay quick, and a small network is not slower on one core
        if self.budget:
            command += ["--time-budget", self.budget]
        if self.networks > 1:
            command += ["--networks", str(self.networks)]
        settings = {}
        if self.epochs is not None:
            settings["training.epochs"] = str(self.epochs)
        if self.rules:
            settings["rules.learn"] = "true"
        if examples is not None and self.preset != AUTO:  # that preset looks at the data itself
            share = SHARE_WITH_VALIDATION if examples >= FEW else 0
            settings["data.validation_share"] = str(share)
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        return command


@dataclass(frozen=True)
class Kept:
    """What `studio.json` holds."""

    order: Order
    examples: int | None = None
    """The size of dropped data; None for a data set."""


class Trainings:
    """Starts, stops and watches the one training that may be under way."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._name = ""
        self._was_stopped = False

    def start(self, order: Order, examples: int | None = None) -> None:
        """Begin a training in a new run folder, on a data set or on so many examples of dropped data."""
        out = self._library.place(order.name)
        if out.exists():
            raise RunError(f"there is a folder {order.name!r} already. Choose another name.")
        with self._lock:
            self._require_idle()
            out.mkdir(parents=True)
            kept = asdict(Kept(order, examples))
            atomic_write_text(out / ORDER, json.dumps(kept, ensure_ascii=False) + "\n")
            self._launch(order.name, order.command(self._library.folder, examples))

    def resume(self, name: str) -> None:
        """Go on with a training that this studio, or an earlier one, has started."""
        run = Run(self._library.place(name))
        require_own_files(run.path)
        if run.is_finished:
            raise RunError(f"{name} is finished already.")
        with self._lock:
            self._require_idle()
            self._launch(name, self._ordered(run, name))

    def stop(self) -> None:
        """End the process. Its last checkpoint stays, so that the training can go on or be kept."""
        with self._lock:
            process = self._process
            if process is None or process.poll() is not None:
                return
            self._was_stopped = True
            process.terminate()
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def keep(self, name: str) -> None:
        """Make a finished run of a stopped one, with what it has learned so far."""
        from fewlex.training.keeping import keep

        run = self._library.run(name)
        with self._lock:
            self._require_idle()
            keep(run)

    def news(self, since: int) -> dict[str, Any]:
        """The state of the last training, and its metrics from the given line on."""
        name, process = self._name, self._process
        if process is None:
            return {"name": "", "state": "none", "metrics": [], "next": 0, "log": ""}
        code = process.poll()
        run = Run(self._library.place(name))
        rows = list(metrics_of(run))
        state = "running" if code is None else "finished" if code == 0 else "failed"
        if state == "failed" and self._was_stopped:
            state = "stopped"
        return {
            "name": name,
            "state": state,
            "metrics": rows[since:],
            "next": len(rows),
            "has_checkpoint": can_be_kept(run),
            "log": _tail(run.path / LOG),
        }

    def _require_idle(self) -> None:
        if self._process is not None and self._process.poll() is None:
            raise BusyError(f"{self._name} is being trained. Stop it, or wait until it is done.")

    def _ordered(self, run: Run, name: str) -> list[str]:
        """The command for what was ordered in this folder, with data that lies below the studio's folder."""
        try:
            kept = checked(run.read_json(ORDER), Kept)
        except StrictError as error:
            raise RunError(
                f"{run.path / ORDER}: this is not an order of this studio ({error}). "
                "Go on with `fewlex train` yourself."
            ) from error
        if find_dataset(kept.order.data) is None:
            self._library.place(kept.order.data)
        return replace(kept.order, name=name).command(self._library.folder, kept.examples)

    def _launch(self, name: str, command: Sequence[str]) -> None:
        out = self._library.place(name)
        environment = {"FEWLEX_CHECKPOINT_SECONDS": CHECKPOINT_SECONDS, **os.environ}
        with (out / LOG).open("ab") as log:
            self._process = subprocess.Popen(
                [*PROGRAM, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self._library.folder,
            )
        self._name, self._was_stopped = name, False


def _tail(path: Path) -> str:
    try:
        text = path.read_bytes()[-LOG_TAIL:].decode(errors="replace")
    except OSError:
        return ""
    errors = [line for line in text.splitlines() if line.startswith("error: ")]
    said = [
        line for line in text.splitlines() if not line.startswith("training on ")
    ]  # not the progress lines
    return errors[-1] if errors else "\n".join(said)
