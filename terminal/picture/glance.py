"""A glance: the session as one drawing of the screen sees it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from broker.engine.cards import Cards, Rank, wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import OwnView, Phase, PublicView, TributeView
from broker.engine.refusal import Refused
from broker.engine.seats import SEATS, Seat, Side, side_of
from broker.protocol.messages import Seating
from terminal.session import Session
from terminal.state import ClockFace, LinkState, Notice, Pending
from terminal.wording import Wording


@dataclass(frozen=True)
class Glance:
    """Everything that a drawing of the table needs; all of it from the session."""

    words: Wording
    seating: Seating
    rules: Rules
    public: PublicView
    private: OwnView
    link: LinkState
    age: int
    selected: Cards
    options: tuple[Reading, ...]
    problem: Refused | None
    owes: DecisionKind | None
    must_pass: bool
    flushes: tuple[Cards, ...]
    pending: Pending | None
    notice: Notice | None
    clocks: Mapping[Seat, ClockFace]
    paused: str
    exchanged: TributeView | None = None
    """What was exchanged before this deal, until its first trick has ended."""

    @property
    def own(self) -> Seat:
        """The own seat."""
        return self.seating.seat

    @property
    def side(self) -> Side:
        """The own side."""
        return side_of(self.own)

    @property
    def stale(self) -> bool:
        """Whether what is shown may be out of date."""
        return self.link.state != "online"

    @property
    def to_beat(self) -> Reading | None:
        """The reading of the play on the table."""
        return self.public.table.reading if self.public.table else None

    @property
    def acting(self) -> tuple[Seat, ...]:
        """Seats that owe something."""
        return tuple(decision.seat for decision in self.public.open)

    @property
    def is_out(self) -> bool:
        """Whether the own cards are all played."""
        return self.own in self.public.out

    def name(self, seat: Seat) -> str:
        """The player at a seat."""
        return self.seating.players[seat]

    def seconds(self, seat: Seat) -> int | None:
        """Whole seconds left on a seat's clock, rounded up."""
        clock = self.clocks.get(seat)
        return None if clock is None else max(0, -(-clock.remaining // 1000))


class Glances:
    """Glances at one session. What the rules say of it is asked again only when it has changed."""

    def __init__(self, session: Session, words: Wording) -> None:
        self._session = session
        self._words = words
        self._last: Glance | None = None
        self._version = -1
        self._exchange = _Exchange()

    def now(self) -> Glance | None:
        """The session now; None while there is no game to show."""
        session = self._session
        if session.version != self._version:
            self._last, self._version = _glance(session, self._words), session.version
            if self._last is not None:
                self._last = replace(self._last, exchanged=self._exchange.after(self._last.public))
        if self._last is None:
            return None
        return replace(self._last, age=session.age(), clocks=_clocks(session))


class _Exchange:
    """Remembers an exchange over the first trick: a quick leader must not take it out of sight."""

    def __init__(self) -> None:
        self._deal = 0
        self._shown: TributeView | None = None

    def after(self, public: PublicView) -> TributeView | None:
        """What is to be shown in that view."""
        if public.tribute is not None and public.phase is Phase.PLAYING:
            self._deal, self._shown = public.deal, public.tribute
        elif public.deal != self._deal or public.table is None:
            self._shown = None
        return self._shown


def _glance(session: Session, words: Wording) -> Glance | None:
    seating, rules, view = session.seating, session.rules, session.view
    if seating is None or rules is None or view is None or view.own is None:
        return None
    return Glance(
        words=words,
        seating=seating,
        rules=rules,
        public=view.public,
        private=view.own,
        link=session.link,
        age=session.age(),
        selected=session.selected,
        options=session.options(),
        problem=session.problem(),
        owes=session.owes(),
        must_pass=session.must_pass(),
        flushes=_distinct(session.straight_flushes(), view.public.level),
        pending=session.pending,
        notice=session.notice,
        clocks=_clocks(session),
        paused=session.paused,
    )


def _clocks(session: Session) -> dict[Seat, ClockFace]:
    faces = ((seat, session.clock_of(seat)) for seat in SEATS)
    return {seat: clock for seat, clock in faces if clock is not None}


def _distinct(flushes: Iterable[Cards], level: Rank) -> tuple[Cards, ...]:
    """Of straight flushes alike in suit and rank only the first, which needs the fewest wilds."""
    found: dict[tuple[int, Rank], Cards] = {}
    for cards in flushes:
        naturals = [card for card in cards if card != wild(level)]
        top = max(one.rank for one in readings(cards, level) if one.type is PlayType.STRAIGHT_FLUSH)
        found.setdefault((naturals[0] // 13, top), cards)
    return tuple(found.values())
