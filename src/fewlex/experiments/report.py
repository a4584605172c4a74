"""The contents of a report: tables beside the paper's, significance tests, curves, lexicons, failures and times.

A report is made from results/ alone. Everything except the times depends only on the settings and seeds of the runs, so
that interrupted and continued runs give the same report as undisturbed ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fewlex.errors import ConfigError
from fewlex.experiments.experiment import Experiment
from fewlex.experiments.figures import Figures, make_figures
from fewlex.experiments.identity import config_of, identity
from fewlex.experiments.paper import EXPERIMENTS, PRESETS
from fewlex.experiments.paper_tables import Cell, Row, Table, tables
from fewlex.experiments.reported import Reported
from fewlex.experiments.result_file import Training
from fewlex.experiments.results import Failure, Result, Results
from fewlex.experiments.statistics import ALPHA, Comparison, Summary, compare_bleu, compare_hits, summarize
from fewlex.version import __version__

Verdict = Literal["", "best", "as good", "better", "worse"]


@dataclass(frozen=True)
class ReportCell:
    """One measured number beside the paper's. `paper_tables.Cell` says what it measures."""

    summary: Summary | None = None
    paper: Reported | None = None
    failed: int = 0
    verdict: Verdict = ""
    """How the number compares with the best of the paper's rows in its column; '' if it was not compared."""
    comparison: Comparison | None = None
    """The comparison with that best row; None for the best row itself, and if nothing can be compared."""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportRow:
    label: str
    cells: Mapping[str, ReportCell]
    is_ours: bool


@dataclass(frozen=True)
class ReportTable:
    table: Table
    preset: str
    rows: tuple[ReportRow, ...]
    test: str = ""
    """The name of the significance test; empty if none was made."""

    @property
    def title(self) -> str:
        name = f"Table {self.table.key}" if self.table.key.isdigit() else "Beyond the paper"
        settings = ", with the settings of appendix C" if self.preset == "paper" else ""
        return f"{name}: {self.table.title}{settings}"


@dataclass(frozen=True)
class Times:
    """The time and the memory that the runs of one experiment took."""

    experiment: str
    seeds: int
    training: Summary
    evaluation: Summary | None
    memory_mib: int
    threads: str
    machine: str
    dates: str


@dataclass(frozen=True)
class Report:
    notes: tuple[str, ...]
    """The notes that a reader must see first, such as that results are missing, damaged, or of several versions."""
    tables: tuple[ReportTable, ...]
    bars: Mapping[str, Mapping[str, tuple[float | None, float | None]]]
    """The bars of Table 3: group → method → our number and the paper's. There are none if nothing was run."""
    figures: Figures
    failures: tuple[Failure, ...]
    times: tuple[Times, ...]
    """The times of all experiments; empty if the user left them out."""


def make_report(results: Results, *, with_times: bool = True) -> Report:
    kept, remarks = _counted(results)
    made = []
    for preset in PRESETS:
        for table in tables(preset):
            if preset == "fast" or any(name in kept.runs for name in table.experiments()):
                made.append(_report_table(table, preset, kept, remarks))
    times = [_times(name, found) for name, found in sorted(kept.runs.items())] if with_times else []
    failures = [failure for _, found in sorted(results.failures.items()) for failure in found]
    return Report(
        tuple(_notes(results, made)),
        tuple(made),
        _bars(next(t for t in made if t.table.key == "3")),
        make_figures(kept),
        tuple(failures),
        tuple(times),
    )


def _bars(made: ReportTable) -> dict[str, dict[str, tuple[float | None, float | None]]]:
    def pair(cell: ReportCell) -> tuple[float | None, float | None]:
        return (cell.summary.mean if cell.summary else None, cell.paper.mean if cell.paper else None)

    filled = [c for c in made.table.columns if any(row.cells[c].summary for row in made.rows)]
    return {row.label: {c: pair(row.cells[c]) for c in filled} for row in made.rows} if filled else {}


def _counted(results: Results) -> tuple[Results, dict[str, tuple[str, ...]]]:
    """The results that a report counts, and for each experiment the remarks that a reader must see."""
    runs, remarks = {}, {}
    for name, found in results.runs.items():
        runs[name], told = counted(EXPERIMENTS.get(name), found)
        remarks[name] = tuple(told)
    return replace(results, runs=runs), remarks


def counted(experiment: Experiment | None, found: list[Result]) -> tuple[list[Result], list[str]]:
    """The runs of an experiment that belong to its row as it is now, and the remarks about them."""
    if experiment is None:
        return found, []
    identities = {result.seed: result.identity_for(experiment) for result in found}
    try:
        wanted: str | None = identity(experiment, config_of(experiment, seed=0))
    except ConfigError:
        wanted = None
    remarks = []
    if wanted not in identities.values():
        wanted = Counter(identities.values()).most_common(1)[0][0]
        remarks.append("made with settings other than this row has now")
    kept = [result for result in found if identities[result.seed] == wanted]
    if len(kept) < len(found):
        remarks.append("results with other settings are left out")
    if len({result.version for result in kept}) > 1:
        remarks.append("made by several versions of fewlex")
    if any("identity" not in result.content for result in kept):
        remarks.append("an older kind of result that records neither settings nor single examples")
    return kept, remarks


