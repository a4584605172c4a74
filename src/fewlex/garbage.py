"""Loading a million rows without looking for garbage among them, which would take as long as the loading itself.

Python looks through all objects each time that their number has grown by a quarter. While a file is loaded nearly
everything that is made stays, so nothing is found.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage within this block; afterwards all is as it was, also if several threads do this at once."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
