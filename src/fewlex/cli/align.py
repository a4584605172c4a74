"""`fewlex align` makes word alignments and can replace fast_align. It needs no torch."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.options import (
    BackendOption,
    SourceTokenizerOption,
    TargetTokenizerOption,
    WorkersOption,
    require_other_than,
    training_examples,
)
from fewlex.cli.screen import note, put, work_bar
from fewlex.errors import ConfigError
from fewlex.lexicon import Execution, Ibm2Settings
from fewlex.lexicon.alignment.links import HEURISTICS, format_pharaoh


def align(
    data: Annotated[
        str,
        typer.Argument(
            metavar="[DATA]",
            help="Lines `source ||| target`, or whatever `fewlex lexicon learn` reads; `-` is standard input.",
            show_default=False,
        ),
    ] = "-",
    input_file: Annotated[
        str | None, typer.Option("-i", help="Another way to give DATA.", hidden=True)
    ] = None,
    symmetrize: Annotated[
        str | None, typer.Option(help=f"Align in both directions: {', '.join(HEURISTICS)}. Default: forward.")
    ] = None,
    reverse: Annotated[bool, typer.Option("-r", "--reverse", help="Predict source from target.")] = False,
    favor_diagonal: Annotated[
        bool,
        typer.Option("-d", "--favor-diagonal", help="Prefer words at the same place in their sentences."),
    ] = False,
    optimize_tension: Annotated[
        bool, typer.Option("-o", "--optimize-tension", help="Learn how strongly to prefer them (with -d).")
    ] = False,
    variational_bayes: Annotated[
        bool, typer.Option("-v", "--variational-bayes", help="Use a Dirichlet prior on translations.")
    ] = False,
    iterations: Annotated[int, typer.Option("-I", "--iterations", help="Rounds of EM.")] = 5,
    null_prob: Annotated[float, typer.Option("-p", "--p0", help="Probability of having no source.")] = 0.08,
    no_null_word: Annotated[
        bool, typer.Option("-N", "--no-null-word", help="Give every word a source word.")
    ] = False,
    dirichlet: Annotated[float, typer.Option("-a", "--alpha", help="Strength of the prior of -v.")] = 0.01,
    tension: Annotated[
        float, typer.Option("-T", "--tension", help="Initial strength of the preference of -d.")
    ] = 4.0,
    save: Annotated[Path | None, typer.Option(help="Save the parameters in this .safetensors file.")] = None,
    parameters: Annotated[
        Path | None, typer.Option("--load", help="Align with saved parameters and learn nothing.")
    ] = None,
    source_tokenizer: SourceTokenizerOption = "whitespace",
    target_tokenizer: TargetTokenizerOption = "whitespace",
    backend: BackendOption = "threads",
    workers: WorkersOption = 0,
) -> None:
    """Align the words of sentence pairs, and print one line of links such as `0-0 1-2` for each pair.

    The options are those of fast_align, with the same defaults: `fewlex align corpus.txt -dov > forward.align`. One
    command can align in both directions: `fewlex align corpus.txt -dov --symmetrize grow-diag-final-and`.
    """
    if reverse and symmetrize:
        raise ConfigError("--reverse asks for one direction and --symmetrize for both. Leave one out.")
    heuristic = symmetrize or ("reverse" if reverse else "forward")
    settings = Ibm2Settings(
        iterations,
        favor_diagonal,
        optimize_tension,
        tension,
        0.0 if no_null_word else null_prob,
        variational_bayes,
        dirichlet,
    )
    from fewlex.lexicon.alignment.aligner import Aligner
    from fewlex.lexicon.alignment.bitext import Bitext, directions_of

    require_other_than(input_file or data, save, "--save")
    examples = training_examples(input_file or data, source_tokenizer, target_tokenizer)
    if parameters is not None:
        _print_links(Aligner.load(parameters).align(examples, heuristic))
        return
    with work_bar() as observe:
        execution = Execution(backend, workers, observe)
        with Bitext(examples, directions_of(heuristic), execution) as bitext:
            models = bitext.fit(settings)
            if save is not None:
                Aligner(bitext.source_ids, bitext.target_ids, models).save(save)
                note(f"saved the parameters in {save}")
            _print_links(bitext.align(models, heuristic))


def _print_links(links: Iterable[list[tuple[int, int]]]) -> None:
    """Print links in the order of fast_align, which is by target position."""
    for one in links:
        put(format_pharaoh(sorted(one, key=lambda link: link[::-1])))
