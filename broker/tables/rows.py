"""What is appended to the log, as plain rows; a batch of them is one transaction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class TableKey(NamedTuple):
    """A table of the venue: its id is its own within the event."""

    event: str
    table: str


class RecordRow(NamedTuple):
    """One record: ``public`` are the bytes that were hashed into ``hash``."""

    event: str
    table: str
    epoch: int
    n: int
    public: bytes
    hash: bytes


class SecretRow(NamedTuple):
    """The encrypted secret part of a record."""

    event: str
    table: str
    epoch: int
    n: int
    cipher: bytes


class ActRow(NamedTuple):
    """A signed act that took its place in the sequence, its envelope encrypted, and the answer that it got.

    ``event`` and ``table`` are those of its author's seat, empty if it had none; ``arrived`` is
    Unix time in milliseconds.
    """

    device: str
    session: str
    id: str
    seq: int
    event: str
    table: str
    envelope: bytes
    answer: bytes
    arrived: int


class SessionRow(NamedTuple):
    """A session that begins; any earlier one of the device ends."""

    device: str
    session: str


class CheckpointRow(NamedTuple):
    """A state of a table's chain, signed by the venue."""

    event: str
    table: str
    epoch: int
    n: int
    envelope: bytes


@dataclass(slots=True)
class Batch:
    """Everything that is stored together or not at all."""

    opened: list[TableKey] = field(default_factory=list)
    closed: list[TableKey] = field(default_factory=list)
    records: list[RecordRow] = field(default_factory=list)
    secrets: list[SecretRow] = field(default_factory=list)
    sessions: list[SessionRow] = field(default_factory=list)
    acts: list[ActRow] = field(default_factory=list)
    checkpoints: list[CheckpointRow] = field(default_factory=list)
