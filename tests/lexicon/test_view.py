from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from fewlex.data.example import Example
from fewlex.errors import LexiconError
from fewlex.lexicon import Entry, Lexicon, finish, learn_lexicon, plot_heatmap, show_lexicon
from fewlex.lexicon.view import _columns_of

MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


def shown(lexicon: Lexicon, **options: int) -> str:
    text = io.StringIO()
    show_lexicon(lexicon, Console(file=text, width=100), **options)
    return text.getvalue()


def test_show_puts_the_best_translation_first() -> None:
    lexicon = Lexicon([("dax", "[red]", Entry(1, "pmi")), ("dax", "PINK", Entry(2.5))])
    assert "PINK (2.5), [red] (1)" in shown(lexicon)
    assert "pmi, person" in shown(lexicon)


def test_show_says_how_much_it_leaves_out() -> None:
    lexicon = Lexicon((f"s{i}", f"t{j}", Entry(1)) for i in range(50) for j in range(8))
    text = shown(lexicon, max_rows=10)
    assert "… and 40 more source words" in text
    assert "… 3 more" in text
    assert "s10" not in text


@pytest.mark.parametrize("image_format", MAGIC)
def test_plot_formats(tmp_path: Path, colors: list[Example], image_format: str) -> None:
    path = tmp_path / f"heat.{image_format}"
    finished = finish(
        learn_lexicon(colors), ["dax", "lug", "wif", "zup", "fep"], ["RED", "BLUE", "GREEN", "YELLOW"]
    )
    plot_heatmap(finished, path, title="Colors")
    assert path.read_bytes().startswith(MAGIC[image_format])


def test_plot_of_many_words_odd_glyphs_and_dollar_signs(tmp_path: Path) -> None:
    lexicon = Lexicon((f"${i}$_", f"土星{i}", Entry(1)) for i in range(60))
    plot_heatmap(lexicon, tmp_path / "heat.png", title="$x$ 土星")
    assert (tmp_path / "heat.png").stat().st_size > 1000


def test_plots_that_make_no_sense(tmp_path: Path, colors: list[Example]) -> None:
    with pytest.raises(LexiconError, match="png, svg, pdf"):
        plot_heatmap(learn_lexicon(colors), tmp_path / "heat.gif")
    with pytest.raises(LexiconError, match="nothing to plot"):
        plot_heatmap(Lexicon(), tmp_path / "heat.png")


def test_a_drawn_row_has_its_column() -> None:
    """With many words, rows that were drawn used to lose the column of their translation to other rows."""
    rows = [(f"s{i}", f"t{j}", Entry(1.0 + j)) for i in range(3) for j in (2 * i, 2 * i + 1)]
    finished = finish(Lexicon(rows), [f"s{i}" for i in range(3)], [f"t{i}" for i in range(6)], 0.1)
    others = [f"t{i}" for i in range(6)]
    assert _columns_of(finished, ["s1", "s2"], others, 4) == ["t3", "t5", "t2", "t4"]
