"""The numbers that the paper reports in Tables 2 to 5 and 7."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reported:
    """The mean and the standard deviation of a cell. The paper gives no deviation for people."""

    mean: float
    deviation: float | None = None


def _row(columns: tuple[str, ...], *figures: tuple[float, float] | None) -> dict[str, Reported]:
    return {
        column: Reported(*figure)
        for column, figure in zip(columns, figures, strict=True)
        if figure is not None
    }


_TASKS = ("colors", "jump", "around-right", "cogs")

TABLE_2 = {
    "lstm": _row(_TASKS, (0.00, 0.00), (0.00, 0.00), (0.09, 0.05), (0.51, 0.05)),
    "geca": _row(_TASKS, (0.41, 0.11), (1.00, 0.00), (0.98, 0.02), (0.48, 0.05)),
    "syntactic-attention": _row(_TASKS, (0.57, 0.26), (0.57, 0.38), (0.28, 0.26), (0.15, 0.14)),
    "copy": _row(_TASKS, None, None, None, (0.66, 0.03)),
    "simple": _row(_TASKS, (0.79, 0.02), (0.92, 0.17), (0.95, 0.01), (0.82, 0.01)),
    "pmi": _row(_TASKS, (0.41, 0.19), (0.95, 0.08), (0.02, 0.04), (0.82, 0.00)),
    "ibm2": _row(_TASKS, (0.79, 0.02), (0.79, 0.27), (0.00, 0.00), (0.82, 0.00)),
    "bayesian": _row(_TASKS, (0.51, 0.21), (0.82, 0.21), (0.02, 0.04), (0.70, 0.04)),
}
"""Exact match, by method and task."""

_BAR = 8
"""A bar of the paper's Table 3 is eight times as wide as the accuracy it stands for."""


def _bars(*figures: tuple[float, float]) -> dict[str, Reported]:
    methods = ("lstm", "copy", "simple")
    scaled = [(round(mean / _BAR, 4), round(deviation / _BAR, 4)) for mean, deviation in figures]
    return _row(methods, *scaled)


TABLE_3 = {
    "primitive → {subj, obj, inf}": _bars((2.8, 1.5), (7.464, 0.069), (7.42, 0.12)),
    "active → passive": _bars((7.74, 0.37), (4.5, 3.2), (7.9968, 0.0053)),
    "obj PP → subj PP": _bars((0, 0), (0, 0), (0, 0)),
    "passive → active": _bars((1.8, 1.6), (3.7, 2.2), (7.9896, 0.0095)),
    "recursion": _bars((0.166, 0.050), (0.007, 0.011), (0.054, 0.065)),
    "unacc → transitive": _bars((1.2, 2.3), (0.004, 0.012), (7.9928, 0.0091)),
    "obj → subj proper": _bars((4.4, 3.5), (7.958, 0.014), (7.972, 0.026)),
    "subj → obj common": _bars((6.2, 1.3), (7.926, 0.035), (7.945, 0.023)),
    "PP dative ↔ obj dative": _bars((7.798, 0.080), (6.0, 1.4), (7.942, 0.033)),
    "all": _bars((4.08, 0.44), (5.27, 0.24), (6.567, 0.043)),
}
"""Exact match on COGS, by group of categories and method."""

_SETS = ("full", "1-shot")

TABLE_4 = {
    "lstm": _row(_SETS, (24.18, 0.37), (17.47, 0.64)),
    "geca": _row(_SETS, (23.90, 0.55), (17.94, 0.43)),
    "pmi": _row(_SETS, (24.36, 0.09), (18.46, 0.13)),
    "simple": _row(_SETS, (24.35, 0.09), (18.46, 0.19)),
    "ibm2": _row(_SETS, (25.49, 0.42), (19.62, 0.64)),
}
"""BLEU × 100 from English to Chinese, by method."""

TABLE_5 = {
    "lstm": Reported(0.51, 0.06),
    "uniform": Reported(0.56, 0.07),
    "simple": Reported(0.82, 0.01),
    "soft": Reported(0.83, 0.00),
    "learned": Reported(0.83, 0.01),
}
"""Exact match on COGS, by ablation."""

_CONTENDERS = ("simple", "bayesian", "geca", "syntactic-attention")
_SURE, _NEVER = (1.0, 0.0), (0.0, 0.0)

TABLE_7 = {
    "zup fep": (_row(_CONTENDERS, _SURE, (0.88, 0.33), _SURE, (0.7, 0.5)), 0.88),
    "zup kiki dax": (_row(_CONTENDERS, _SURE, (0.88, 0.33), _SURE, (0.7, 0.5)), 0.86),
    "wif kiki zup": (_row(_CONTENDERS, _SURE, (0.8, 0.4), _SURE, (0.8, 0.4)), 0.86),
    "dax blicket zup": (_row(_CONTENDERS, _SURE, (0.88, 0.33), _SURE, (0.8, 0.4)), 0.88),
    "zup blicket lug": (_row(_CONTENDERS, (0.94, 0.24), (0.8, 0.4), _SURE, (0.8, 0.4)), 0.79),
    "wif kiki zup fep": (_row(_CONTENDERS, _SURE, (0.3, 0.5), _NEVER, (0.4, 0.5)), 0.85),
    "zup fep kiki lug": (_row(_CONTENDERS, _SURE, (0.2, 0.4), _NEVER, (0.8, 0.4)), 0.85),
    "lug kiki wif blicket zup": (_row(_CONTENDERS, _SURE, (0.4, 0.5), _NEVER, (0.4, 0.5)), 0.65),
    "zup blicket wif kiki dax fep": (_row(_CONTENDERS, _NEVER, _NEVER, _NEVER, _NEVER), 0.70),
    "zup blicket zup kiki zup fep": (_row(_CONTENDERS, _NEVER, _NEVER, _NEVER, _NEVER), 0.75),
}
"""Share of seeds that answer a Colors test example rightly, by method, and the share of people who do.

The deviation of Syntactic Attention on `wif kiki zup fep` is garbled in the paper (`0.00 5`). It is taken as 0.5 here.
"""
