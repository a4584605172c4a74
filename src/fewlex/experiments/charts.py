"""Charts as SVG. They take their colours from the page, so that they suit its light and its dark theme."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from fewlex.experiments.figures import Curves, HeatMap, Trust
from fewlex.printable import as_html

WIDTH = 360
"""A chart is as wide as a phone, so that its text keeps its size there."""
DASHES = ("", "5 3", "2 2", "9 2 2 2")
COLOURS = 6


def colour(number: int) -> str:
    return f"var(--series-{number % COLOURS})"


def dash(number: int) -> str:
    """The dash pattern of a line. It tells lines apart that have the same colour, because colours are few."""
    pattern = DASHES[number // COLOURS % len(DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def line_chart(curves: Curves) -> str:
    """Draw lines over epochs. The y axis is logarithmic if the figure asks for it."""
    height, left, right, top, bottom = 220, 44, 8, 10, 30
    xs = [x for line in curves.lines for x in line.x]
    ys = [y for line in curves.lines for y in line.y if y > 0 or not curves.is_log]
    if not xs or not ys:
        return ""
    low, high = (math.log10(min(ys)), math.log10(max(ys))) if curves.is_log else (0.0, 1.0)
    low, high = (low, high) if high > low else (low - 0.5, low + 0.5)
    first, last = min(xs), max(max(xs), min(xs) + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        value = math.log10(max(y, 10**low)) if curves.is_log else y
        across = left + (x - first) / (last - first) * (WIDTH - left - right)
        return across, top + (high - value) / (high - low) * (height - top - bottom)

    parts = []
    for tick in _ticks(low, high, curves.is_log):
        _, y = place(first, tick)
        parts.append(f'<line class="grid" x1="{left}" x2="{WIDTH - right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{tick:.3g}</text>')
    for tick, anchor in ((first, "start"), (last, "end")):
        x, _ = place(tick, max(ys))
        parts.append(f'<text x="{x:.1f}" y="{height - 14}" text-anchor="{anchor}">{tick:.0f}</text>')
    parts.append(f'<text x="{(WIDTH + left) / 2}" y="{height - 14}" text-anchor="middle">epoch</text>')
    for line in curves.lines:
        number = line.number
        points = [place(x, y) for x, y in zip(line.x, line.y, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        stroke = f'stroke="{colour(number)}"{dash(number)}'
        parts.append(f'<polyline fill="none" {stroke} stroke-width="1.6" points="{path}"/>')
        if len(points) == 1:
            parts.append(
                f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="3" fill="{colour(number)}"/>'
            )
    return _svg(height, parts, curves.title) + legend({line.label: line.number for line in curves.lines})


def _ticks(low: float, high: float, is_log: bool) -> list[float]:
    if not is_log:
        return [0, 0.25, 0.5, 0.75, 1]
    powers = [10.0**k for k in range(math.ceil(low), math.floor(high) + 1)]
    return powers if len(powers) >= 2 else [10**low, 10 ** ((low + high) / 2), 10**high]


Pair = tuple[float | None, float | None]


def bar_chart(title: str, groups: Mapping[str, Mapping[str, Pair]]) -> str:
    """Draw groups of horizontal bars from 0 to 1. A small upright stroke marks the paper's number."""
    bar, gap, head, left, right = 12, 12, 16, 4, 36
    methods = list(next(iter(groups.values())))
    span = WIDTH - left - right
    parts, y = [], 4.0
    for group, pairs in groups.items():
        parts.append(f'<text x="{left}" y="{y + 10:.1f}">{as_html(group)}</text>')
        y += head
        for number, method in enumerate(methods):
            mine, paper = pairs[method]
            parts.append(f'<rect class="track" x="{left}" y="{y}" width="{span}" height="{bar - 2}"/>')
            if mine is not None:
                size = f'width="{span * mine:.1f}" height="{bar - 2}"'
                parts.append(f'<rect x="{left}" y="{y}" {size} fill="{colour(number)}"/>')
                parts.append(f'<text class="small" x="{left + span + 5}" y="{y + 9}">{mine:.2f}</text>')
            if paper is not None:
                x = left + span * paper
                parts.append(
                    f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{y - 1}" y2="{y + bar - 1}"/>'
                )
            y += bar
        y += gap
    return _svg(y, parts, title) + legend({method: i for i, method in enumerate(methods)})


