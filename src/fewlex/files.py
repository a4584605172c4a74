"""This module writes files so that a crash, a kill or a full disk never destroys the earlier content.

What is written has no name until it is whole, so a process that is killed leaves nothing behind. Only a whole file that
was about to be renamed can remain, and whoever writes into the same folder next removes it. Where the system has no
files without a name, the name is one that nobody can foresee.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fewlex.errors import FewlexError

PARTIAL = ".partial"
_OURS = re.compile(r"\..+\.[0-9a-f]{16}\.partial", re.DOTALL)
"""Names of files that are about to be renamed. Nobody else would choose such a name."""


@contextmanager
def atomic_write(path: Path | str) -> Iterator[BinaryIO]:
    """Open a binary file that replaces `path` if the block ends without an error, and is deleted otherwise.

    The file keeps its owner and who may read it. A device or a pipe cannot be replaced, so it is written to directly.
    """
    try:
        path = Path(path).resolve(strict=False)
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, or a name that no system has
        raise cannot_write(path, error) from error
    try:
        with _replacing(path) if path.is_file() or not path.exists() else path.open("wb") as file:
            yield file
    except OSError as error:
        raise cannot_write(path, error) from error


def atomic_write_text(path: Path | str, text: str) -> None:
    """Replace the content of a file with a text in UTF-8. If that fails, the file stays as it was."""
    with atomic_write(path) as file:
        file.write(text.encode())


def cannot_write(path: Path | str, error: Exception) -> FewlexError:
    """The complaint about a file that could not be written, with what to do about it."""
    is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    cure = "Free some space" if is_full else "Check that the folder exists and that you may write to it"
    told = error.strerror if isinstance(error, OSError) and error.strerror else error
    return FewlexError(f"cannot write {path}: {told}. {cure}. The earlier content is untouched.")


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    _remove_abandoned(path.parent)
    partial = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}{PARTIAL}")
    handle, has_name = _opened(partial)
    try:
        with os.fdopen(handle, "wb") as file:
            _keep_owner_and_mode(handle, path)
            yield file
            file.flush()
            os.fsync(handle)
            if not has_name:
                # Python follows the link of /proc only if a folder is named too, which the absolute path overrules.
                os.link(f"/proc/self/fd/{handle}", partial, src_dir_fd=handle, follow_symlinks=True)
            os.replace(partial, path)
        _sync_folder(path.parent)
    finally:
        with suppress(OSError):
            partial.unlink()


def _remove_abandoned(folder: Path) -> None:
    """Remove files that a killed process was about to rename; those of living ones are locked."""
    for name in os.listdir(folder):
        if name.endswith(PARTIAL) and _OURS.fullmatch(name):
            with suppress(OSError), open(folder / name, "rb", opener=_opened_carefully) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                (folder / name).unlink()


def _opened_carefully(path: str, flags: int) -> int:
    """A link is not followed, and a pipe does not keep us waiting."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _opened(partial: Path) -> tuple[int, bool]:
    """A new file, and whether it has this name already. Nothing that is there, not even a link, is opened.

    It is locked, as a sign that this process is alive.
    """
    try:
        handle = os.open(partial.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except (AttributeError, OSError):  # another system, or a file system without files that have no name
        return _opened_by_name(partial), True
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle, False


def _opened_by_name(partial: Path) -> int:
    while True:
        handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:  # nobody has taken it for abandoned before it was locked
            return handle
        os.close(handle)


def _keep_owner_and_mode(handle: int, path: Path) -> None:
    with suppress(OSError):  # the file may be new, or belong to somebody else
        status = path.stat()
        os.fchmod(handle, stat.S_IMODE(status.st_mode))
        os.fchown(handle, status.st_uid, status.st_gid)


def _sync_folder(folder: Path) -> None:
    """Make a new name survive a power cut, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