def _report_table(
    table: Table, preset: str, results: Results, remarks: Mapping[str, tuple[str, ...]]
) -> ReportTable:
    rows = [ReportRow(row.label, _cells(row, results, remarks), row.is_ours) for row in table.rows]
    if not table.is_compared:
        return ReportTable(table, preset, tuple(rows))
    tested = False
    for column in table.columns:
        rows, was_tested = _compared(column, table, rows, results)
        tested = tested or was_tested
    is_bleu = any("bleu" in cell.figure for row in table.rows for cell in row.cells.values())
    test = "paired bootstrap over test sentences" if is_bleu else "exact McNemar test over test examples"
    return ReportTable(table, preset, tuple(rows), test if tested else "")


def _cells(row: Row, results: Results, remarks: Mapping[str, tuple[str, ...]]) -> dict[str, ReportCell]:
    return {
        column: _cell(cell, results, remarks.get(cell.experiment, ())) for column, cell in row.cells.items()
    }


def _cell(cell: Cell, results: Results, remarks: tuple[str, ...]) -> ReportCell:
    runs = results.runs.get(cell.experiment, ())
    values = [value for result in runs if (value := result.figure(cell.figure)) is not None]
    failed = len(results.failures.get(cell.experiment, ()))
    if not values:
        return ReportCell(paper=cell.paper, failed=failed)
    return ReportCell(summarize(values), cell.paper, failed, remarks=remarks)


def _compared(
    column: str, table: Table, rows: Sequence[ReportRow], results: Results
) -> tuple[list[ReportRow], bool]:
    """The rows with verdicts in one column. The paper's rows and ours are compared with the best of the paper's."""

    def mean_of(number: int) -> float | None:
        cell = rows[number].cells.get(column)
        return cell.summary.mean if cell and cell.summary else None

    filled = [i for i in range(len(rows)) if mean_of(i) is not None]
    rivals = [i for i in filled if not rows[i].is_ours]
    if not rivals or len(filled) < 2:
        return list(rows), False
    best = max(rivals, key=lambda i: (mean_of(i), -i))
    judged, tested = list(rows), False
    for i in filled:
        verdict: Verdict = "best"
        comparison = None
        if i != best:
            comparison = _compare(table.rows[i].cells[column], table.rows[best].cells[column], results)
            tested = tested or comparison is not None
            verdict = _verdict(comparison)
        cells = dict(judged[i].cells)
        cells[column] = replace(cells[column], verdict=verdict, comparison=comparison)
        judged[i] = replace(judged[i], cells=cells)
    return (judged, True) if tested else (list(rows), False)


def _verdict(comparison: Comparison | None) -> Verdict:
    if comparison is None:
        return ""
    if comparison.p >= ALPHA:
        return "as good"
    return "better" if comparison.difference > 0 else "worse"


def _compare(one: Cell, other: Cell, results: Results) -> Comparison | None:
    mine, theirs = (results.runs[cell.experiment] for cell in (one, other))
    if "bleu" not in one.figure:
        return compare_hits({r.seed: r.hits for r in mine}, {r.seed: r.hits for r in theirs})
    among = str(mine[0].content.get("one_shot", "")) if "one_shot" in one.figure else ""
    counts = [{r.seed: r.content.get("bleu_counts", []) for r in runs} for runs in (mine, theirs)]
    return compare_bleu(counts[0], counts[1], among)


def _notes(results: Results, made: Sequence[ReportTable]) -> list[str]:
    notes = []
    if not results.number_of_runs:
        notes.append(
            f"There are no results in {results.folder} yet. `fewlex reproduce --quick` makes the first ones, and "
            "`fewlex reproduce` makes all of them."
        )
    wanted = [
        row.cells[column].summary is not None
        for made_table in made
        if made_table.preset == "fast"
        for row in made_table.rows
        for column in row.cells
        if row.cells[column].paper is not None and not column.startswith("people")
    ]
    if results.number_of_runs and not all(wanted):
        notes.append(
            f"Partial: {sum(wanted)} of the {len(wanted)} numbers of the paper have a run beside them. "
            "`fewlex reproduce` makes the others."
        )
    if set(results.versions) - {__version__}:
        made_by = ", ".join(f"{version} ({n} runs)" for version, n in results.versions.items())
        notes.append(
            f"This is fewlex {__version__}; the results were made by {made_by}. `fewlex reproduce --again` repeats the "
            "runs of other versions."
        )
    notes += [
        f"Left out because it cannot be read: {damaged}. `fewlex reproduce` makes the run again."
        for damaged in results.damaged
    ]
    if failed := sum(map(len, results.failures.values())):
        runs = "1 run" if failed == 1 else f"{failed} runs"
        notes.append(f"{runs} failed; see *Runs that failed*. `fewlex reproduce --again` tries again.")
    return notes


def _threads(training: Training) -> str:
    """The threads of a run, as `2 × 1` if two workers with one thread each have trained it."""
    workers = training.get("workers", 1)
    return str(training["threads"]) if workers == 1 else f"{workers} × {training['threads']}"


def _times(name: str, found: Sequence[Result]) -> Times:
    evaluation = [float(r.content["evaluation_seconds"]) for r in found if "evaluation_seconds" in r.content]
    machines = [r.content.get("machine", {}) for r in found]
    dates = sorted(str(r.content["date"])[:10] for r in found if "date" in r.content)
    training = [r.content["training"] for r in found]
    return Times(
        name,
        len(found),
        summarize([float(t["seconds"]) for t in training]),
        summarize(evaluation) if evaluation else None,
        max(int(t.get("peak_memory_mib", 0)) for t in training),
        ", ".join(sorted({_threads(t) for t in training if "threads" in t})),
        ", ".join(sorted({str(m["cpu"]) for m in machines if "cpu" in m})),
        dates[0] if len(set(dates)) == 1 else f"{dates[0]} to {dates[-1]}" if dates else "",
    )
