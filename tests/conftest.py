"""Shapes are checked here and nowhere else: jaxtyping annotations come alive under test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from jaxtyping import install_import_hook

install_import_hook(["fewlex.model", "fewlex.decoding"], "beartype.beartype")


# How long a case takes says something about the machine, nothing about the code.
settings.register_profile("fewlex", deadline=None)
settings.load_profile("fewlex")


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with the published data sets."""
    folder = os.environ.get("FEWLEX_DATA")
    if not folder:
        pytest.skip("FEWLEX_DATA does not point at the published data sets")
    return Path(folder).resolve()


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    """Test processes run side by side, one for each core."""
    import torch

    torch.set_num_threads(1)
