"""Translate with a glossary that counts for one call only, and see where each output word comes from.

    python examples/use_a_glossary.py

A glossary changes neither the run nor the lexicon: `with_glossary` gives a second translator that shares the network.
With `required=True` the glossary's words must appear, even where the network would rather write something else.
"""

from __future__ import annotations

import sys
from pathlib import Path

import fewlex

HERE = Path(__file__).parent
COMMAND = "open the door and lock the portcullis"


def main(out: Path) -> None:
    corpus = fewlex.load(HERE / "commands.tsv")
    config = fewlex.build_config("fast", settings=["training.epochs=60", "data.validation_share=0"])
    run = fewlex.train(corpus, config, out / "commands")
    translator = fewlex.Translator.load(run.path)

    glossary = fewlex.Lexicon()
    glossary.set("portcullis", "PORTCULLIS")
    glossary.set("door", "DOOR-2")
    with_terms = translator.with_glossary(glossary, required=True)

    print("with glossary:", with_terms.translate(COMMAND))
    print("without it:   ", translator.translate("open the door"))
    (best, *_), *_ = with_terms.translate_lines([COMMAND])
    for origin in best.origins:
        print(f"{origin.token:<12}{origin.how} from {origin.source}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/examples"))
