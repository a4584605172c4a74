"""The folder results/: one JSON file for each run, one for each run that failed. Reading survives whatever it finds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from fewlex.config_layers import build_config
from fewlex.errors import FewlexError
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.identity import config_of, identity
from fewlex.version import __version__

FAILED = ".failed.json"


@dataclass(frozen=True)
class Result:
    """One run, as its file tells; results of older fewlex versions lack some parts."""

    experiment: str
    seed: int
    content: Mapping[str, Any]

    @property
    def version(self) -> str:
        return str(self.content.get("fewlex", "unknown"))

    @property
    def scores(self) -> Mapping[str, Any]:
        return self.content["scores"]  # type: ignore[no-any-return]

    @property
    def curve(self) -> Mapping[str, list[float]]:
        """Columns of equal length, `epoch` among them; empty where the result has none."""
        curve = self.content.get("curve", {})
        lengths = {len(column) for column in curve.values()}
        return curve if "epoch" in curve and len(lengths) == 1 else {}

    @property
    def seconds(self) -> float:
        return float(self.content["training"]["seconds"]) + float(self.content.get("evaluation_seconds", 0))

    @property
    def hits(self) -> str:
        """For each test example whether it was right; empty where the result does not tell."""
        test = self.scores.get("test", {})
        return str(test.get("hits", "")) if isinstance(test, Mapping) else ""

    def figure(self, path: str) -> float | None:
        """A number of the scores, such as `test.exact_match` or a test example `test.hits.3`; None where it is not."""
        value: Any = self.scores
        for name in path.split("."):
            if isinstance(value, str):
                value = float(value[int(name)]) if int(name) < len(value) else None
            elif isinstance(value, Mapping):
                value = value.get(name)
            else:
                return None
        return float(value) if isinstance(value, int | float) else None

    def identity_for(self, experiment: Experiment) -> str | None:
        """The identity of the run; of an old result, what today's preset of the same name stands for."""
        if "identity" in self.content:
            return str(self.content["identity"])
        preset, settings = str(self.content.get("preset", "")), tuple(self.content.get("settings", ()))
        try:
            config = build_config(preset, experiment.data, settings=settings)
        except FewlexError:
            return None
        return identity(replace(experiment, preset=preset, settings=settings), config)


@dataclass(frozen=True)
class Failure:
    """A run that did not end well."""

    experiment: str
    seed: int
    error: str


@dataclass(frozen=True)
class Results:
    """All that is in a results folder."""

    folder: Path
    runs: Mapping[str, list[Result]] = field(default_factory=dict)
    """By experiment, in the order of seeds."""
    failures: Mapping[str, list[Failure]] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()
    """Files that could not be read, with the reason."""

    @property
    def number_of_runs(self) -> int:
        return sum(map(len, self.runs.values()))

    @property
    def versions(self) -> dict[str, int]:
        """How many runs each fewlex has made."""
        counts = Counter(result.version for results in self.runs.values() for result in results)
        return dict(sorted(counts.items()))

    def of(self, experiment: str, seed: int) -> Result | None:
        return next((r for r in self.runs.get(experiment, ()) if r.seed == seed), None)

    def failure_of(self, experiment: str, seed: int) -> Failure | None:
        return next((f for f in self.failures.get(experiment, ()) if f.seed == seed), None)


State = Literal["missing", "done", "older", "other settings", "failed"]


def state_of(experiment: Experiment, seed: int, results: Results) -> State:
    """Whether a run is there: of the same settings and the same fewlex, or of others.

    `older` are those of another fewlex version, and those that do not record their settings.
    """
    result = results.of(experiment.name, seed)
    if result is None:
        return "failed" if results.failure_of(experiment.name, seed) else "missing"
    if result.identity_for(experiment) != identity(experiment, config_of(experiment, seed)):
        return "other settings"
    return "done" if result.version == __version__ and "identity" in result.content else "older"


def result_path(folder: Path, experiment: str, seed: int) -> Path:
    return folder / experiment / f"seed{seed}.json"


def failure_path(folder: Path, experiment: str, seed: int) -> Path:
    return folder / experiment / f"seed{seed}{FAILED}"


def read_result(folder: Path, experiment: str, seed: int) -> Result:
    """One result that is known to be there."""
    return _result(experiment, _read(result_path(folder, experiment, seed)))


def read_results(folder: Path) -> Results:
    """Whatever can be read; what cannot is listed, with the reason, and stops nothing."""
    runs: dict[str, list[Result]] = {}
    failures: dict[str, list[Failure]] = {}
    damaged: list[str] = []
    for path in sorted(folder.glob("*/*.json")) if folder.is_dir() else ():
        name = path.parent.name
        try:
            content = _read(path)
            if path.name.endswith(FAILED):
                failure = Failure(name, int(content["seed"]), str(content["error"]))
                failures.setdefault(name, []).append(failure)
            else:
                runs.setdefault(name, []).append(_result(name, content))
        except (ValueError, KeyError, TypeError, OSError) as error:
            damaged.append(f"{path.relative_to(folder)}: {_reason(error)}")
    for found in runs.values():
        found.sort(key=lambda result: result.seed)
    for failed in failures.values():
        failed.sort(key=lambda failure: failure.seed)
    return Results(folder, runs, failures, tuple(damaged))


def _read(path: Path) -> dict[str, Any]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError("not a JSON object")
    return content


def _result(name: str, content: dict[str, Any]) -> Result:
    """A result that has what no report can do without."""
    result = Result(name, int(content["seed"]), content)
    for part in ("scores", "training"):
        if not isinstance(content[part], dict):
            raise ValueError(f"its {part} are not a JSON object")
    float(content["training"]["seconds"])
    return result


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    return f"not JSON ({error})" if isinstance(error, json.JSONDecodeError) else str(error)
