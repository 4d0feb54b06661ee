"""Export: a table as a transcript file for the independent checker (``broker/verify/FORMAT.md``)."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from broker.protocol import topics
from broker.protocol.messages import Cause, Record
from broker.tables.faults import LogError
from broker.tables.log import Log
from broker.tables.plan import VenueKeys
from broker.tables.recovery import open_secrets, replay
from broker.tables.rows import RecordRow, TableKey
from broker.tables.vault import Opened, Vault, VaultError

FORMAT: Final = "paizhuo-transcript/1"


def export_transcript(log: Log, key: TableKey, keys: VenueKeys, path: Path) -> int:
    """Writes the transcript of a table; the number of its records.

    Secrets are in it only once all boards have been opened. ``LogError`` if there is no such table,
    its log is damaged, or the file cannot be written; the file is then as it was before.
    """
    lines = list(transcript(log, key, keys))
    try:
        _write(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    except OSError as error:
        raise LogError(
            f"写不了 {path}：{error.strerror}", f"cannot write {path}: {error.strerror}. Name another file"
        ) from error
    return sum("public" in line for line in lines)


def _write(path: Path, data: bytes) -> None:
    """Puts a whole new file in the place of an old one; what is no file (a pipe, say) is written to."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def transcript(log: Log, key: TableKey, keys: VenueKeys) -> Iterator[dict[str, Any]]:
    """The lines of the transcript as JSON objects, the header first."""
    if key not in log.tables(closed=True):
        raise LogError(
            f"日志里没有桌 {key.table}（{key.event}）", f"the log has no table {key.table} of {key.event}"
        )
    vault = Vault(log.venue, keys.store)
    table = replay(log, key, vault, keys.signing)
    rows = list(log.records(key))
    yield {
        "format": FORMAT,
        "venue": log.venue,
        "event": key.event,
        "table": key.table,
        "epoch": rows[0].epoch,
        "authority_key": keys.signing.public_key().public_bytes_raw().hex(),
    }
    opened = open_secrets(log, key, rows, vault) if table.course.is_closed else {}
    envelopes = _envelopes(log, key, vault)
    for row in rows:
        record = msgspec.json.decode(row.public, type=Record)
        if record.commit and row.n not in opened:
            envelopes.pop(record.cause.digest, None)  # the act says what the record keeps secret
        yield _line(log.venue, row, record.cause, opened.get(row.n), envelopes)
    for signed in log.checkpoints(key):
        if signed.n == rows[-1].n:
            yield {"checkpoint": b64encode(signed.envelope).decode()}


def _envelopes(log: Log, key: TableKey, vault: Vault) -> dict[str, bytes]:
    """Envelopes of the acts of a table by their SHA-256."""
    try:
        opened = [vault.open_act(act.device, act.id, act.envelope) for act in log.acts(key)]
    except VaultError as error:
        raise LogError(
            f"桌 {key.table}（{key.event}）的动作打不开（密钥不对？）：{error}",
            f"an act at table {key.table} of {key.event} does not open (another key?): {error}",
        ) from None
    return {sha256(envelope).hexdigest(): envelope for envelope in opened}


def _line(
    venue: str, row: RecordRow, cause: Cause, opened: Opened | None, envelopes: Mapping[str, bytes]
) -> dict[str, Any]:
    line: dict[str, Any] = {"n": row.n, "public": row.public.decode(), "hash": row.hash.hex()}
    if opened is not None:
        line |= {"secret": opened.secret.decode(), "salt": opened.salt.hex()}
    if cause.digest in envelopes:
        line["envelope"] = b64encode(envelopes[cause.digest]).decode()
        line["topic"] = topics.device_act(venue, cause.device)
    return line
