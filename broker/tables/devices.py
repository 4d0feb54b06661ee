"""Devices: whose key signs, which session runs, whether it is there, and what it may send next."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from broker.engine.seats import Seat
from broker.protocol import envelope
from broker.protocol.codec import decode_hello
from broker.protocol.envelope import BadSignature
from broker.protocol.happenings import Seated
from broker.protocol.messages import Action, DeviceStatus
from broker.protocol.verdict import Malformed, Verdict
from broker.tables.faults import Rejected
from broker.tables.log import Log
from broker.tables.table import Table

_GONE: Final = frozenset({"offline", "lost"})


@dataclass(slots=True)
class Session:
    """One life of a seat's process: what it has used of its sequence and ids."""

    id: str
    last: int = 0
    sequence: set[int] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)

    def may_send(self, action: Action) -> bool:
        """Whether the act's number is the next, or was overtaken by a hello and not used yet.

        A hello may overtake: after a reconnection it can be the first to come, while what was
        signed before it is sent again behind it.
        """
        if action.seq in self.sequence:
            return False
        return action.seq <= self.last + 1 or action.kind == "hello"

    def take(self, act: str, seq: int) -> None:
        """The id and the number are used now."""
        self.ids.add(act)
        self.sequence.add(seq)
        self.last = max(self.last, seq)


@dataclass(slots=True)
class Device:
    """A device that sits, or has sat, at a table."""

    id: str
    signing_key: Ed25519PublicKey
    sealing_key: X25519PublicKey
    table: Table | None = None
    seat: Seat = 0
    session: Session | None = None
    greeted: bool = False
    """It has greeted this run of the authority, and is told what happens."""
    online: bool | None = None
    """None: not heard of since the authority started."""
    since: int = 0
    """Moment at which ``online`` changed."""
    announced: str = ""
    """The session that its status named last."""
    waiting: int = 0
    """Its acts that wait to be judged."""

    def seat_at(self, table: Table, seated: Seated) -> None:
        """The device sits at that table from now on, with these keys."""
        self.signing_key, self.sealing_key = keys_of(seated)
        self.table, self.seat = table, seated.seat

    def heard(self, status: DeviceStatus, now: int) -> bool:
        """Takes a status; whether it changed anything. The late will of an older session does not."""
        gone = status.state in _GONE
        if gone and status.session != (self.announced or (self.session.id if self.session else "")):
            return False
        self.announced = status.session
        return self.is_there(not gone, now)

    def is_there(self, online: bool, now: int) -> bool:
        """Notes whether the device is there; whether that is new."""
        if self.online is online:
            return False
        self.online, self.since = online, now
        return True


def device_of(seated: Seated) -> Device:
    """A device as its seating names it."""
    return Device(seated.device, *keys_of(seated))


def keys_of(seated: Seated) -> tuple[Ed25519PublicKey, X25519PublicKey]:
    """The public keys of a seat: signing, sealing."""
    return (
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(seated.signing_key)),
        X25519PublicKey.from_public_bytes(bytes.fromhex(seated.sealing_key)),
    )


@dataclass(frozen=True, slots=True)
class Received:
    """An act that takes its place in its session's sequence. ``begins``: the session is new."""

    action: Action
    envelope: bytes
    digest: str
    begins: bool


@dataclass(frozen=True, slots=True)
class Known:
    """An act that was answered before."""

    action: Action
    answer: bytes


class Reception:
    """The first checks of an act: its form, its signature, its id, its session, its sequence."""

    def __init__(self, log: Log, boot: str) -> None:
        self._log = log
        self._boot = boot

    def receive(self, device: Device, payload: bytes, topic: str) -> Received | Known:
        """The act, known to be the device's own. ``Rejected`` if it does not come that far."""
        action = self._read(device, payload, topic)
        answer = self._answer(device, action)
        if answer is not None:
            return Known(action, answer)
        begins = self._begins(device, action)
        if not begins and not (device.session and device.session.may_send(action)):
            raise Rejected(Verdict.OUT_OF_SEQUENCE, action.id)
        return Received(action, payload, sha256(payload).hexdigest(), begins)

    def _read(self, device: Device, payload: bytes, topic: str) -> Action:
        try:
            signed = envelope.verify(envelope.open_envelope(payload), device.signing_key, topic)
            action = envelope.decode_action(signed)
        except Malformed:
            raise Rejected(Verdict.MALFORMED) from None
        except BadSignature:
            raise Rejected(Verdict.BAD_SIGNATURE) from None
        if action.device != device.id:
            raise Rejected(Verdict.BAD_SIGNATURE)
        return action

    def _answer(self, device: Device, action: Action) -> bytes | None:
        """The answer that the act got before, if its session has sent it before."""
        session = device.session
        if session and session.id == action.session and action.id not in session.ids:
            return None
        return self._log.answer(device.id, action.session, action.id)

    def _begins(self, device: Device, action: Action) -> bool:
        """Whether the act begins a session. ``Rejected`` if it belongs to none that runs."""
        if device.session and device.session.id == action.session:
            return False
        if action.kind != "hello" or self._log.knows_session(device.id, action.session):
            raise Rejected(Verdict.WRONG_SESSION, action.id)
        try:
            hello = decode_hello(action.args)
        except Malformed:
            raise Rejected(Verdict.MALFORMED, action.id) from None
        if hello.boot != self._boot:
            raise Rejected(Verdict.WRONG_SESSION, action.id)
        return True


class Limiter:
    """At most ``rate`` times a second for each name, in bursts of as many."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._buckets: dict[str, tuple[float, int]] = {}

    def allows(self, name: str, now: int) -> bool:
        """Whether once more is allowed now."""
        level, then = self._buckets.get(name, (0.0, now))
        level = max(0.0, level - (now - then) * self._rate / 1000)
        allowed = level + 1 <= self._rate
        self._buckets[name] = (level + allowed, now)
        return allowed
