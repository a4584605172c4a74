"""What this machine's processor is, as far as the system tells. Needs no torch."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

INFO = Path("/proc/cpuinfo")
BFLOAT16 = frozenset({"avx512_bf16", "amx_bf16", "bf16"})
"""The names that x86 and ARM processors have for products of bfloat16 numbers."""


@cache
def processor_name() -> str:
    """The model of the processor, if the system tells it."""
    return _told("model name") or platform.processor() or platform.machine()


@cache
def multiplies_bfloat16() -> bool:
    """True if the processor has instructions for bfloat16, which are about twice as fast as those for float32.

    Others only imitate it, which is slower.
    """
    return not BFLOAT16.isdisjoint((_told("flags") or _told("Features")).split())


def _told(name: str) -> str:
    """What the system says about the first processor; '' where it says nothing."""
    if INFO.exists():
        for line in INFO.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return ""
