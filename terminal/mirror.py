"""The mirror: this seat's copy of its table, as far as it continues the table's chain.

An update is taken whole or not at all: first the chain, then the own view (signature and seal),
then the public view. What is wrong with it comes out as ``Broken``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from broker.engine.game import DecisionKind
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import OwnView, View
from broker.engine.seats import Seat
from broker.protocol import codec, sealing, topics
from broker.protocol.envelope import BadSignature
from broker.protocol.messages import ClockReading, Seating, Update
from broker.protocol.verdict import Malformed
from provisioning.identity import DeviceIdentity, public_hex
from terminal.outbox import Place
from terminal.past import Break, Broken, Past
from terminal.state import ClockFace

_DECISIONS: Final = frozenset(DecisionKind)
_NOTHING_OWN: Final = OwnView(hand=(), allowed=(), chosen=None, received=None)


class Mirror:
    """What a seat knows of its table. ``now`` gives monotonic milliseconds."""

    def __init__(self, identity: DeviceIdentity, now: Callable[[], int]) -> None:
        self.seating: Seating | None = None
        self.rules: Rules | None = None
        self.view: View | None = None
        self.paused = ""
        self.ready_seats: tuple[Seat, ...] = ()
        self._identity = identity
        self._now = now
        self._past: Past | None = None
        self._clocks: Mapping[Seat, ClockReading] = {}
        self._clocks_at = 0
        self._shown = (0, 0)

    @property
    def n(self) -> int:
        """Number of the last record that is known and verified."""
        return self._past.n if self._past else 0

    def sit_down(self, seating: Seating) -> None:
        """Takes the seat. ``Broken`` if another authority assigns it, or if its rules are unreadable.

        Another table or epoch makes all that was known useless: what was seen, the authority has
        been told by the hello.
        """
        if seating.authority_key != public_hex(self._identity.authority_key):
            raise Broken(Break.AUTHORITY)
        try:
            rules: Rules = codec.decode_rules(seating.game, seating.rules)
        except Malformed:
            raise Broken(Break.RULES) from None
        if self._past is None or not self._past.is_of(seating):
            self._start_over(seating)
        self.seating, self.rules = seating, rules

    def follow(self, update: Update) -> bool:
        """Whether the update told anything new. ``Broken`` if it may not be believed.

        Without a seat nothing can be told.
        """
        if self._past is None or self.seating is None:
            return False
        if self._past.repeats(update) and not update.snapshot:
            return False
        past = self._past.after(update)
        view = self._read(update, self.seating)
        self._wind(update.clocks, self.seating.seat)
        self._past, self.view = past, view
        self.paused = update.paused
        self.ready_seats = update.ready
        return True

    def clock_of(self, seat: Seat) -> ClockFace | None:
        """The clock of the decision that the seat owes; None if it owes none."""
        reading = self._clocks.get(seat)
        if reading is None:
            return None
        passed = self._now() - self._clocks_at if reading.running else 0
        return ClockFace(max(0, reading.remaining - passed), reading.limit, reading.running)

    def owes(self) -> DecisionKind | None:
        """The own open decision."""
        reading = self._own_clock()
        return DecisionKind(reading.decision) if reading else None

    def place(self) -> Place:
        """Where an act belongs that is made now."""
        if self._past is None or self.seating is None:
            return Place()
        reading = self._own_clock()
        return Place(
            event=self.seating.event,
            table=self.seating.table,
            deal=self.view.public.deal if self.view else 0,
            answers=reading.answers if reading else 0,
            seen=self._past.seen,
            shown=self._shown[1],
        )

    def _start_over(self, seating: Seating) -> None:
        self._past = Past.genesis(seating)
        self.view = None
        self.paused = ""
        self.ready_seats = ()
        self._clocks = {}

    def _read(self, update: Update, seating: Seating) -> View:
        try:
            public = codec.decode_public_view(seating.game, update.view)
            return View(seating.seat, public, self._read_own(update, seating))
        except Malformed:
            raise Broken(Break.UNREADABLE) from None
        except BadSignature:
            raise Broken(Break.OWN) from None

    def _read_own(self, update: Update, seating: Seating) -> OwnView:
        """The own view that came with the update, or the one before it."""
        if not update.own:
            unchanged = None if update.snapshot or self.view is None else self.view.own
            return unchanged or _NOTHING_OWN
        raw = sealing.open_own(
            update.own,
            self._identity.sealing_key,
            venue=seating.venue,
            table=update.table,
            epoch=update.epoch,
            n=update.n,
            device=self._identity.device,
            authority_public=self._identity.authority_key,
            topic=topics.device_in(seating.venue, self._identity.device),
        )
        own: OwnView = codec.decode_own_view(seating.game, raw)
        return own

    def _wind(self, clocks: tuple[ClockReading, ...], seat: Seat) -> None:
        if any(reading.decision not in _DECISIONS for reading in clocks):
            raise Broken(Break.UNREADABLE)
        self._clocks = {reading.seat: reading for reading in clocks}
        self._clocks_at = self._now()
        own = self._clocks.get(seat)
        if own and own.answers != self._shown[0]:
            self._shown = (own.answers, self._clocks_at)

    def _own_clock(self) -> ClockReading | None:
        return self._clocks.get(self.seating.seat) if self.seating else None
