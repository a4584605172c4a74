"""Every parameter of every learner and augmenter with every odd value: it is learned with, or refused in words."""

from __future__ import annotations

from collections import Counter

from fewlex.augment.registry import AUGMENTERS, augment
from fewlex.augment.registry import default_parameters as of_augmenter
from fewlex.config_layers import build_config
from fewlex.data import load
from fewlex.errors import FewlexError
from fewlex.lexicon import learn_lexicon
from fewlex.lexicon.learners import LEARNERS
from fewlex.lexicon.learners import default_parameters as of_learner
from fewlex.tables import parse_setting
from torture.figures import Row
from torture.limits import limit
from torture.surfaces import QUICK

VALUES = (
    "3", "0", "-1", "1000000000", "0.5", "1", "1.0", "-0.5", "1e-300", "1e300", "inf", "-inf", "nan", "true", "false",
    "''", "'nonsense'", "'C1'", "'union'", "[]", "[1]", "{}", "{a = 1}", "2020-01-01",
)  # fmt: skip
MANY_ROUNDS = {"iterations", "burn_in", "samples", "chains", "thinning"}
"""A learner that is told to take a thousand million rounds takes them, so it is not told."""
FILES = {"state", "trace_plot"}
"""These name files, which would be written into the working folder."""
LONG = 20
"""Seconds of computing for one value."""


def grid() -> Row:
    """All of them once, `watched`."""
    examples, tried, broken = load("colors")["train"], Counter[str](), list[str]()
    wanted = [("lexicon", method, name) for method in LEARNERS for name in of_learner(method)]
    wanted += [("augment", method, name) for method in AUGMENTERS for name in of_augmenter(method)]
    wanted += [("train", "", f"training.{name}") for name in vars(build_config().training)]
    for kind, method, name in wanted:
        for value in VALUES:
            if name in FILES or (name in MANY_ROUNDS and value == "1000000000"):
                continue
            setting = f"{name}={value}"
            tried[kind] += 1
            try:
                limit(LONG)
                if kind == "lexicon":
                    learn_lexicon(examples, method, **(QUICK.get(method, {}) | dict(parse_setting(setting))))
                elif kind == "augment":
                    augment(examples, method, parse_setting(setting))
                else:
                    build_config(settings=[setting])
            except FewlexError:
                continue
            except Exception as error:
                broken.append(f"{kind} {method} --set {setting}: {type(error).__name__}: {error}"[:120])
            finally:
                limit(0)
    count = tried.total()
    note = "; ".join(broken[:3]) or ", ".join(f"{number} of {kind}" for kind, number in tried.items())
    return Row(
        "every parameter with every odd value: used, or refused in words", count, count - len(broken), note
    )
