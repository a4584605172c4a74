"""The text of a report's numbers, which is the same in every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fewlex.experiments.figures import Trust
from fewlex.experiments.plan import duration
from fewlex.experiments.report import ReportCell, ReportTable, Times
from fewlex.experiments.statistics import ALPHA

TRUST_HEADS = ("task", "method", "answers", "calibration error")
TRUST_TEXT = (
    "Each answer has a confidence, which was fitted to validation examples like those of training. Where points lie "
    "below the diagonal, the network is surer than it should be. The calibration error is the mean distance between "
    "confidence and accuracy. A test of generalization differs from validation, so a network that fails it does not "
    "know that it fails."
)
TIMES_HEADS = (
    "run",
    "seeds",
    "training, mean",
    "evaluation, mean",
    "peak memory",
    "threads",
    "processor",
    "date",
)
METHOD_OF_NUMBERS = (
    "Mean ± standard deviation over seeds (of a sample), in brackets the highest and the number of seeds; below, the "
    "paper's number and the difference to it."
)


def ours(cell: ReportCell, made: ReportTable) -> str:
    """Our number as text, such as `0.80 ± 0.00 (0.80; 16)`, or a dash if there is no run."""
    if cell.summary is None:
        return "failed" if cell.failed else "–"
    scale, summary = made.table.scale, cell.summary
    digits = made.table.digits
    mean, highest = f"{summary.mean * scale:.{digits}f}", f"{summary.maximum * scale:.{digits}f}"
    deviation = "" if summary.deviation is None else f" ± {summary.deviation * scale:.{digits}f}"
    failed = f"; {cell.failed} failed" if cell.failed else ""
    return f"{mean}{deviation} ({highest}; {summary.seeds}{failed})"


def theirs(cell: ReportCell, made: ReportTable) -> str:
    """The paper's number as text, such as `paper 0.79 ± 0.02, +0.01`; empty if the paper has none."""
    if cell.paper is None:
        return ""
    deviation = "" if cell.paper.deviation is None else f" ± {cell.paper.deviation:.2f}"
    difference = ""
    if cell.summary is not None:
        difference = f", {cell.summary.mean * made.table.scale - cell.paper.mean:+.2f}"
    return f"paper {cell.paper.mean:.2f}{deviation}{difference}"


def is_bold(cell: ReportCell) -> bool:
    """True if the number is not significantly worse than the best of its column; the paper prints those in bold."""
    return cell.verdict in ("best", "as good", "better")


def legend(made: ReportTable) -> list[str]:
    """Sentences that explain the type and the signs of a table."""
    told = []
    if made.test:
        told.append(
            f"Bold: not significantly worse than the best of the paper's rows in the column (p < {ALPHA}; {made.test}, "
            "pooled over the seeds that both have; two-sided). ▲: significantly better than it on these seeds. Not "
            "bold: worse on these seeds, or marked (?) where no test was possible, because the two share no seed or do "
            "not record single examples."
        )
    if any(row.is_ours for row in made.rows):
        told.append("Rows in italics are this project's own, not the paper's.")
    return told


def sign(cell: ReportCell, made: ReportTable) -> str:
    if made.table.is_compared and cell.summary is not None and cell.verdict == "" and made.test:
        return "?"
    return "▲" if cell.verdict == "better" else ""


def how_compared(cell: ReportCell) -> str:
    """The comparison as text, such as `p = 0.0004, 3 seeds`; empty if nothing was compared."""
    test = cell.comparison
    return f"p = {test.p:.2g}, {test.seeds} seed{'s' if test.seeds > 1 else ''}" if test else ""


def remarks(made: ReportTable) -> dict[str, str]:
    """The footnotes of a table: each remark with its letter."""
    found = dict.fromkeys(r for row in made.rows for cell in row.cells.values() for r in cell.remarks)
    return dict(zip(found, "abcdefgh", strict=False))


def trust_rows(trust: Mapping[str, Sequence[Trust]]) -> list[list[str]]:
    return [
        [task, row.label, f"{row.reliability.answers:,}", f"{row.reliability.error:.3f}"]
        for task, rows in trust.items()
        for row in rows
    ]


def times_row(times: Times) -> list[str]:
    return [
        times.experiment,
        str(times.seeds),
        duration(times.training.mean),
        duration(times.evaluation.mean) if times.evaluation else "–",
        f"{times.memory_mib} MiB",
        times.threads,
        times.machine or "–",
        times.dates or "–",
    ]
