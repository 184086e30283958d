"""Files a command writes: refused before anything runs, written whole or not at all.

Main definitions
----------------
check_writable   raises BadInput when a file cannot be written where it was asked for
write_whole      writes a file so that no reader ever sees half of it
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from posproof.errors import BadInput


def check_writable(path: Path, argument: str) -> None:
    """Refuse a path that `write_whole` could not write, leaving nothing behind."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder", argument)
    if not path.parent.is_dir():
        raise BadInput(f"no folder {path.parent}", argument)
    try:
        if _is_special(path):
            path.open("ab").close()
        else:
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".posproof-")
            os.close(handle)
            os.unlink(name)
    except OSError as cause:
        raise BadInput(f"cannot write {path}: {cause.strerror}", argument) from cause


def write_whole(path: Path, text: str, argument: str) -> None:
    """Write beside the file and rename; a device or pipe is written directly."""
    try:
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path.resolve(), text)
    except OSError as cause:
        raise BadInput(f"cannot write {path}: {cause.strerror}", argument) from cause


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".posproof-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _mode(path: Path) -> int:
    """The mode the file has, or the one a new file would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
