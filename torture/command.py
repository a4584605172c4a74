"""Commands of fewlex in processes of their own, on a small run that every part can copy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = "colors"
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "src"),
    "OMP_NUM_THREADS": "1",
    "FEWLEX_CHECKPOINT_SECONDS": "0",
}


def start(*words: str | Path, **environment: str) -> subprocess.Popen[str]:
    """A command of fewlex that runs; its output can be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "fewlex", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | environment,
    )


def done(*words: str | Path, **environment: str) -> tuple[int, str, str]:
    """A command of fewlex that has ended: its exit code, its output and its complaints."""
    process = start(*words, **environment)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err


def rules_run(folder: Path) -> Path:
    """A run of rules alone, which is made in a second."""
    code, _, err = done("train", DATA, "--out", folder, "--preset", "rules")
    assert code == 0, err
    return folder