def reliability_diagram(title: str, rows: Sequence[Trust]) -> str:
    """Draw the share of right answers over their confidence. On the diagonal, both are the same."""
    height, left, right, top, bottom = 250, 44, 14, 12, 36

    def place(confidence: float, accuracy: float) -> tuple[float, float]:
        return left + confidence * (WIDTH - left - right), height - bottom - accuracy * (
            height - top - bottom
        )

    (x1, y1), (x2, y2) = place(0, 0), place(1, 1)
    parts = [f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>']
    for tick in (0, 0.5, 1):
        x, y = place(tick, tick)
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
        parts.append(f'<text x="{x:.1f}" y="{height - 20}" text-anchor="middle">{tick:g}</text>')
    parts.append(f'<text x="{(WIDTH + left) / 2}" y="{height - 6}" text-anchor="middle">confidence</text>')
    for row in rows:
        points = [(place(bin_.confidence, bin_.accuracy), bin_.count) for bin_ in row.reliability.bins]
        path = " ".join(f"{x:.1f},{y:.1f}" for (x, y), _ in points)
        stroke = f'stroke="{colour(row.number)}"{dash(row.number)}'
        parts.append(f'<polyline fill="none" {stroke} stroke-width="1.2" points="{path}"/>')
        for (x, y), count in points:
            radius = 2 + 6 * math.sqrt(count / row.reliability.answers)
            tip = f"<title>{as_html(row.label)}: {count:,} answers</title>"
            circle = f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"'
            parts.append(f'<circle {circle} fill="{colour(row.number)}" fill-opacity="0.6">{tip}</circle>')
    return _svg(height, parts, f"{title}: right answers over confidence") + legend(
        {row.label: row.number for row in rows}
    )


def heat_map(map_: HeatMap, emphasis: tuple[int, int] | None = None) -> str:
    """Draw a table of words against words, in which likelier pairs have a stronger colour. One cell may be framed."""
    longest = max((len(row) for row in map_.rows), default=0)
    left, top = min(130, 14 + 6.2 * longest), 16 + 4.8 * max((len(c) for c in map_.columns), default=0)
    cell = max(9.0, min(20.0, (WIDTH - left - 6) / max(1, len(map_.columns))))
    parts = []
    for j, column in enumerate(map_.columns):
        x, y = left + (j + 0.6) * cell, top - 5
        turn = f'transform="rotate(-50 {x:.1f} {y:.1f})"'
        parts.append(f'<text class="small" x="{x:.1f}" y="{y:.1f}" {turn}>{as_html(column)}</text>')
    for i, row in enumerate(map_.rows):
        y = top + i * cell
        place = f'x="{left - 5:.1f}" y="{y + cell / 2 + 4:.1f}"'
        parts.append(f'<text class="small" {place} text-anchor="end">{as_html(row)}</text>')
        for j, value in enumerate(map_.values[i]):
            box = f'x="{left + j * cell:.1f}" y="{y:.1f}" width="{cell - 1:.1f}" height="{cell - 1:.1f}"'
            tip = f"<title>{as_html(row)}, {as_html(map_.columns[j])}: {value:.2f}</title>"
            parts.append(f'<rect class="track" {box}/>')
            if value > 0:
                parts.append(f'<rect class="heat" {box} fill-opacity="{min(1.0, value):.3f}">{tip}</rect>')
            if emphasis == (i, j):
                parts.append(f'<rect class="frame" {box}/>')
    width = max(WIDTH, left + cell * len(map_.columns) + 40)
    return _svg(top + cell * len(map_.rows) + 6, parts, map_.title, width)


def legend(numbers: Mapping[str, int]) -> str:
    items = "".join(
        f'<li><svg width="22" height="10" aria-hidden="true"><line x1="0" x2="22" y1="5" y2="5" '
        f'stroke="{colour(i)}"{dash(i)} stroke-width="3"/></svg>{as_html(label)}</li>'
        for label, i in numbers.items()
    )
    return f'<ul class="legend">{items}</ul>'


def _svg(height: float, parts: Sequence[str], title: str, width: float = WIDTH) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg {box} role="img" aria-label="{as_html(title)}">{"".join(parts)}</svg>'
