"""The dialogue: a seat's talk with the authority, apart from what the talk is about.

It greets an authority that is new or back, follows the table through its ``Mirror``, keeps what it
has signed in its ``Outbox`` until that is answered, and knows whether what is known is current.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, Protocol

from broker.engine.guandan.views import View
from broker.protocol.messages import Announcement, Answer, EngineStatus, Seating, Told, Update
from broker.protocol.verdict import Verdict
from provisioning.identity import DeviceIdentity
from terminal.mirror import Mirror
from terminal.outbox import Outbox, Signed
from terminal.past import Break, Broken
from terminal.state import ALIVE, LinkState, Remark

PATIENCE: Final = 2_000
"""Milliseconds without an answer after which an act goes out again, on a connection that lives."""
UNSEATED_PATIENCE: Final = 60_000
"""The same for the hello of a device that has no seat yet: it is answered when it gets one."""

_HELLO: Final = "hello"
_SESSION_LOST: Final = (Verdict.WRONG_SESSION, Verdict.OUT_OF_SEQUENCE)
_REMARKS: Final = {
    Break.OWN: Remark.OWN_REFUSED,
    Break.AUTHORITY: Remark.FOREIGN_AUTHORITY,
    Break.RULES: Remark.UNKNOWN_RULES,
}


class Listener(Protocol):
    """Who takes part in the talk."""

    def followed(self, before: View | None) -> None:
        """The table has moved on from that view."""

    def answered(self, signed: Signed, answer: Answer) -> None:
        """An act other than a hello has its answer."""

    def given_up(self) -> None:
        """What has no answer yet will never get one."""

    def notify(self, key: str, fields: Mapping[str, str] | None = None, article: str = "") -> None:
        """Something is to be told."""

    def changed(self) -> None:
        """Anything may be different."""


class Dialogue:
    """The talk of one session. ``now`` gives monotonic milliseconds."""

    def __init__(
        self, identity: DeviceIdentity, software: str, now: Callable[[], int], listener: Listener
    ) -> None:
        self.link = LinkState("offline", now())
        self.mirror = Mirror(identity, now)
        self.outbox = Outbox(identity, now)
        self._software = software
        self._now = now
        self._listener = listener
        self._connected = False
        self._boot = ""
        self._renewed = False
        self._heard_at = now()

    @property
    def is_current(self) -> bool:
        """Whether what the mirror shows is how the table stands."""
        return self.link.state == "online"

    def age(self) -> int:
        """Milliseconds since the authority was last heard of."""
        return self._now() - self._heard_at

    def online(self, boot: str) -> None:
        """An authority with that boot can be talked to."""
        self._heard_at = self._now()
        self._connected = True
        self._greet(boot)

    def offline(self, cause: str) -> None:
        """Nobody can be talked to."""
        self._connected = False
        self._set_link("offline", cause)

    def engine_state(self, status: EngineStatus) -> None:
        """A beat of the authority, or a change of its state.

        It is greeted if it is new or back, or has not brought us up to date since its last beat.
        """
        self._heard_at = self._now()
        if status.state not in ALIVE:
            self._boot = ""
            self._set_link("offline", status.state)
        elif not self._connected:
            return
        elif status.boot != self._boot or (self.mirror.seating and not self.is_current):
            self._greet(status.boot)
        elif status.state == "ready" and self.outbox.waits_since(self._now() - self._patience()):
            self.outbox.resend()

    def receive(self, told: Told) -> None:
        """Something from the device's ``in`` topic."""
        self._heard_at = self._now()
        try:
            self._take(told)
        except Broken as broken:
            self._distrust(broken.cause)
        self._listener.changed()

    def outgoing(self) -> list[bytes]:
        """Envelopes to publish now, in order; each call hands them out once."""
        return self.outbox.due() if self._connected else []

    def say(self, kind: str, args: dict[str, Any]) -> Signed:
        """The act, signed, about the table as it is known now."""
        return self.outbox.sign(kind, args, self.mirror.place())

    def _patience(self) -> int:
        return PATIENCE if self.mirror.seating else UNSEATED_PATIENCE

    def _take(self, told: Told) -> None:
        match told:
            case Seating():
                if told.session == self.outbox.session:
                    self.mirror.sit_down(told)
            case Update():
                self._follow(told)
            case Answer():
                self._settle(told)
            case Announcement():
                self._listener.notify(told.key, told.fields)

    def _greet(self, boot: str) -> None:
        """Asks for a seating and a snapshot. What has no answer goes out again behind the hello.

        A hello that got none is no longer of use; only a hello may leave its number unused.
        """
        self._boot = boot
        self._set_link("connecting", "" if self.link.state == "offline" else self.link.cause)
        self.outbox.drop(_HELLO)
        place = replace(self.mirror.place(), answers=0)
        self.outbox.sign(_HELLO, {"boot": boot, "software": self._software}, place)
        self.outbox.resend(first=_HELLO)

    def _follow(self, update: Update) -> None:
        """Only a snapshot brings a dialogue that is not current up to date."""
        if not self._connected or not (self.is_current or update.snapshot):
            return
        before = self.mirror.view
        if self.mirror.follow(update):
            self._set_link("online")
            self._renewed = False
            self._listener.followed(before)

    def _distrust(self, cause: Break) -> None:
        """What is known is not current. A snapshot is asked for at once, and then at every beat."""
        was_current = self.is_current
        self._set_link("connecting", cause.value)
        self._listener.notify(_REMARKS.get(cause, Remark.PAST_BROKEN), {"cause": cause.value})
        if was_current and self._connected:
            self._greet(self._boot)

    def _settle(self, answer: Answer) -> None:
        signed = self.outbox.settle(answer.id)
        if signed is None:
            return
        greeting = signed.kind == _HELLO
        if not greeting:
            self._listener.answered(signed, answer)
        if answer.code in _SESSION_LOST:
            self._begin_again(answer.code)
        elif greeting and answer.code != Verdict.OK:
            self._set_link("connecting", answer.code)
        elif answer.code == Verdict.UNKNOWN_PAST:
            self._distrust(Break.FORK)

    def _begin_again(self, code: str) -> None:
        """The authority does not know our sequence, having lost its log, say: a new session, once."""
        if self._renewed:
            self._set_link("connecting", code)
            return
        self._renewed = True
        self.outbox.renew()
        self._listener.given_up()
        self._greet(self._boot)

    def _set_link(self, state: Literal["connecting", "online", "offline"], cause: str = "") -> None:
        since = self.link.since if self.link.state == state else self._now()
        self.link = LinkState(state, since, cause)
        self._listener.changed()
