"""Telling: what each device is told, composed for it alone, and what goes to referees.

A device gets one ordered stream: the public records and view of its own table, and its own view
sealed to its key. Referees get public parts only. Nothing secret is retained or on a shared topic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine.seats import SEATS
from broker.protocol import codec, topics
from broker.protocol.messages import (
    VERSION,
    ClockReading,
    EngineStatus,
    Seating,
    TableEvents,
    TableState,
    Told,
    Update,
)
from broker.protocol.sealing import seal_own
from broker.tables.clocks import Clock
from broker.tables.devices import Device
from broker.tables.plan import Outbox
from broker.tables.rows import RecordRow
from broker.tables.table import Table

_json: Final = msgspec.json.Encoder()

EngineState = Literal["starting", "ready", "storage", "stopping", "lost"]


class Teller:
    """Composes messages of one run of the authority (``boot``) and hands them to the outbox."""

    def __init__(self, venue: str, boot: str, signing: Ed25519PrivateKey, outbox: Outbox) -> None:
        self._venue = venue
        self._boot = boot
        self._signing = signing
        self._authority_key = signing.public_key().public_bytes_raw().hex()
        self._outbox = outbox
        self._own_told: dict[str, bytes] = {}
        """By device: digest of the own view that it was told last."""

    # --- to everybody ------------------------------------------------------------------------------

    def status(self, state: EngineState, beat: int) -> None:
        """Whether the authority is there."""
        told = EngineStatus(v=VERSION, boot=self._boot, state=state, beat=beat)
        self._outbox.tell(topics.engine_status(self._venue), _json.encode(told), retain=True)

    def checkpoint(self, signed: bytes) -> None:
        """A state of a table that the venue has signed."""
        self._outbox.tell(topics.checkpoint(self._venue), signed)

    # --- to one device -----------------------------------------------------------------------------

    def answer(self, device: Device, answer: bytes) -> None:
        """The word on one act, as it is stored."""
        self._outbox.tell(topics.device_in(self._venue, device.id), answer)

    def welcome(self, device: Device, table: Table, now: int) -> None:
        """Where the device sits, and everything it may know there."""
        self._tell(device, self._seating(device, table))
        update = self._update(table, (), now, snapshot=True)
        self._tell(device, msgspec.structs.replace(update, own=self._own(device, table, always=True)))

    # --- to a table --------------------------------------------------------------------------------

    def records(
        self,
        table: Table,
        records: Sequence[RecordRow],
        to: Sequence[Device],
        seated: Sequence[Device],
        now: int,
    ) -> None:
        """New records: to the devices ``to``, and to referees with the state after them."""
        update = self._update(table, records, now, snapshot=False)
        for device in to:
            self._tell(device, msgspec.structs.replace(update, own=self._own(device, table, always=False)))
        events = TableEvents(
            table=update.table, epoch=update.epoch, n=update.n, hash=update.hash, records=update.records
        )
        self._outbox.tell(topics.table_events(self._venue, table.id.table), _json.encode(events))
        self._tell_state(table, seated, update)

    def state(self, table: Table, seated: Sequence[Device], now: int) -> None:
        """The public state, retained for referees; ``seated`` are the devices at the table."""
        self._tell_state(table, seated, self._update(table, (), now, snapshot=True))

    def _tell_state(self, table: Table, seated: Sequence[Device], update: Update) -> None:
        online = {device.seat for device in seated if device.online}
        told = TableState(
            table=update.table,
            epoch=update.epoch,
            n=update.n,
            hash=update.hash,
            view=update.view,
            clocks=update.clocks,
            players=tuple(told.player for told in table.course.seats),
            online=tuple(seat in online for seat in SEATS),
            paused=update.paused,
        )
        topic = topics.table_state(self._venue, table.id.table)
        self._outbox.tell(topic, _json.encode(told), retain=True)

    def no_state(self, table: str) -> None:
        """Takes back the retained state of a table that is no more."""
        self._outbox.tell(topics.table_state(self._venue, table), b"", retain=True)

    # --- parts -------------------------------------------------------------------------------------

    def _tell(self, device: Device, told: Told) -> None:
        self._outbox.tell(topics.device_in(self._venue, device.id), codec.encode_told(told))

    def _seating(self, device: Device, table: Table) -> Seating:
        course = table.course
        return Seating(
            venue=self._venue,
            event=table.id.event,
            stage=table.id.stage,
            round=table.id.round,
            table=table.id.table,
            seat=device.seat,
            players=tuple(told.player for told in course.seats),
            session=device.session.id if device.session else "",
            boot=self._boot,
            epoch=table.chain.epoch,
            game=course.package.name,
            rules=codec.encode_rules(course.rules),
            authority_key=self._authority_key,
        )

    def _update(self, table: Table, records: Sequence[RecordRow], now: int, snapshot: bool) -> Update:
        course = table.course
        return Update(
            table=table.id.table,
            epoch=table.chain.epoch,
            n=table.chain.n,
            hash=table.chain.head.hex(),
            records=tuple(record.public.decode() for record in records),
            view=_public_view(table),
            clocks=_clocks(course.clocks, now),
            ready=course.ready,
            paused=course.paused,
            snapshot=snapshot,
        )

    def _own(self, device: Device, table: Table, always: bool) -> str:
        """The sealed own view; empty if the device was told the same before, unless ``always``."""
        view = table.course.package.play.view(table.course.play, device.seat)
        raw = codec.encode_own_view(view.own)
        digest = hashlib.sha256(b"\0".join((table.id.event.encode(), table.id.table.encode(), raw))).digest()
        if not always and self._own_told.get(device.id) == digest:
            return ""
        self._own_told[device.id] = digest
        return seal_own(
            raw,
            device.sealing_key,
            venue=self._venue,
            table=table.id.table,
            epoch=table.chain.epoch,
            n=table.chain.n,
            device=device.id,
            signing_key=self._signing,
            topic=topics.device_in(self._venue, device.id),
        )


def _public_view(table: Table) -> msgspec.Raw:
    course = table.course
    view: Any = course.package.play.view(course.play, None)
    return msgspec.Raw(codec.encode_public_view(view.public))


def _clocks(clocks: Sequence[Clock], now: int) -> tuple[ClockReading, ...]:
    return tuple(
        ClockReading(
            seat=clock.seat,
            decision=clock.decision.kind,
            answers=clock.answers,
            limit=clock.plan.limit,
            remaining=clock.remaining(now),
            running=clock.watch.since is not None,
        )
        for clock in clocks
    )
