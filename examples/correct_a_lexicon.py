"""Learn a lexicon, find what is wrong with it, correct it, and keep both versions apart.

    python examples/correct_a_lexicon.py

This needs no network and takes no time: a lexicon is a table of words that people can read. In the seven sentences
below *big* occurs only beside *dog*, so the learner cannot tell which of the two words means *chien*.
"""

from __future__ import annotations

import sys
from pathlib import Path

import fewlex

SENTENCES = (
    ("the cat sleeps", "le chat dort"),
    ("the cat eats", "le chat mange"),
    ("a cat sees", "un chat voit"),
    ("the big dog sleeps", "le grand chien dort"),
    ("a big dog eats", "un grand chien mange"),
    ("a pig sees", "un cochon voit"),
    ("the pig sleeps", "le cochon dort"),
)


def main(out: Path) -> None:
    examples = [fewlex.Example(tuple(s.split()), tuple(t.split())) for s, t in SENTENCES]
    learned = fewlex.learn_lexicon(examples, "simple")
    for word in ("cat", "big", "dog"):
        print(f"{word} means {', '.join(learned.row(word)) or 'nothing yet'}")

    corrected = learned.copy()
    corrected.remove("big", "chien")
    corrected.remove("dog", "grand")
    difference = learned.diff(corrected)
    for source, target, _ in difference.removed:
        print(f"no longer: {source} means {target}")

    out.mkdir(parents=True, exist_ok=True)
    corrected.save(out / "lexicon.json")  # `fewlex train DATA --set lexicon.method=lexicon.json` uses it
    print(f"kept {len(fewlex.Lexicon.load(out / 'lexicon.json'))} of {len(learned)} entries")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/examples"))
