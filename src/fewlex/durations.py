"""Times as people write them: `90s`, `20m`, `1.5h` or `2d`."""

from __future__ import annotations

import math
import re

from fewlex.errors import ConfigError

SECONDS_OF = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)([smhd])")


def parse_duration(text: str) -> float:
    """The seconds of a duration: a plain number, directly followed by `s`, `m`, `h` or `d`; spaces around it are fine.

    Zero is not a duration, because whoever gives a time budget wants something done in it.
    """
    match = _DURATION.fullmatch(text.strip())
    seconds = float(match[1]) * SECONDS_OF[match[2]] if match else 0.0
    if not 0 < seconds < math.inf:
        raise ConfigError(f"{text!r} is not a time above 0. Write it as 90s, 20m, 1.5h or 2d.")
    return seconds
