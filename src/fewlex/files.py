"""This module writes files so that a crash or a full disk never destroys the earlier content."""

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
    """Open a binary file that replaces `path` if the block ends without an error, and is deleted otherwise."""
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
    """Replace the content of a file with a text in UTF-8. If that fails, the file stays as it was."""
    with atomic_write(path) as file:
        file.write(text.encode())


def _cure(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free some space and try again. The earlier content is untouched."
    return "Check that the folder exists and that you may write to it. The earlier content is untouched."
