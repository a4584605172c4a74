"""The shortest way from pairs to a translator: `fewlex.fit(pairs).predict(texts)`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fewlex.config_layers import AUTO
from fewlex.data.own import corpus_of
from fewlex.preparing import prepare
from fewlex.recipe import plan
from fewlex.translator import Translator


def fit(
    data: Any,
    out: Path | str | None = None,
    *,
    preset: str = AUTO,
    settings: Iterable[str] = (),
    seed: int = 0,
    source_tokenizer: str = "",
    target_tokenizer: str = "",
    device: str = "cpu",
) -> Translator:
    """Learn to translate from pairs of texts, a data frame, the path of a file or folder, or a `Corpus`.

    What is learned and for how long follows from the data (docs/recipe.md) unless `preset` or `settings` say otherwise,
    as in `fewlex train`. So does how texts are cut into tokens, unless a tokenizer is named. The run is kept in the
    folder `out`; without it, only the translator is left.
    """
    if out is None:
        with tempfile.TemporaryDirectory(prefix="fewlex-") as folder:
            return fit(
                data,
                Path(folder) / "run",
                preset=preset,
                settings=settings,
                seed=seed,
                source_tokenizer=source_tokenizer,
                target_tokenizer=target_tokenizer,
                device=device,
            )
    tokenizers = {"source_tokenizer": source_tokenizer, "target_tokenizer": target_tokenizer}
    given = {side: tokenizer for side, tokenizer in tokenizers.items() if tokenizer}
    settings = [*(f"data.{side}={tokenizer!r}" for side, tokenizer in given.items()), *settings]
    planned = plan(corpus_of(data, **given), preset, settings=settings, seed=seed)
    corpus = planned.corpus
    if planned.config.rules.alone:
        prepare(corpus, planned.config, out, rules=planned.rules).begin()
    else:
        from fewlex.training import train

        train(corpus, planned.config, out, rules=planned.rules, device=device)
    return Translator.load(out, device)
