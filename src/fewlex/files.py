"""Writing files so that a crash or a full disk never costs what was there before."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fewlex.errors import FewlexError


@contextmanager
def atomic_write(path: Path | str) -> Iterator[BinaryIO]:
    """A binary file that takes the place of `path` if the block ends well, and vanishes otherwise."""
    path = Path(path).resolve()
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise FewlexError(f"cannot write {path}: {error.strerror or error}. {_cure(error)}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def atomic_write_text(path: Path | str, text: str) -> None:
    """Replace the content of a file by a text, in UTF-8, or leave the file as it was."""
    with atomic_write(path) as file:
        file.write(text.encode())


def _cure(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free some space and try again; what was there before is untouched."
    return "Check that the folder exists and that you may write to it; what was there before is untouched."
