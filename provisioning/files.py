"""Files of an identity: written whole or not at all, keys for their owner alone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Any, Final

_RESTORE_ZH: Final = "请从备份恢复；身份也可重新签发（paizhuo-provision issue --replace）"
_RESTORE_EN: Final = "restore it, or issue the identity again (paizhuo-provision issue --replace)"


class IdentityError(Exception):
    """An identity cannot be made or used; both texts say what to do. Chinese first, then English."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(f"{zh}\n{en}")
        self.zh = zh
        self.en = en


def make_folder(folder: Path) -> None:
    """Makes the folder, for its owner alone (0700). One that is in use keeps its mode.

    Folders above it that are missing can be passed through by all and changed by their owner alone.
    """
    try:
        for above in reversed([parent for parent in folder.parents if not parent.exists()]):
            above.mkdir(mode=0o755, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not any(folder.iterdir()):
            folder.chmod(0o700)
    except OSError as error:
        raise _unwritable(folder, error) from None


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to fill that takes the name ``folder`` at the end; nothing of it stays after an error."""
    fresh = folder.with_name(f".{folder.name}.{os.getpid()}")
    make_folder(fresh)
    try:
        yield fresh
        fresh.replace(folder)
    except OSError as error:
        raise _unwritable(folder, error) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def write_private(path: Path, data: bytes) -> None:
    """Writes the file, readable by its owner alone (0600). The old one stays until the new is whole."""
    _write(path, data, 0o600)


def write_public(path: Path, data: bytes) -> None:
    """Writes the file, readable by all (0644). The old one stays until the new is whole."""
    _write(path, data, 0o644)


def append_line(path: Path, line: str) -> None:
    """Adds a line to the end of a private file and waits until it is on the disk; all of it or nothing."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            _append(handle, line.encode() + b"\n")
        finally:
            os.close(handle)
    except OSError as error:
        raise _unwritable(path, error) from None


def _append(handle: int, data: bytes) -> None:
    before = os.fstat(handle).st_size
    try:
        if os.write(handle, data) < len(data):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        os.fsync(handle)
    except OSError:
        os.ftruncate(handle, before)
        raise


def read_file(path: Path) -> bytes:
    """What is in the file; ``IdentityError`` if it is missing or may not be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise IdentityError(
            f"缺少文件 {path}：{_RESTORE_ZH}。", f"{path} is missing: {_RESTORE_EN}."
        ) from None
    except OSError as error:
        raise IdentityError(
            f"读不了 {path}：请检查其权限（{error.strerror}）。",
            f"{path} cannot be read: check its permissions ({error.strerror}).",
        ) from None


def read_fields(path: Path, *names: str) -> list[str]:
    """Texts of these fields of a JSON object; ``IdentityError`` if it has them not."""
    try:
        fields: Any = json.loads(read_file(path))
        values = [fields[name] for name in names]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise unreadable(path) from None
    if not all(isinstance(value, str) for value in values):
        raise unreadable(path)
    return values


def unreadable(path: Path) -> IdentityError:
    """The error of a file that is there and does not hold what it should."""
    return IdentityError(
        f"{path} 已损坏或内容不对：{_RESTORE_ZH}。",
        f"{path} is damaged or holds something else: {_RESTORE_EN}.",
    )


def _write(path: Path, data: bytes, mode: int) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> IdentityError:
    return IdentityError(
        f"写不了 {path}：请检查权限和磁盘空间（{error.strerror}）。",
        f"{path} cannot be written: check permissions and disk space ({error.strerror}).",
    )
