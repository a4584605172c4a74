"""A plot of scores: exact match by group and by category as bars, with other results beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fewlex.confidence import Reliability
from fewlex.errors import DataError
from fewlex.evaluation import Scores
from fewlex.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURE_FORMATS = ("png", "svg", "pdf")
BAR_INCHES = 0.14
ALL = "all"
OWN_COLOR = "#2166ac"
OTHER_COLORS = ("#d9d9d9", "#a6a6a6", "#737373")

Series = Mapping[str, Mapping[str, float]]
"""Results to compare with. For each name they have the exact match by group, and over all examples under `all`."""


def plot_reliability(found: Reliability, path: Path | str) -> None:
    """Draw accuracy over confidence; the area of a dot is its share of the answers, and the diagonal is perfection."""
    from matplotlib.figure import Figure

    path, image_format = _figure_path(path)
    figure = Figure(figsize=(4, 4), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    axes.scatter(
        [row.confidence for row in found.bins],
        [row.accuracy for row in found.bins],
        s=[20 + 400 * row.count / found.answers for row in found.bins],
        color=OWN_COLOR,
        alpha=0.7,
    )
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(-0.03, 1.03)
    axes.set_xlabel("confidence", fontsize=9)
    axes.set_ylabel("share of right answers", fontsize=9)
    axes.set_title(f"calibration error {found.error:.3f}", fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    with atomic_write(path) as file:
        figure.savefig(file, format=image_format, dpi=200)


def _figure_path(path: Path | str) -> tuple[Path, str]:
    """The path of a figure, and its format by its ending."""
    path = Path(path)
    image_format = path.suffix.removeprefix(".").lower()
    if image_format not in FIGURE_FORMATS:
        raise DataError(
            f"{path}: a plot is a {', '.join(FIGURE_FORMATS)} file. Give its name one of these endings."
        )
    return path, image_format


def plot_categories(
    scores: Scores, path: Path | str, *, name: str = "this run", reference: Series | None = None
) -> None:
    """Draw exact match over all examples, by the paper's groups and by category. `reference` adds bars beside ours."""
    from matplotlib.figure import Figure

    path, image_format = _figure_path(path)
    series = {**(reference or {}), name: {ALL: scores.exact_match, **scores.by_group}}
    groups, categories = [ALL, *scores.by_group], list(scores.by_category)
    heights = [BAR_INCHES * (len(series) + 1) * len(groups), 1.6 * BAR_INCHES * len(categories)]
    figure = Figure(figsize=(7, 1.2 + sum(heights)), layout="constrained")
    shown = 2 if categories else 1
    panels = figure.subplots(shown, 1, squeeze=False, height_ratios=heights[:shown], sharex=True)[:, 0]
    _draw_bars(panels[0], groups, series)
    if reference:
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(
            handles, names, loc="outside upper center", ncols=len(series), frameon=False, fontsize=8
        )
    if categories:
        _draw_bars(panels[1], categories, {name: scores.by_category})
    panels[-1].set_xlabel("exact match", fontsize=9)
    with atomic_write(path) as file:
        figure.savefig(file, format=image_format, dpi=200)


def _draw_bars(axes: Axes, labels: Sequence[str], series: Series) -> None:
    """Draw one row for each label, from top to bottom. A row has a bar for each series; ours is the last and lowest."""
    height = 0.8 / len(series)
    for number, (name, values) in enumerate(series.items()):
        is_own = number == len(series) - 1
        rows = [i for i, label in enumerate(labels) if label in values]
        bars = axes.barh(
            [row + (number + 0.5) * height - 0.4 for row in rows],
            [values[labels[row]] for row in rows],
            height,
            label=name,
            color=OWN_COLOR if is_own else OTHER_COLORS[number % len(OTHER_COLORS)],
        )
        axes.bar_label(bars, fmt="{:.2f}", padding=2, fontsize=7, color="black" if is_own else "0.4")
    axes.set_yticks(range(len(labels)), labels, fontsize=8, parse_math=False)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.set_xlim(0, 1.08)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.tick_params(length=0, labelsize=8)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.grid(axis="x", color="0.92")
    axes.set_axisbelow(True)
