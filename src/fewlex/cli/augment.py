"""`fewlex augment` makes new examples from old ones and writes them as data. It needs no torch."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from fewlex.augment import AUGMENTERS, synthetic_count
from fewlex.augment import augment as make_examples
from fewlex.cli.options import (
    DataArgument,
    SourceTokenizerOption,
    TargetTokenizerOption,
    load_data,
    require_other_than,
)
from fewlex.cli.screen import note, put_into, work_bar
from fewlex.data.writers import examples_as_text
from fewlex.errors import ConfigError
from fewlex.tables import parse_setting


def augment(
    data: DataArgument,
    out: Annotated[str, typer.Option(help="A .tsv or .jsonl file; `-` = TSV on stdout.")] = "-",
    method: Annotated[str, typer.Option(help=f"The method: {', '.join(AUGMENTERS)}.")] = "geca",
    ratio: Annotated[
        float,
        typer.Option(help="Share of new examples among old and new together: 0.1 adds one to nine old ones."),
    ] = 0.1,
    seed: Annotated[int, typer.Option(help="Seed of the draw; another seed draws other examples.")] = 0,
    window: Annotated[
        int | None, typer.Option(help="Words around a gap that must agree; 0 = all.", show_default="0")
    ] = None,
    gaps: Annotated[
        int | None, typer.Option(help="Most spans of a fragment, on both sides together.", show_default="2")
    ] = None,
    size: Annotated[int | None, typer.Option(help="Most words of a span.", show_default="1")] = None,
    depth: Annotated[
        int | None,
        typer.Option(help="Most rules inside each other.", show_default="twice as in the data"),
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="Most source words.", show_default="twice as in the data")
    ] = None,
    source_tokenizer: SourceTokenizerOption = "whitespace",
    target_tokenizer: TargetTokenizerOption = "whitespace",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Other settings of the method: `max_occurrences=50`."
        ),
    ] = None,
) -> None:
    """Make new examples, by exchanging fragments that occur in a common environment, or by rules.

    The command reads the training split, cuts it into words, and writes pairs that are not in it. All
    pairs are different: `fewlex augment scan:jump --ratio 0.3 --out new.tsv`. To train on both:
    `fewlex train scan:jump --out run --set augmentation.method=new.tsv --set augmentation.ratio=0.3`.

    `--method rules` learns rules with holes and draws sentences from them that may be deeper and longer than those of
    the data: `fewlex augment colors --method rules --depth 4`.
    """
    if not 0 < ratio < 1:
        raise ConfigError(f"--ratio {ratio:g} makes no sense. Give a share between 0 and 1, such as 0.1.")
    shortcuts = {"window": window, "gaps": gaps, "size": size, "depth": depth, "length": length}
    parameters: dict[str, Any] = {name: value for name, value in shortcuts.items() if value is not None}
    for setting in settings or []:
        parameters.update(parse_setting(setting))
    require_other_than(data, out)
    examples = load_data(data, source_tokenizer, target_tokenizer)["train"]
    wanted = parameters.setdefault("limit", max(1, synthetic_count(len(examples), ratio)))
    with work_bar() as on_progress:
        new = make_examples(examples, method, parameters, seed=seed, on_progress=on_progress)
    put_into(out, examples_as_text(new, out))
    where = "" if out == "-" else f" in {out}"
    missing = f"; {wanted:,} were wanted, but no more were found" if len(new) < wanted else ""
    note(f"new examples: {len(new):,}{where}{missing}")
