"""Train on 100 commands, then teach the trained model a word it has never seen.

    python examples/teach_a_word.py

The word *vault* is in no training command, and VAULT is no word that the network can write. After one call of
`teach` the model uses it in every kind of command, because a taught word needs only a row of the lexicon.
"""

from __future__ import annotations

import sys
from pathlib import Path

import fewlex

HERE = Path(__file__).parent
NEW_COMMANDS = ("open the vault", "lock the vault twice", "paint the gate after close the vault")


def main(out: Path) -> None:
    corpus = fewlex.load(HERE / "commands.tsv")
    config = fewlex.build_config("fast", settings=["training.epochs=60", "data.validation_share=0"])
    run = fewlex.train(corpus, config, out / "commands")
    translator = fewlex.Translator.load(run.path)

    print("before:", translator.translate("open the vault"))
    translator.teach("vault", "VAULT")
    for command in NEW_COMMANDS:
        print(f"{command}: {translator.translate(command)}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/examples"))
