"""The log: where everything that happened is stored before anybody is told.

SQLite by default (WAL, synchronous FULL), PostgreSQL by URL; one schema. ``append`` stores a
batch in one transaction or raises ``LogError`` and stores nothing. One process writes a log.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Engine,
    Select,
    Table,
    bindparam,
    create_engine,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from broker.tables import schema, sqlite
from broker.tables.faults import LogError, LogLost
from broker.tables.rows import Batch, CheckpointRow, RecordRow, SecretRow, TableKey

__all__ = ["Log", "LogError", "LogLost", "StoredAct", "Taken"]


class Taken(NamedTuple):
    """An act that a running session has sent: what may not be used again."""

    device: str
    session: str
    id: str
    seq: int


class StoredAct(NamedTuple):
    """An act as it is kept for proof; its envelope lies in the vault (``Vault.open_act``)."""

    device: str
    id: str
    envelope: bytes


class _Insert:
    """Adds rows to one table: the statement is compiled once, rows go to the driver as they are."""

    def __init__(self, table: Table, engine: Engine, venue: str) -> None:
        compiled = insert(table).compile(dialect=engine.dialect)
        self._sql = str(compiled)
        self._names = [column.name for column in table.columns]
        self._positional = compiled.positional
        self._venue = venue

    def run(self, connection: Connection, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        values: list[Any] = [(self._venue, *row) for row in rows]
        if not self._positional:
            values = [dict(zip(self._names, row, strict=True)) for row in values]
        connection.exec_driver_sql(self._sql, values)


class Log:
    """The log of one venue. Belongs to one thread, except for ``has_room`` and ``close``."""

    def __init__(
        self, engine: Engine, venue: str, folder: Path | None, min_free: int, lock: int | None
    ) -> None:
        self._engine = engine
        self.venue = venue
        self._folder = folder
        self._min_free = min_free
        self._lock = lock
        self._connection = engine.connect()
        self._inserts = {table: _Insert(table, engine, venue) for table in schema.metadata.sorted_tables}

    @classmethod
    def open(cls, url: str, venue: str, *, min_free: int = 0, reading: bool = False) -> Log:
        """The log at a database URL; a new one is made unless it is only to be read.

        ``min_free``: bytes of the disk below which ``has_room`` is false. ``LogError`` if the log is
        broken, of another venue or version, in use by another authority, or cannot be opened: then
        nothing in it has been changed.
        """
        try:
            path = sqlite.path_of(make_url(url))
        except (SQLAlchemyError, ValueError) as error:
            raise LogError("store.url 不是数据库 URL", f"store.url is no database URL ({error})") from None
        lock = None if path is None or reading else sqlite.lock(path)
        try:
            return cls._opened(url, venue, path, min_free, reading, lock)
        except BaseException as error:
            if lock is not None:
                os.close(lock)
            if isinstance(error, SQLAlchemyError | ImportError):
                raise _unusable(url, error) from error
            raise

    @classmethod
    def _opened(
        cls, url: str, venue: str, path: Path | None, min_free: int, reading: bool, lock: int | None
    ) -> Log:
        if path is not None:
            sqlite.check(path, reading)
        if _is_empty(url, path, venue) and reading:
            raise LogError(f"{shown(url)} 里还没有日志", f"there is no log in {shown(url)} yet")
        engine = create_engine(url, hide_parameters=True) if path is None else sqlite.engine(path, reading)
        try:
            if not reading:
                _make(engine, venue)
            return cls(engine, venue, path and path.parent, min_free, lock)
        except BaseException:
            engine.dispose()
            raise

    # --- writing -----------------------------------------------------------------------------------

    def append(self, batch: Batch) -> None:
        """Stores the batch safely on disk, whole. ``LogError``: nothing of it is stored.

        ``LogLost``: nobody can say what is stored; the process must end and recover from the log.
        """
        try:
            self._write(batch)
            self._connection.commit()
        except DBAPIError as error:
            raise self._given_up(error) from error

    def _write(self, batch: Batch) -> None:
        inserts, connection = self._inserts, self._connection
        inserts[schema.TABLES].run(connection, [(*key, False) for key in batch.opened])
        inserts[schema.RECORDS].run(connection, batch.records)
        inserts[schema.SECRETS].run(connection, batch.secrets)
        for row in batch.sessions:
            self._end_sessions(row.device)
        inserts[schema.SESSIONS].run(connection, [(*row, False) for row in batch.sessions])
        inserts[schema.ACTS].run(connection, batch.acts)
        inserts[schema.CHECKPOINTS].run(connection, batch.checkpoints)
        for key in batch.closed:
            connection.execute(update(schema.TABLES).where(*self._at(schema.TABLES, key)).values(closed=True))

    def _end_sessions(self, device: str) -> None:
        table = schema.SESSIONS
        running = (table.c.venue == self.venue, table.c.device == bindparam("of"), table.c.ended.is_(False))
        self._connection.execute(update(table).where(*running).values(ended=True), {"of": device})

    def _given_up(self, error: DBAPIError) -> LogError:
        try:
            self._connection.rollback()
        except SQLAlchemyError:
            return LogLost(error)
        if sqlite.is_lost(error):
            return LogLost(error)
        return LogError(
            f"写入失败：{error.orig}。牌桌已暂停；请检查磁盘，然后向裁判系统发 SIGHUP 以继续",
            f"writing failed: {error.orig}. Tables are paused; see to the disk, then send the authority"
            " SIGHUP to go on",
        )

    def has_room(self) -> bool:
        """Whether the disk has more free bytes than the venue wants to keep."""
        if self._folder is None:
            return True
        try:
            return shutil.disk_usage(self._folder).free >= self._min_free
        except OSError:
            return False

    def close(self) -> None:
        """Lets go of the log."""
        self._connection.close()
        self._engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # --- reading -----------------------------------------------------------------------------------

    def tables(self, closed: bool = False) -> list[TableKey]:
        """Tables that are live; with ``closed`` all that there ever were."""
        table = schema.TABLES
        query = select(table.c.event, table.c.table_id).where(table.c.venue == self.venue)
        if not closed:
            query = query.where(table.c.closed.is_(False))
        return [TableKey(*row) for row in self._rows(query.order_by(table.c.event, table.c.table_id))]

    def records(self, key: TableKey) -> Iterator[RecordRow]:
        """Records of a table, in order."""
        rows = self._ordered(schema.RECORDS, key)
        return (RecordRow(*key, row.epoch, row.n, _blob(row.public), _blob(row.hash)) for row in rows)

    def secrets(self, key: TableKey) -> dict[int, bytes]:
        """Encrypted secrets of a table, by record number."""
        rows = (SecretRow(*row[1:]) for row in self._ordered(schema.SECRETS, key))
        return {row.n: _blob(row.cipher) for row in rows}

    def checkpoints(self, key: TableKey) -> list[CheckpointRow]:
        """Signed states of a table, in order."""
        return [CheckpointRow(*row[1:]) for row in self._ordered(schema.CHECKPOINTS, key)]

    def acts(self, key: TableKey) -> list[StoredAct]:
        """All acts of the seats of a table, refused ones too."""
        acts = schema.ACTS
        query = select(acts.c.device, acts.c.id, acts.c.envelope).where(*self._at(acts, key))
        return [StoredAct(*row) for row in self._rows(query)]

    def answer(self, device: str, session: str, act: str) -> bytes | None:
        """The answer that the act got; None if it is not known."""
        acts = schema.ACTS
        here = (acts.c.venue, acts.c.device, acts.c.session, acts.c.id)
        query = select(acts.c.answer).where(*_equal(here, (self.venue, device, session, act)))
        return next((row[0] for row in self._rows(query)), None)

    def knows_session(self, device: str, session: str) -> bool:
        """Whether the device has had that session, running or ended."""
        table = schema.SESSIONS
        here = (table.c.venue, table.c.device, table.c.session)
        query = select(table.c.ended).where(*_equal(here, (self.venue, device, session)))
        return bool(self._rows(query))

    def running(self) -> dict[str, str]:
        """The running session of each device that has one."""
        table = schema.SESSIONS
        query = select(table.c.device, table.c.session).where(
            table.c.venue == self.venue, table.c.ended.is_(False)
        )
        return {row.device: row.session for row in self._rows(query)}

    def taken(self) -> list[Taken]:
        """Ids and sequence numbers that the running sessions have used."""
        acts, sessions = schema.ACTS, schema.SESSIONS
        same = (
            sessions.c.venue == acts.c.venue,
            sessions.c.device == acts.c.device,
            sessions.c.session == acts.c.session,
        )
        query = (
            select(acts.c.device, acts.c.session, acts.c.id, acts.c.seq)
            .join(sessions, same[0] & same[1] & same[2])
            .where(sessions.c.venue == self.venue, sessions.c.ended.is_(False))
        )
        return [Taken(*row) for row in self._rows(query)]

    def _ordered(self, table: Table, key: TableKey) -> Sequence[Any]:
        return self._rows(select(table).where(*self._at(table, key)).order_by(table.c.epoch, table.c.n))

    def _at(self, table: Table, key: TableKey) -> Iterable[Any]:
        return _equal((table.c.venue, table.c.event, table.c.table_id), (self.venue, *key))

    def _rows(self, query: Select[Any]) -> Sequence[Any]:
        try:
            with self._connection.begin():
                return self._connection.execute(query).all()
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise LogError(f"日志读取失败：{cause}", f"the log cannot be read: {cause}") from error


def _blob(value: Any) -> bytes:
    """Stored bytes; SQLite gives text where somebody has put text."""
    return value if isinstance(value, bytes) else str(value).encode()


def _equal(columns: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    return [column == value for column, value in zip(columns, values, strict=True)]


# --- whose log it is -------------------------------------------------------------------------------


def _is_empty(url: str, path: Path | None, venue: str) -> bool:
    """Whether there is nothing yet. ``LogError`` if it is not this venue's log; changes nothing."""
    if path is not None and not sqlite.has_data(path):
        return True
    engine = create_engine(url, hide_parameters=True) if path is None else sqlite.engine(path, reading=True)
    try:
        names = inspect(engine).get_table_names()
        if names:
            _check_owner(_stored(engine) if schema.META.name in names else {}, url, venue)
        return not names
    finally:
        engine.dispose()


