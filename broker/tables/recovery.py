"""Recovery: a table as its log tells it. Every record is checked before it is believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.protocol import chain, codec
from broker.protocol.messages import Record
from broker.protocol.verdict import Malformed
from broker.tables.course import Course, Entry, begin, evolve
from broker.tables.draft import Chain, TableId
from broker.tables.faults import LogError
from broker.tables.log import Log
from broker.tables.rows import RecordRow, TableKey
from broker.tables.table import Table
from broker.tables.vault import Opened, Place, Vault, VaultError

_record: Final = msgspec.json.Decoder(Record)


class Damaged(LogError):
    """A record that is not what was written; names the table and the record."""

    def __init__(self, key: TableKey, n: int, zh: str, en: str) -> None:
        super().__init__(
            f"桌 {key.table}（{key.event}）第 {n} 条记录{zh}。未作任何改动；请把此日志移开保存，从备份恢复",
            f"table {key.table} of {key.event}, record {n}: {en}. Nothing was changed; keep this log"
            " aside and restore the backup",
        )


def replay(log: Log, key: TableKey, vault: Vault, signing: Ed25519PrivateKey) -> Table:
    """The table after its last record. ``LogError`` names the first record that cannot be right."""
    rows = list(log.records(key))
    if not rows:
        raise Damaged(key, 1, "缺失", "it is missing")
    secrets = open_secrets(log, key, rows, vault)
    first = _read(key, rows[0])
    table = Table(TableId(log.venue, key.event, first.stage, first.round, key.table), vault, signing)
    past = Chain(table.id, rows[0].epoch)
    course: Course | None = None
    for row in rows:
        course = _follow(course, row, past, secrets, table.id)
        past.extend((row,))
    assert course is not None
    _check_checkpoints(log, key, rows)
    table.restore(course, past)
    return table


def intact(log: Log, key: TableKey) -> Iterator[RecordRow]:
    """Records of a table in order, for whoever has no key: each continues the hash chain.

    ``LogError`` names the first that does not.
    """
    past: Chain | None = None
    for row in log.records(key):
        if past is None:
            first = _read(key, row)
            past = Chain(TableId(log.venue, key.event, first.stage, first.round, key.table), row.epoch)
        _check_link(key, row, past)
        past.extend((row,))
        yield row


def open_secrets(log: Log, key: TableKey, rows: list[RecordRow], vault: Vault) -> dict[int, Opened]:
    """The secrets of a table by record number; ``LogError`` if one does not open."""
    ciphers = log.secrets(key)
    opened: dict[int, Opened] = {}
    for row in rows:
        if row.n in ciphers:
            try:
                opened[row.n] = vault.open(Place(*row[:4]), ciphers[row.n])
            except VaultError:
                raise Damaged(
                    key, row.n, "的秘密部分打不开（密钥不对？）", "its secret does not open (another key?)"
                ) from None
    return opened


def _follow(
    course: Course | None, row: RecordRow, past: Chain, secrets: Mapping[int, Opened], table: TableId
) -> Course:
    key = table.key
    _check_link(key, row, past)
    record = _read(key, row)
    if (record.venue, record.event, record.table, record.epoch, record.n) != (table.venue, *row[:4]):
        raise Damaged(key, row.n, "属于别处", "it belongs elsewhere")
    opened = secrets.get(row.n)
    if record.commit != ("" if opened is None else opened.commit):
        raise Damaged(key, row.n, "的秘密部分不符", "its secret is another one")
    try:
        return _evolved(course, record, opened)
    except (Malformed, ValueError, LookupError) as error:
        raise Damaged(key, row.n, f"无法重放（{error}）", f"it cannot be replayed ({error})") from error


def _check_link(key: TableKey, row: RecordRow, past: Chain) -> None:
    if row.n != past.n + 1:
        raise Damaged(key, past.n + 1, "缺失", "it is missing")
    if row.hash != chain.link(past.head, row.public):
        raise Damaged(key, row.n, "处哈希链断开", "the hash chain is broken")


def _evolved(course: Course | None, record: Record, opened: Opened | None) -> Course:
    secret: dict[str, Any] | None = None if opened is None else msgspec.json.decode(opened.secret)
    game = record.body["game"] if course is None else course.package.name
    event = codec.decode_event(game, record.kind, record.body, secret)
    entry = Entry(event, record.cause, record.n, record.at)
    return begin(entry) if course is None else evolve(course, entry)


def _read(key: TableKey, row: RecordRow) -> Record:
    try:
        return _record.decode(row.public)
    except msgspec.MsgspecError:
        raise Damaged(key, row.n, "无法读取", "it cannot be read") from None


def _check_checkpoints(log: Log, key: TableKey, rows: list[RecordRow]) -> None:
    """What the venue has signed must still be there."""
    for signed in log.checkpoints(key):
        if signed.n > len(rows):
            raise Damaged(
                key, len(rows) + 1, "缺失，但场馆已为它签名", "it is missing, though the venue has signed it"
            )
