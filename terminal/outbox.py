"""The outbox: acts that this seat has signed and that have no answer yet.

An act is signed once. What is sent again after a break is the same bytes, so the authority can
know it by its id and nothing counts twice.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from broker.protocol import envelope, topics
from broker.protocol.messages import VERSION, Action, Seen
from provisioning.identity import DeviceIdentity


@dataclass(frozen=True, slots=True)
class Place:
    """Where an act belongs: its event, table, deal, decision and what was seen."""

    event: str = ""
    table: str = ""
    deal: int = 0
    answers: int = 0
    seen: Seen = field(default_factory=lambda: Seen(epoch=0, n=0, hash=""))
    shown: int = 0


@dataclass(slots=True)
class Signed:
    """One signed act: when it was made, how often and when last it was handed out."""

    id: str
    kind: str
    at: int
    envelope: bytes
    sent_at: int
    sent: int = 0
    due: bool = True


class Outbox:
    """Signs the acts of one session and keeps them until they are answered."""

    def __init__(self, identity: DeviceIdentity, now: Callable[[], int]) -> None:
        self._identity = identity
        self._now = now
        self._topic = topics.device_act(identity.venue, identity.device)
        self._unanswered: dict[str, Signed] = {}
        self._seq = 0
        self.session = secrets.token_hex(8)

    def sign(self, kind: str, args: dict[str, Any], place: Place) -> Signed:
        """The act, signed and due to be sent. Its sequence is the next of the session."""
        self._seq += 1
        action = Action(
            v=VERSION,
            id=uuid.uuid4().hex,
            device=self._identity.device,
            session=self.session,
            seq=self._seq,
            event=place.event,
            table=place.table,
            deal=place.deal,
            answers=place.answers,
            seen=place.seen,
            kind=kind,
            args=args,
            shown=place.shown,
            acted=self._now(),
        )
        raw = envelope.sign(envelope.encode_action(action), self._identity.signing_key, self._topic)
        signed = Signed(action.id, kind, action.acted, raw, sent_at=action.acted)
        self._unanswered[signed.id] = signed
        return signed

    def due(self) -> list[bytes]:
        """Envelopes to publish now, in order; each call hands them out once."""
        due = [signed for signed in self._unanswered.values() if signed.due]
        for signed in due:
            signed.due = False
            signed.sent += 1
            signed.sent_at = self._now()
        return [signed.envelope for signed in due]

    def resend(self, first: str = "") -> None:
        """Makes every unanswered act due again, as the same bytes; those of kind ``first`` go first."""
        for signed in self._unanswered.values():
            signed.due = True
        in_order = sorted(self._unanswered.values(), key=lambda signed: signed.kind != first)
        self._unanswered = {signed.id: signed for signed in in_order}

    def drop(self, kind: str) -> None:
        """Waits no longer for answers to acts of that kind."""
        self._unanswered = {act: signed for act, signed in self._unanswered.items() if signed.kind != kind}

    def settle(self, act: str) -> Signed | None:
        """The act of that id, which has now been answered; None if it is not waiting."""
        return self._unanswered.pop(act, None)

    def waits_since(self, moment: int) -> bool:
        """Whether an act without an answer was last handed out before that moment."""
        return any(signed.sent_at < moment for signed in self._unanswered.values())

    def renew(self) -> None:
        """A new session, from sequence 1; unanswered acts of the old one are given up."""
        self._unanswered.clear()
        self._seq = 0
        self.session = secrets.token_hex(8)
