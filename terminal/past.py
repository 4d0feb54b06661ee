"""The past of a table as a seat knows it: how far it has followed the hash chain.

Nothing that comes in is believed before it continues this past record by record. A snapshot
may jump ahead, never back and never aside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from broker.protocol import chain
from broker.protocol.messages import Record, Seating, Seen, Update


class Break(StrEnum):
    """Why something that came in may not be believed."""

    GAP = "gap"
    """Records are missing before it."""
    FORK = "fork"
    """It tells another past than the one that was verified."""
    EPOCH = "epoch"
    TABLE = "table"
    UNREADABLE = "unreadable"
    OWN = "own"
    """The own cards are not signed by the authority, or sealed for another place."""
    AUTHORITY = "authority"
    """The seating names another authority than the one this seat was enrolled with."""
    RULES = "rules"
    """The rules cannot be read: this software does not fit."""


class Broken(Exception):
    """What came in may not be believed; nothing of it may be shown."""

    def __init__(self, cause: Break) -> None:
        super().__init__(cause.value)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Past:
    """The last record of the table that this seat has verified; ``n`` is 0 before the first."""

    venue: str
    event: str
    table: str
    epoch: int
    n: int
    hash: bytes

    @classmethod
    def genesis(cls, seating: Seating) -> Past:
        """The past of a table before its first record."""
        start = chain.genesis(seating.venue, seating.event, seating.table, seating.epoch)
        return cls(seating.venue, seating.event, seating.table, seating.epoch, 0, start)

    @property
    def seen(self) -> Seen:
        """What a signed act says of it."""
        return Seen(epoch=self.epoch, n=self.n, hash=self.hash.hex())

    def is_of(self, seating: Seating) -> bool:
        """Whether the seating is at this table, event and epoch."""
        mine = (self.venue, self.event, self.table, self.epoch)
        return mine == (seating.venue, seating.event, seating.table, seating.epoch)

    def repeats(self, update: Update) -> bool:
        """Whether the update tells only what is known; MQTT may deliver a message twice.

        ``Broken`` if its last record has our number and another hash.
        """
        self._check_place(update)
        if update.n == self.n and update.hash != self.hash.hex():
            raise Broken(Break.FORK)
        return update.n < self.n or (update.n == self.n and bool(update.records))

    def after(self, update: Update) -> Past:
        """The past after the update; ``Broken`` if it does not continue this one.

        The records are hashed again, and each must name this table and its own number.
        """
        self._check_place(update)
        last = self._jumped(update) if update.snapshot else self._walked(update)
        if last.hash.hex() != update.hash:
            raise Broken(Break.FORK)
        return last

    def _check_place(self, update: Update) -> None:
        if update.table != self.table:
            raise Broken(Break.TABLE)
        if update.epoch != self.epoch:
            raise Broken(Break.EPOCH)

    def _jumped(self, update: Update) -> Past:
        if update.n < self.n:
            raise Broken(Break.FORK)
        if update.n == self.n:
            return self
        return replace(self, n=update.n, hash=_digest(update.hash))

    def _walked(self, update: Update) -> Past:
        if update.n != self.n + len(update.records):
            raise Broken(Break.GAP)
        last = self.hash
        for n, text in enumerate(update.records, self.n + 1):
            public = text.encode()
            self._check_record(public, n)
            last = chain.link(last, public)
        return replace(self, n=update.n, hash=last)

    def _check_record(self, public: bytes, n: int) -> None:
        try:
            record = msgspec.json.decode(public, type=Record)
        except msgspec.MsgspecError:
            raise Broken(Break.UNREADABLE) from None
        named = (record.venue, record.event, record.table, record.epoch, record.n)
        if named != (self.venue, self.event, self.table, self.epoch, n):
            raise Broken(Break.FORK)


def _digest(text: str) -> bytes:
    try:
        digest = bytes.fromhex(text)
    except ValueError:
        raise Broken(Break.UNREADABLE) from None
    if len(digest) != 32:
        raise Broken(Break.UNREADABLE)
    return digest
