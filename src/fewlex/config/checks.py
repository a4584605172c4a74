"""How a section of the settings checks itself."""

from __future__ import annotations

from collections.abc import Iterable

from fewlex.errors import ConfigError


def require(holds: bool, problem: str) -> None:
    if not holds:
        raise ConfigError(f"{problem}.")


def require_positive(section: object, where: str, names: Iterable[str]) -> None:
    for name in names:
        require(getattr(section, name) > 0, f"{where}.{name} must be positive")


def require_share(section: object, where: str, names: Iterable[str]) -> None:
    """A share or a probability, of which 1 would leave nothing."""
    for name in names:
        require(0 <= getattr(section, name) < 1, f"{where}.{name} must be in [0, 1)")
