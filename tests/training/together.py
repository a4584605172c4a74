"""What each of two workers does in test_distributed.py; started there by torchrun, never by pytest.

The weights that worker 1 ends with go to `<folder>/<run>-1.safetensors`, and so on.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from safetensors.torch import save_file

from fewlex.errors import DataError
from fewlex.training import trainer as trainer_module
from fewlex.training.distributed import Workers, join_workers
from fewlex.training.progress import Progress, Validation
from tests.model.conftest import small_config
from tests.training.conftest import small_trainer

UNEVEN: dict[str, Any] = {"epochs": 4, "batch_examples": 5, "clip": 0.1}
"""Six examples in batches of five: the second batch has a row for one worker only."""
NOISY = small_config({"dropout": 0.2}, {"probability": 0.5})


def killed_at_five(news: Progress) -> None:
    if news.update == 5:
        raise InterruptedError


def main(folder: Path) -> None:
    trainer_module.CHECKPOINT_SECONDS = 0.0
    with join_workers("cpu") as workers:

        def finish(name: str, trainer: trainer_module.Trainer) -> None:
            trainer.run()
            save_file(trainer.model.state_dict(), folder / f"{name}-{workers.rank}.safetensors")

        finish("plain", small_trainer(folder / "plain", workers, **UNEVEN))
        finish("noisy", small_trainer(folder / "noisy", workers, NOISY, **UNEVEN))
        try:
            small_trainer(folder / "resumed", workers, NOISY, observe=killed_at_five, **UNEVEN).run()
        except InterruptedError:
            finish("resumed", small_trainer(folder / "resumed", workers, NOISY, **UNEVEN))
        fail_alone(folder, workers)


def fail_alone(folder: Path, workers: Workers) -> None:
    """One worker meets a mistake; the others must not wait for it."""

    def validate() -> Validation | None:
        if workers.rank == 1:
            raise DataError("something is wrong with worker 1")
        return None

    small_trainer(folder / "failed", workers, validate=validate, epochs=1000).run()
    (folder / f"survived-{workers.rank}").touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
