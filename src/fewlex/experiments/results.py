"""The folder results/ has one JSON file for each run, and one for each run that failed.

Reading never fails as a whole: a file that cannot be read is listed with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from fewlex.config_layers import build_config
from fewlex.errors import FewlexError
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.identity import config_of, identity, is_contradicted
from fewlex.experiments.result_file import FailureContent, ResultContent
from fewlex.strict import StrictError, checked, parse_json
from fewlex.version import __version__

FAILED = ".failed.json"
LARGEST_FIGURE = 1e12


@dataclass(frozen=True)
class Result:
    """The result of one run, as its file has it. Results of older fewlex versions lack some parts."""

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
        """The learning curve as columns of equal length, `epoch` among them; empty if the result has none."""
        curve = self.content.get("curve", {})
        lengths = {len(column) for column in curve.values()}
        return curve if "epoch" in curve and len(lengths) == 1 else {}

    @property
    def reliability(self) -> Sequence[tuple[float, float, int]]:
        """Answers of similar confidence: confidence, share right, number; empty where the result has none."""
        rows = self.content.get("reliability", ())
        shares_and_count = (row for row in rows if len(row) == 3 and row[2] >= 1)
        return [(c, a, int(n)) for c, a, n in shares_and_count if 0 <= c <= 1 and 0 <= a <= 1]

    @property
    def seconds(self) -> float:
        return float(self.content["training"]["seconds"]) + float(self.content.get("evaluation_seconds", 0))

    @property
    def hits(self) -> str:
        """One digit for each test example, 1 if it was right; empty if the result does not record them."""
        test = self.scores.get("test", {})
        return str(test.get("hits", "")) if isinstance(test, Mapping) else ""

    def figure(self, path: str) -> float | None:
        """A number of the scores, such as `test.exact_match` or a test example `test.hits.3`; None if it is missing."""
        value: Any = self.scores
        for name in path.split("."):
            if isinstance(value, str):
                value = float(value[int(name)]) if name.isdecimal() and int(name) < len(value) else None
            elif isinstance(value, Mapping):
                value = value.get(name)
            else:
                return None
        return float(value) if isinstance(value, int | float) else None

    def identity_for(self, experiment: Experiment) -> str | None:
        """The identity of the run. An old result has the identity that today's preset of the same name gives.

        A run that was made before a default changed has another identity, although the same settings name it.
        """
        if "identity" in self.content:
            me = str(self.content["identity"])
            is_other = is_contradicted(config_of(experiment, self.seed), self.content.get("config", {}))
            return f"{me}, other defaults" if is_other else me
        preset, settings = str(self.content.get("preset", "")), tuple(self.content.get("settings", ()))
        try:
            config = build_config(preset, experiment.data, settings=settings)
        except FewlexError:
            return None
        return identity(replace(experiment, preset=preset, settings=settings), config)


@dataclass(frozen=True)
class Failure:
    """A run that failed."""

    experiment: str
    seed: int
    error: str
    identity: str = ""
    """The identity of the run that failed; empty in older files, which do not record it."""


@dataclass(frozen=True)
class Results:
    """The whole content of a results folder."""

    folder: Path
    runs: Mapping[str, list[Result]] = field(default_factory=dict)
    """The results of each experiment, in the order of their seeds."""
    failures: Mapping[str, list[Failure]] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()
    """Files that could not be read, with the reason."""

    @property
    def number_of_runs(self) -> int:
        return sum(map(len, self.runs.values()))

    @property
    def versions(self) -> dict[str, int]:
        """The number of runs that each version of fewlex has made."""
        counts = Counter(result.version for results in self.runs.values() for result in results)
        return dict(sorted(counts.items()))

    def of(self, experiment: str, seed: int) -> Result | None:
        return next((r for r in self.runs.get(experiment, ()) if r.seed == seed), None)

    def failure_of(self, experiment: str, seed: int) -> Failure | None:
        return next((f for f in self.failures.get(experiment, ()) if f.seed == seed), None)


State = Literal["missing", "done", "older", "other settings", "failed"]


def state_of(experiment: Experiment, seed: int, results: Results) -> State:
    """The state of a run: missing, failed, or made with the same or with other settings or versions.

    A run is `older` if another fewlex version made it, or if it does not record its settings.
    """
    me = identity(experiment, config_of(experiment, seed))
    result, failure = results.of(experiment.name, seed), results.failure_of(experiment.name, seed)
    if result is not None and result.identity_for(experiment) == me:
        return "done" if result.version == __version__ and "identity" in result.content else "older"
    if failure is not None and failure.identity in (me, ""):
        return "failed"
    return "missing" if result is None else "other settings"


def result_path(folder: Path, experiment: str, seed: int) -> Path:
    return folder / experiment / f"seed{seed}.json"


def failure_path(folder: Path, experiment: str, seed: int) -> Path:
    return folder / experiment / f"seed{seed}{FAILED}"


def read_result(folder: Path, experiment: str, seed: int) -> Result:
    """Read one result that is known to exist."""
    return _result(experiment, _read(result_path(folder, experiment, seed)))


def read_failure(folder: Path, experiment: str, seed: int) -> Failure | None:
    """Read why a run failed; None if it did not fail, or if it could not write down why."""
    path = failure_path(folder, experiment, seed)
    return _failure(experiment, _read(path)) if path.exists() else None


def read_results(folder: Path) -> Results:
    """Read all results. A file that cannot be read is listed with the reason, and the others are still read."""
    runs: dict[str, list[Result]] = {}
    failures: dict[str, list[Failure]] = {}
    damaged: list[str] = []
    for path in sorted(folder.glob("*/*.json")) if folder.is_dir() else ():
        name = path.parent.name
        try:
            if path.name.endswith(FAILED):
                failure = _failure(name, _read(path))
                _check_name(path, failure_path(folder, name, failure.seed))
                failures.setdefault(name, []).append(failure)
            else:
                result = _result(name, _read(path))
                _check_name(path, result_path(folder, name, result.seed))
                runs.setdefault(name, []).append(result)
        except (ValueError, OSError) as error:
            damaged.append(f"{path.relative_to(folder)}: {error}")
    for found in runs.values():
        found.sort(key=lambda result: result.seed)
    for failed in failures.values():
        failed.sort(key=lambda failure: failure.seed)
    return Results(folder, runs, failures, tuple(damaged))


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    try:
        return parse_json(text)
    except StrictError as error:
        raise ValueError(f"not JSON ({error})") from error


def _check_name(path: Path, expected: Path) -> None:
    if path != expected:
        raise ValueError(f"a result of that seed belongs in {expected.name}; a copy would count twice")


def _failure(name: str, content: Any) -> Failure:
    told = checked(content, FailureContent)
    return Failure(name, told["seed"], told["error"], told.get("identity", ""))


def _result(name: str, content: Any) -> Result:
    """Check that a result has every part that a report needs, and that each part looks as it should."""
    told = checked(content, ResultContent)
    _check_figures("scores", told["scores"])
    _check_counts(told.get("bleu_counts", []), told.get("one_shot", ""))
    result = Result(name, told["seed"], told)
    if set(result.hits) - {"0", "1"}:
        raise ValueError("its hits are not a string of 0 and 1")
    return result


def _check_figures(where: str, value: object) -> None:
    """Figures are so large at most that their sums and squares are finite too."""
    if isinstance(value, dict):
        for name, part in value.items():
            _check_figures(f"{where}.{name}", part)
    elif isinstance(value, int | float) and not abs(value) <= LARGEST_FIGURE:
        raise ValueError(f"its {where} is out of all bounds")


def _check_counts(counts: Sequence[Sequence[int]], one_shot: str) -> None:
    if len({len(row) for row in counts}) > 1:
        raise ValueError("its bleu_counts have rows of different lengths")
    if set(one_shot) - {"0", "1"} or (one_shot and len(one_shot) != len(counts)):
        raise ValueError("its one_shot is not a digit, 0 or 1, for each row of bleu_counts")