def _stored(engine: Engine) -> dict[str, str]:
    with engine.connect() as connection:
        rows = connection.execute(select(schema.META.c.key, schema.META.c.value))
        return {row.key: row.value for row in rows}


def _check_owner(stored: dict[str, str], url: str, venue: str) -> None:
    where = shown(url)
    if stored.get("schema") != schema.VERSION:
        raise LogError(
            f"{where} 不是本版本的牌桌日志，未作任何改动；请换一个文件，或用写它的版本打开",
            f"{where} is no log of this version; nothing was changed. Name another file, or open it with"
            " the version that wrote it",
        )
    if stored.get("venue") != venue:
        raise LogError(
            f"{where} 是场馆“{stored.get('venue')}”的日志，本场馆是“{venue}”，未作任何改动；请改正配置",
            f"{where} is the log of venue {stored.get('venue')!r}, this is {venue!r}; nothing was changed."
            " Correct the configuration",
        )


def _make(engine: Engine, venue: str) -> None:
    """Makes the tables and claims the log for the venue, if that is not done; all or nothing."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        schema.metadata.create_all(connection)
        if connection.execute(select(schema.META.c.key)).first() is None:
            rows = [{"key": "schema", "value": schema.VERSION}, {"key": "venue", "value": venue}]
            connection.execute(insert(schema.META), rows)


def _unusable(url: str, error: SQLAlchemyError | ImportError) -> LogError:
    where = shown(url)
    if isinstance(error, ImportError):
        return LogError(
            f"日志 {where} 需要的数据库驱动未安装：{error}。请安装，或在 store.url 换一个",
            f"the log {where} needs a database driver that is not installed: {error}. Install it, or name"
            " another in store.url",
        )
    cause = getattr(error, "orig", None) or error
    return LogError(
        f"日志 {where} 无法打开：{cause}。请检查路径、权限和磁盘",
        f"the log {where} cannot be opened: {cause}. Check the path, its permissions and the disk",
    )


def shown(url: str) -> str:
    """The database URL for people: without its password."""
    return make_url(url).render_as_string(hide_password=True)
