"""What is particular to SQLite: pragmas, looking before touching, one writer, codes of errors."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from broker.tables.faults import LogError

_LOST: Final = frozenset({sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC})
"""After these nobody knows what is on the disk; a second try would lie."""

_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")


def path_of(url: URL) -> Path | None:
    """The file of a SQLite URL; None for another database. ``LogError`` for what is no file."""
    if url.get_backend_name() != "sqlite":
        return None
    name = url.database or ":memory:"
    if name == ":memory:" or (os.path.exists(name) and not os.path.isfile(name)):
        raise LogError(f"日志必须是文件，{name} 不是", f"the log must be a file, {name} is none")
    return Path(name).absolute()


def lock(path: Path) -> int:
    """A descriptor that holds the right to write until it is closed.

    ``LogError`` if another process has it, or the folder cannot be written to.
    """
    try:
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise LogError(
            f"无法写入文件夹 {path.parent}：{error.strerror}。请建立它或给予权限",
            f"cannot write to the folder {path.parent}: {error.strerror}. Create it or give the right to it",
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise LogError(
            f"{path} 正被另一个进程使用；请先停止它",
            f"{path} is in use by another authority; stop that one first",
        ) from error
    return descriptor


def has_data(path: Path) -> bool:
    """Whether there is a file with anything in it."""
    return path.is_file() and path.stat().st_size > 0


def check(path: Path, reading: bool) -> None:
    """Looks at the file without changing it. ``LogError`` if it is missing or broken."""
    if not has_data(path):
        if reading:
            raise LogError(f"没有日志 {path}", f"there is no log {path}")
        return
    try:
        with closing(_connect(path, "ro")) as connection:
            found = connection.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN:
            raise LogError(
                f"日志 {path} 打不开；请检查它和所在文件夹的权限",
                f"the log {path} cannot be opened; check its permissions and those of its folder",
            ) from error
        found = str(error)
    if found != "ok":
        raise LogError(
            f"日志 {path} 已损坏（{found}），未作任何改动。请把它移开保存，从备份恢复后再启动",
            f"the log {path} is broken ({found}); nothing was changed. Keep it aside, restore the backup,"
            " then start again",
        )


def engine(path: Path, reading: bool) -> Engine:
    """An engine on the file with our pragmas; read-only if it is only to be read.

    A new file is for its owner alone, and with it those that SQLite puts beside it.
    """
    if not reading:
        _make_private(path)
    made = create_engine(
        "sqlite://",
        creator=lambda: _connect(path, "ro" if reading else "rwc"),
        poolclass=NullPool,
        hide_parameters=True,
    )
    if not reading:
        event.listen(made, "connect", _set_pragmas)
    return made


def _make_private(path: Path) -> None:
    with suppress(OSError):  # what is wrong with the path, SQLite says better
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def is_lost(error: DBAPIError) -> bool:
    """Whether the error leaves unknown what is stored."""
    return getattr(error.orig, "sqlite_errorcode", None) in _LOST


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    fixed = "&immutable=1" if mode == "ro" and _is_at_rest(path) else ""
    return sqlite3.connect(f"file:{quote(str(path))}?mode={mode}{fixed}", uri=True, check_same_thread=False)


def _is_at_rest(path: Path) -> bool:
    """Whether it lies where nothing can be written, and whole: SQLite cannot put its own files there."""
    return not os.access(path.parent, os.W_OK) and not has_data(Path(f"{path}-wal"))


def _set_pragmas(connection: Any, _: Any) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
