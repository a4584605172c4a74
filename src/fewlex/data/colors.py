"""Colors (Lake et al. 2019): 14 examples to learn from, 10 to be tested on, as in the paper's appendix.

*dax*, *lug*, *wif* and *zup* name colours; `x fep` = x x x, `x blicket y` = x y x, `x kiki y` = y x.
"""

from __future__ import annotations

from fewlex.data.example import Example

_TRAIN = """\
dax = RED
lug = BLUE
wif = GREEN
zup = YELLOW
lug fep = BLUE BLUE BLUE
dax fep = RED RED RED
lug blicket wif = BLUE GREEN BLUE
wif blicket dax = GREEN RED GREEN
lug kiki wif = GREEN BLUE
dax kiki lug = BLUE RED
lug fep kiki wif = GREEN BLUE BLUE BLUE
wif kiki dax blicket lug = RED BLUE RED GREEN
lug kiki wif fep = GREEN GREEN GREEN BLUE
wif blicket dax kiki lug = BLUE GREEN RED GREEN
"""

_TEST = """\
zup fep = YELLOW YELLOW YELLOW
zup kiki dax = RED YELLOW
wif kiki zup = YELLOW GREEN
zup blicket lug = YELLOW BLUE YELLOW
dax blicket zup = RED YELLOW RED
wif kiki zup fep = YELLOW YELLOW YELLOW GREEN
zup fep kiki lug = BLUE YELLOW YELLOW YELLOW
lug kiki wif blicket zup = GREEN YELLOW GREEN BLUE
zup blicket wif kiki dax fep = RED RED RED YELLOW GREEN YELLOW
zup blicket zup kiki zup fep = YELLOW YELLOW YELLOW YELLOW YELLOW YELLOW
"""

HUMAN_ACCURACY = {
    "zup fep": 0.88,
    "zup kiki dax": 0.86,
    "wif kiki zup": 0.86,
    "zup blicket lug": 0.79,
    "dax blicket zup": 0.88,
    "wif kiki zup fep": 0.85,
    "zup fep kiki lug": 0.85,
    "lug kiki wif blicket zup": 0.65,
    "zup blicket wif kiki dax fep": 0.70,
    "zup blicket zup kiki zup fep": 0.75,
}
"""The share of people who got each test example right (Lake et al. 2019, in the paper's appendix)."""

PAPER_SIMPLE_ACCURACY = {
    "zup fep": 1.0,
    "zup kiki dax": 1.0,
    "wif kiki zup": 1.0,
    "zup blicket lug": 0.94,
    "dax blicket zup": 1.0,
    "wif kiki zup fep": 1.0,
    "zup fep kiki lug": 1.0,
    "lug kiki wif blicket zup": 1.0,
    "zup blicket wif kiki dax fep": 0.0,
    "zup blicket zup kiki zup fep": 0.0,
}
"""The share of the paper's 16 seeds that get each test example right with the Simple lexicon (same table)."""


def splits() -> dict[str, tuple[Example, ...]]:
    """The 14 training and the 10 test examples."""
    return {"train": _examples(_TRAIN), "test": _examples(_TEST)}


def _examples(table: str) -> tuple[Example, ...]:
    rows = [line.split(" = ") for line in table.splitlines()]
    return tuple(
        Example(tuple(source.split()), tuple(target.split()), index=index)
        for index, (source, target) in enumerate(rows)
    )
