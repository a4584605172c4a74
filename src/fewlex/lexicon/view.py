"""Looking at lexicons: a table in the terminal, and the paper's heat map."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fewlex.errors import LexiconError
from fewlex.files import atomic_write
from fewlex.lexicon.entry import Entry
from fewlex.lexicon.finishing import FinishedLexicon, finish
from fewlex.lexicon.lexicon import Lexicon
from fewlex.printable import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

FIGURE_FORMATS = ("png", "svg", "pdf")
FIGURE_TEMPERATURE = 0.1
"""τ of the paper's figures."""
CELL_INCHES = 0.3
TARGETS_SHOWN = 5
CJK_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Arial Unicode MS",
    "Droid Sans Fallback",
)


def show_lexicon(lexicon: Lexicon, console: Console | None = None, max_rows: int = 40) -> None:
    """Print a lexicon as a table, in which the best translation of each word comes first."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("source", "translations", "origin", box=None, header_style="bold", pad_edge=False)
    for source in lexicon.sources[:max_rows]:
        row = lexicon.row(source)
        origins = ", ".join(dict.fromkeys(entry.origin for entry in row.values()))
        cells = (printable(text) for text in (source, _translations(row), origins))
        table.add_row(*(Text(cell, style="dim" if i == 2 else "") for i, cell in enumerate(cells)))
    hidden = len(lexicon.sources) - max_rows
    console = console or Console()
    console.print(table)
    if hidden > 0:
        console.print(f"… and {hidden:,} more source words", style="dim")


def _translations(row: Mapping[str, Entry]) -> str:
    """The heaviest translations of a row with their weights, and how many more there are."""
    heaviest = sorted(row, key=lambda target: -row[target].weight)
    shown = ", ".join(f"{target} ({row[target].weight:.4g})" for target in heaviest[:TARGETS_SHOWN])
    hidden = len(row) - TARGETS_SHOWN
    return f"{shown}, … {hidden:,} more" if hidden > 0 else shown


def plot_heatmap(
    lexicon: Lexicon | FinishedLexicon, path: Path | str, *, title: str = "", max_words: int = 40
) -> None:
    """Draw L as in the paper's figures, with a row for each source word; darker cells are likelier translations.

    A lexicon that is not finished is first finished over its own words with τ = 0.1. Each axis shows at most
    `max_words` words. The columns that the drawn rows need come before all others, so that no drawn row looks empty.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    image_format = figure_format(path)
    if isinstance(lexicon, Lexicon):
        lexicon = finish(lexicon, lexicon.sources, lexicon.targets, FIGURE_TEMPERATURE)
    all_sources, all_targets = _words_to_draw(lexicon)
    if not (all_sources and all_targets):
        raise LexiconError("an empty lexicon has nothing to plot. Learn one or add an entry first.")
    sources = all_sources[:max_words]
    targets = _columns_of(lexicon, sources, all_targets, max_words)
    note = _hidden_words(len(all_sources) - len(sources), len(all_targets) - len(targets))
    with rc_context({"font.family": _font_families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(layout="constrained")
        _draw(figure, lexicon, sources, targets)
        figure.suptitle(title, fontsize=11, parse_math=False)
        figure.supxlabel(note, fontsize=8, color="0.45")
        with atomic_write(path) as file:
            figure.savefig(file, format=image_format, dpi=200, bbox_inches="tight", pad_inches=0.15)


def figure_format(path: Path | str) -> str:
    """The format that the ending of a file's name asks for, if figures can be drawn in it."""
    image_format = Path(path).suffix.removeprefix(".").lower()
    if image_format not in FIGURE_FORMATS:
        raise LexiconError(
            f"{path}: a figure is a {', '.join(FIGURE_FORMATS)} file. Give its name one of these endings."
        )
    return image_format


def _words_to_draw(lexicon: FinishedLexicon) -> tuple[list[str], list[str]]:
    """The source words, known rows first, and the target words that they lead to, best translations first."""
    sources = [*lexicon.rows, *sorted(lexicon.background_rows)]
    best = [next(iter(row)) for row in lexicon.rows.values()]
    others = [target for row in lexicon.rows.values() for target in row]
    background = lexicon.background if lexicon.background_rows else ()
    return sources, list(dict.fromkeys((*best, *others, *background)))


def _columns_of(
    lexicon: FinishedLexicon, sources: Sequence[str], targets: Sequence[str], max_words: int
) -> list[str]:
    """The best translation of every drawn row, what else these rows lead to, and other words while there is room."""
    rows = [lexicon.rows[source] for source in sources if source in lexicon.rows]
    best = [next(iter(row)) for row in rows]
    others = [target for row in rows for target in row]
    return list(dict.fromkeys((*best, *others, *targets)))[:max_words]


def _hidden_words(sources: int, targets: int) -> str:
    """A note about the words that a figure does not show; empty if it shows all."""
    hidden = [f"{n:,} more {side} words" for n, side in ((sources, "source"), (targets, "target")) if n > 0]
    return f"not shown: {' and '.join(hidden)}" if hidden else ""


def _draw(figure: Figure, lexicon: FinishedLexicon, sources: Sequence[str], targets: Sequence[str]) -> None:
    figure.set_size_inches(2.4 + CELL_INCHES * len(targets), 1.7 + CELL_INCHES * len(sources))
    axes = figure.add_subplot()
    rows = map(lexicon.probs, sources)
    probs = [[row.get(target, 0.0) for target in targets] for row in rows]
    image = axes.imshow(probs, cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
    axes.set_xticks(range(len(targets)), targets, fontsize=9, parse_math=False)
    axes.set_yticks(range(len(sources)), sources, fontsize=9, parse_math=False)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    for label in axes.get_xticklabels():
        label.set(rotation=45, ha="left", va="bottom", rotation_mode="anchor")
    axes.set_xticks([i + 0.5 for i in range(len(targets) - 1)], minor=True)
    axes.set_yticks([i + 0.5 for i in range(len(sources) - 1)], minor=True)
    axes.tick_params(which="minor", length=0)
    axes.grid(which="minor", color="0.88", linewidth=0.6)
    axes.spines[:].set_color("0.7")
    bar = figure.colorbar(image, ax=axes, shrink=min(0.6, 5 / len(sources)), aspect=12, ticks=[0, 0.5, 1])
    bar.outline.set_visible(False)
    bar.set_label("probability", fontsize=8)
    bar.ax.tick_params(labelsize=8, length=0)


def _font_families() -> list[str]:
    """Matplotlib's own font, and after it the fonts on this machine that can write Chinese, Japanese and Korean."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(name for name in CJK_FONTS if name in installed)]
