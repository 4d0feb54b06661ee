"""Drafts: what one decision of a table adds, made ready to be stored, with nothing changed yet.

A ``Draft`` is written event by event on a copy of the course; its ``Step`` is applied only after
it was stored. So a batch that fails leaves every table as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from broker.engine.game import Event
from broker.protocol import chain, codec
from broker.protocol.happenings import DecisionOpened
from broker.protocol.messages import VERSION, Cause, Record, Seen
from broker.protocol.verdict import Verdict
from broker.tables.course import Course, Entry, begin, evolve
from broker.tables.rows import CheckpointRow, RecordRow, SecretRow, TableKey
from broker.tables.vault import Place, Vault

_json: Final = msgspec.json.Encoder()


class TableId(NamedTuple):
    """A table among all: its venue and event, with the stage and round that it is played in."""

    venue: str
    event: str
    stage: str
    round: int
    table: str

    @property
    def key(self) -> TableKey:
        """What names it within the venue."""
        return TableKey(self.event, self.table)


class Chain:
    """The hash chain of a table: the epoch and hash of every record. Grows only."""

    def __init__(self, table: TableId, epoch: int = 1) -> None:
        self.epoch = epoch
        self._genesis = chain.genesis(table.venue, table.event, table.table, epoch)
        self._first_epoch = epoch
        self._links: list[tuple[int, bytes]] = []

    @property
    def n(self) -> int:
        """Number of the last record; 0 before the first."""
        return len(self._links)

    @property
    def head(self) -> bytes:
        """Hash after the last record."""
        return self._links[-1][1] if self._links else self._genesis

    def has(self, seen: Seen) -> bool:
        """Whether that record, with that epoch and hash, is on this chain."""
        if not 0 <= seen.n <= self.n:
            return False
        epoch, digest = self._links[seen.n - 1] if seen.n else (self._first_epoch, self._genesis)
        return (seen.epoch, seen.hash) == (epoch, digest.hex())

    def extend(self, records: Sequence[RecordRow]) -> None:
        """Goes on by records that are stored."""
        self._links.extend((record.epoch, record.hash) for record in records)
        if records:
            self.epoch = records[-1].epoch


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a table: what it answers, what it adds, how things stand afterwards.

    ``n`` and ``head`` are the last record and hash after it. Without ``records`` nothing changes.
    """

    course: Course
    n: int
    head: bytes
    records: tuple[RecordRow, ...] = ()
    secrets: tuple[SecretRow, ...] = ()
    checkpoint: CheckpointRow | None = None
    renews: bool = False
    """What the seats knew before is of no use: the table is new, or its epoch."""
    code: str = Verdict.OK
    article: str = ""


class Draft:
    """Records on the way: begun after the last record of a chain, at the moment ``at``."""

    def __init__(self, table: TableId, past: Chain, course: Course | None, vault: Vault, at: int) -> None:
        self._table = table
        self._epoch = past.epoch
        self._n = past.n
        self._head = past.head
        self._course = course
        self._vault = vault
        self._at = at
        self._renews = course is None
        self._records: list[RecordRow] = []
        self._secrets: list[SecretRow] = []

    @property
    def course(self) -> Course:
        """How things stand after what was added so far."""
        if self._course is None:
            raise ValueError("a table's first record must open it")
        return self._course

    def begin_epoch(self) -> Draft:
        """What follows belongs to a new epoch: the log was restored, and that has been accepted."""
        self._epoch += 1
        self._renews = True
        return self

    def move_to(self, at: int) -> Draft:
        """What follows happens at that moment."""
        self._at = at
        return self

    def add(self, cause: Cause, *events: Event) -> Draft:
        """Adds events of one cause, in order. Only the first record of an act carries ``used``."""
        for event in events:
            self._add(event, cause)
            if cause.used is not None:
                cause = msgspec.structs.replace(cause, used=None)
        return self

    def open_decisions(self) -> Draft:
        """Adds the opening of every decision that is owed now and has no clock yet."""
        course = self.course
        known = {clock.decision for clock in course.clocks}
        for decision in course.open_decisions:
            if decision not in known:
                limit = course.package.play.clock_plan(course.play, decision).limit
                self._add(DecisionOpened(decision.seat, decision.kind, limit), Cause(by="authority"))
        return self

    def step(self) -> Step:
        """The draft, finished."""
        records, secrets = tuple(self._records), tuple(self._secrets)
        return Step(self.course, self._n, self._head, records, secrets, renews=self._renews)

    def _add(self, event: Event, cause: Cause) -> None:
        n = self._n + 1
        kind, body, secret = codec.encode_event(event)
        commit = "" if secret is None else self._seal(n, _json.encode(secret))
        record = Record(
            v=VERSION,
            venue=self._table.venue,
            event=self._table.event,
            stage=self._table.stage,
            round=self._table.round,
            table=self._table.table,
            epoch=self._epoch,
            n=n,
            at=self._at,
            kind=kind,
            body=body,
            cause=cause,
            commit=commit,
        )
        public = _json.encode(record)
        self._head = chain.link(self._head, public)
        self._records.append(RecordRow(*self._table.key, self._epoch, n, public, self._head))
        entry = Entry(event, cause, n, self._at)
        self._course = begin(entry) if self._course is None else evolve(self._course, entry)
        self._n = n

    def _seal(self, n: int, secret: bytes) -> str:
        place = Place(*self._table.key, self._epoch, n)
        sealed = self._vault.seal(place, secret)
        self._secrets.append(SecretRow(*place, sealed.cipher))
        return sealed.commit
