"""The log: whole batches or nothing, nothing touched that is not ours, and words that help."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import CreateTable

from broker.tables import schema, sqlite
from broker.tables.log import Log, LogError, LogLost
from broker.tables.rows import ActRow, Batch, CheckpointRow, RecordRow, SecretRow, SessionRow, TableKey

KEY = TableKey("cup", "t1")


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def record(n: int, public: bytes = b"{}") -> RecordRow:
    return RecordRow(*KEY, 1, n, public, bytes(32))


def act(act_id: str, seq: int, session: str = "s1", answer: bytes = b"yes") -> ActRow:
    return ActRow("tab-1", session, act_id, seq, *KEY, b"envelope", answer, 1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def test_what_was_appended_is_read_again_after_reopening(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(
        Batch(
            opened=[KEY],
            records=[record(1), record(2, b"{2}")],
            secrets=[SecretRow(*KEY, 1, 2, b"cipher")],
            sessions=[SessionRow("tab-1", "s1")],
            acts=[act("a", 1)],
            checkpoints=[CheckpointRow(*KEY, 1, 2, b"signed")],
        )
    )
    log.close()
    log = Log.open(url(path), "hall")
    assert log.tables() == [KEY]
    assert [(row.n, row.public) for row in log.records(KEY)] == [(1, b"{}"), (2, b"{2}")]
    assert log.secrets(KEY) == {2: b"cipher"}
    assert log.answer("tab-1", "s1", "a") == b"yes"
    assert log.answer("tab-2", "s1", "a") is None
    assert log.running() == {"tab-1": "s1"}
    assert [tuple(taken) for taken in log.taken()] == [("tab-1", "s1", "a", 1)]
    assert [row.envelope for row in log.checkpoints(KEY)] == [b"signed"]
    log.close()


def test_it_is_written_ahead_and_synchronised(path: Path) -> None:
    log = Log.open(url(path), "hall")
    pragmas = {
        name: log._connection.exec_driver_sql(f"PRAGMA {name}").scalar()
        for name in ("journal_mode", "synchronous", "foreign_keys")
    }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    log.close()


def test_a_batch_is_stored_whole_or_not_at_all(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY], records=[record(1)]))
    with pytest.raises(LogError):
        log.append(Batch(records=[record(2), record(1)], acts=[act("a", 1)]))
    assert [row.n for row in log.records(KEY)] == [1]
    assert log.answer("tab-1", "s1", "a") is None
    log.append(Batch(records=[record(2)]))
    assert [row.n for row in log.records(KEY)] == [1, 2]
    log.close()


def test_a_number_of_a_session_is_stored_once(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(acts=[act("a", 1)]))
    with pytest.raises(LogError):
        log.append(Batch(acts=[act("b", 1)]))
    log.append(Batch(acts=[act("b", 1, session="s2")]))
    log.close()


def test_a_new_session_ends_the_old_one(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(sessions=[SessionRow("tab-1", "s1"), SessionRow("tab-2", "x")], acts=[act("a", 1)]))
    log.append(Batch(sessions=[SessionRow("tab-1", "s2")]))
    assert log.running() == {"tab-1": "s2", "tab-2": "x"}
    assert log.taken() == []
    assert log.knows_session("tab-1", "s1")
    assert not log.knows_session("tab-1", "s3")
    log.close()


def test_a_closed_table_is_not_live(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY, TableKey("cup", "t2")]))
    log.append(Batch(closed=[KEY]))
    assert log.tables() == [TableKey("cup", "t2")]
    assert log.tables(closed=True) == [KEY, TableKey("cup", "t2")]
    log.close()


def test_a_full_disk_raises_and_later_appends_succeed(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY], records=[record(1)]))
    pages = log._connection.exec_driver_sql("PRAGMA page_count").scalar()
    log._connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    log._connection.rollback()
    with pytest.raises(LogError, match="full") as caught:
        log.append(Batch(records=[record(2), *(record(n, bytes(3000)) for n in range(3, 30))]))
    assert not isinstance(caught.value, LogLost)
    assert [row.n for row in log.records(KEY)] == [1]
    log._connection.exec_driver_sql("PRAGMA max_page_count=100000")
    log._connection.rollback()
    log.append(Batch(records=[record(2)]))
    log.close()


@pytest.mark.parametrize(
    ("code", "lost"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, True),
        (sqlite3.SQLITE_IOERR_DIR_FSYNC, True),
        (sqlite3.SQLITE_FULL, False),
        (sqlite3.SQLITE_IOERR_WRITE, False),
    ],
)
def test_only_a_failed_sync_is_final(
    path: Path, monkeypatch: pytest.MonkeyPatch, code: int, lost: bool
) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY]))
    cause = sqlite3.OperationalError("disk I/O error")
    cause.sqlite_errorcode = code

    def fail() -> None:
        raise OperationalError("COMMIT", None, cause)

    monkeypatch.setattr(log._connection, "commit", fail)
    with pytest.raises(LogError) as caught:
        log.append(Batch(records=[record(1)]))
    assert isinstance(caught.value, LogLost) is lost
    monkeypatch.undo()
    assert list(log.records(KEY)) == []
    log.close()


def test_a_log_has_one_writer_and_any_readers(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY], records=[record(1)]))
    with pytest.raises(LogError, match="in use"):
        Log.open(url(path), "hall")
    reader = Log.open(url(path), "hall", reading=True)
    assert [row.n for row in reader.records(KEY)] == [1]
    log.append(Batch(records=[record(2)]))
    assert [row.n for row in reader.records(KEY)] == [1, 2]
    with pytest.raises(LogError):
        reader.append(Batch(records=[record(3)]))
    reader.close()
    log.close()
    Log.open(url(path), "hall").close()


def test_room_is_what_the_venue_wants_to_keep(path: Path) -> None:
    roomy = Log.open(url(path), "hall", min_free=1)
    assert roomy.has_room()
    roomy.close()
    full = Log.open(url(path), "hall", min_free=2**62)
    assert not full.has_room()
    full.close()


# --- what is refused, and left as it was ---------------------------------------------------------------


def refused(path: Path, words: str, venue: str = "hall") -> None:
    before = path.read_bytes()
    with pytest.raises(LogError, match=words):
        Log.open(url(path), venue)
    assert path.read_bytes() == before


def filled(path: Path) -> None:
    log = Log.open(url(path), "hall")
    log.append(Batch(opened=[KEY], records=[record(n, bytes(2000)) for n in range(1, 40)]))
    log.close()


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 300)
    refused(path, "broken")


def test_a_damaged_database_is_refused(path: Path) -> None:
    filled(path)
    raw = bytearray(path.read_bytes())
    page = 4096 * 8
    raw[page : page + 2000] = b"\xff" * 2000
    path.write_bytes(bytes(raw))
    refused(path, "broken")


def test_a_truncated_database_is_refused(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[: 4096 * 5])
    refused(path, "broken")


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (line TEXT)")
    connection.close()
    refused(path, "no log of this version")


def test_the_log_of_another_venue_is_refused(path: Path) -> None:
    filled(path)
    refused(path, "venue 'hall'", venue="club")


def test_the_log_of_another_version_is_refused(path: Path) -> None:
    filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
    connection.close()
    refused(path, "no log of this version")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nowhere"):
        Log.open(url(tmp_path / "nowhere" / "log.db"), "hall")


def test_what_is_no_file_is_no_log_and_stays_untouched(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = set(tmp_path.iterdir())
    for name in ("folder", "pipe"):
        with pytest.raises(LogError, match="must be a file"):
            Log.open(url(tmp_path / name), "hall")
    assert set(tmp_path.iterdir()) == before


def test_reading_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log"):
        Log.open(url(tmp_path / "log.db"), "hall", reading=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", ["sqlite://", "sqlite:///:memory:", "not a url", "nosuchdb://x/y"])
def test_an_address_that_cannot_hold_a_log_is_refused(wrong: str) -> None:
    with pytest.raises(LogError):
        Log.open(wrong, "hall")


def test_an_interrupted_first_start_can_be_repeated(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (x)")
        connection.execute("DROP TABLE t")
    connection.close()
    Log.open(url(path), "hall").close()


def test_the_schema_is_sql_that_postgresql_takes_too() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in schema.metadata.sorted_tables:
        statement = str(CreateTable(table).compile(dialect=dialect))
        assert "BYTEA" in statement or not any("public" in c.name for c in table.columns)
        assert "ROWID" not in statement
        assert table.name in str(insert(table).compile(dialect=dialect))


@pytest.mark.parametrize(
    "address", ["postgresql+nothing://u:hidden@db/x", "mysql://u:hidden@db/x", "nothing://u:hidden@db/x"]
)
def test_a_store_without_its_driver_is_told_without_its_password(address: str) -> None:
    with pytest.raises(LogError) as caught:
        Log.open(address, "hall")
    assert "hidden" not in str(caught.value) and "u:***@db" in str(caught.value)


@pytest.mark.parametrize("address", ["postgresql://u:hidden@db:abc/x", "", "x", "://"])
def test_what_is_no_address_is_told_without_its_password(address: str) -> None:
    with pytest.raises(LogError, match="no database URL") as caught:
        Log.open(address, "hall")
    assert "hidden" not in str(caught.value)


def test_a_log_is_its_owner_s_alone_whatever_the_mask(path: Path) -> None:
    before = os.umask(0)
    try:
        log = Log.open(url(path), "hall")
        log.append(Batch(opened=[KEY]))
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        log.close()
    finally:
        os.umask(before)
    assert len(modes) == 4 and set(modes.values()) == {0o600}


def test_a_log_is_read_where_nothing_can_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from a backup on a medium that is read-only."""
    filled(path)
    before = set(path.parent.iterdir())
    monkeypatch.setattr(sqlite.os, "access", lambda *_: False)
    log = Log.open(url(path), "hall", reading=True)
    assert len(list(log.records(KEY))) == 39
    assert set(path.parent.iterdir()) == before
    log.close()
