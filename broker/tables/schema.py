"""The schema of the log, in SQL that SQLite and PostgreSQL both understand.

Every row names its venue, so that the logs of many venues can stand in one database. Rows are
only ever added; what changes is whether a table or a session is still open.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

VERSION: Final = "1"
"""Version of this schema; ``meta`` holds that of a log."""

metadata: Final = MetaData()

_TABLE: Final = ("venue", "event", "table_id")
_RECORD: Final = (*_TABLE, "epoch", "n")


def _name(name: str) -> Column[Any]:
    return Column(name, String(64), primary_key=True)


def _number(name: str) -> Column[Any]:
    return Column(name, Integer, primary_key=True)


def _of_table() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(_TABLE, [f"tables.{name}" for name in _TABLE])


def _of_record() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(_RECORD, [f"records.{name}" for name in _RECORD])


def _table(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns, sqlite_with_rowid=False)


META: Final = _table("meta", _name("key"), Column("value", String(64), nullable=False))
"""``schema``: version; ``venue``: whose log this is."""

TABLES: Final = _table(
    "tables",
    _name("venue"),
    _name("event"),
    _name("table_id"),
    Column("closed", Boolean, nullable=False),
)
"""A closed table is no longer live: it is not replayed at start."""

RECORDS: Final = _table(
    "records",
    _name("venue"),
    _name("event"),
    _name("table_id"),
    _number("epoch"),
    _number("n"),
    Column("public", LargeBinary, nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    _of_table(),
)

SECRETS: Final = _table(
    "secrets",
    _name("venue"),
    _name("event"),
    _name("table_id"),
    _number("epoch"),
    _number("n"),
    Column("cipher", LargeBinary, nullable=False),
    _of_record(),
)
"""Secret parts of records, encrypted (``vault``)."""

ACTS: Final = _table(
    "acts",
    _name("venue"),
    _name("device"),
    _name("session"),
    _name("id"),
    Column("seq", BigInteger, nullable=False),
    Column("event", String(64), nullable=False),
    Column("table_id", String(64), nullable=False),
    Column("envelope", LargeBinary, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("arrived", BigInteger, nullable=False),
    UniqueConstraint("venue", "device", "session", "seq"),
)
"""Every act that took its place in a session's sequence, encrypted (``vault``), with its answer."""

SESSIONS: Final = _table(
    "sessions",
    _name("venue"),
    _name("device"),
    _name("session"),
    Column("ended", Boolean, nullable=False),
)
"""A device has at most one session that has not ended."""

CHECKPOINTS: Final = _table(
    "checkpoints",
    _name("venue"),
    _name("event"),
    _name("table_id"),
    _number("epoch"),
    _number("n"),
    Column("envelope", LargeBinary, nullable=False),
    _of_record(),
)
"""States of a table's chain that the venue has signed."""
