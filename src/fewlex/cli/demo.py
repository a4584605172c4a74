"""`fewlex demo` shows the paper's idea in a minute, on data that comes with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.screen import note, say, training_bar
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.data.colors import HUMAN_ACCURACY, PAPER_SIMPLE_ACCURACY
from fewlex.lexicon import Lexicon, finish, plot_heatmap, show_lexicon


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the run and the plot.")] = Path("runs/demo"),
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
) -> None:
    """Learn Colors from 14 examples, translate the 10 test examples, and compare with the paper and with humans.

    The word *zup* occurs once in training, alone. Can the model use it in a sentence?
    """
    import torch

    from fewlex.training import train
    from fewlex.translator import Translator

    torch.set_num_threads(1)  # A network of this size is faster on one core.
    corpus = load("colors")
    run = out / f"colors-seed{seed}"
    with training_bar("learning Colors from 14 examples") as observe:
        folder = train(corpus, build_config("fast", "colors", seed=seed), run, observe=observe)

    say("\nThe lexicon, learned from the same 14 examples by the rule Simple (§4.2):\n", bold=True)
    lexicon = Lexicon.load(run / "lexicon.json")
    show_lexicon(lexicon)
    plot = run / "lexicon.png"
    plot_heatmap(
        finish(lexicon, lexicon.sources, lexicon.targets, 0.1), plot, title="Colors, Simple, τ = 0.1"
    )

    translator = Translator.load(run)
    outputs = translator.translate_tokens([example.source for example in corpus["test"]])
    say("\nTest sentences:\n", bold=True)
    say(f"  {'':<30}{'fewlex':>8}{'paper':>8}{'humans':>8}")
    right = 0
    for example, n_best in zip(corpus["test"], outputs, strict=True):
        is_right = n_best[0].tokens == example.target
        right += is_right
        sentence = " ".join(example.source)
        figures = f"{PAPER_SIMPLE_ACCURACY[sentence]:>8.2f}{HUMAN_ACCURACY[sentence]:>8.2f}"
        say(f"  {sentence:<30}{'right' if is_right else 'wrong':>8}{figures}")
        if not is_right:
            say(f"      said: {n_best[0].text}", fg="bright_black")
    humans = sum(HUMAN_ACCURACY.values()) / len(HUMAN_ACCURACY)
    say(f"  {'all':<30}{right / len(outputs):>8.2f}{0.79:>8.2f}{humans:>8.2f}")

    seconds = folder.read_json("result.json")["seconds"]
    note(f"\ntrained in {seconds:.0f} s with seed {seed}; the run is in {run}, the heat map in {plot}")
    note(f"try next: echo 'zup fep kiki dax' | fewlex translate {run}")
