"""The course of a table: everything that its log says, folded into one value.

``evolve`` is the only way from one course to the next, live and in recovery, so a replay cannot
differ from what happened. It never judges; it never asks what the time is: moments come with the
records. Which game is played, it does not know either: it asks the game's package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from broker.engine.game import Decision, Event
from broker.engine.games import GAMES, Package
from broker.engine.seats import SEATS, Seat
from broker.protocol import codec
from broker.protocol.happenings import (
    BeaconDrawn,
    BoardCommitment,
    BoardOpened,
    BoardsCommitted,
    DecisionOpened,
    Paused,
    Recovered,
    Resumed,
    Seated,
    SeatFound,
    SeatLost,
    SeatReady,
    TableOpened,
)
from broker.protocol.messages import Cause
from broker.tables.clocks import Clock, Stopwatch

_NOBODY: Final = ("",) * len(SEATS)
_NEVER: Final = (0,) * len(SEATS)


class Entry(NamedTuple):
    """One record as the fold takes it: ``at`` is its moment in milliseconds, ``n`` its number."""

    event: Event
    cause: Cause
    n: int
    at: int


@dataclass(frozen=True, slots=True)
class Course:
    """How things stand at a table after its last record."""

    package: Package
    rules: Any
    play: Any
    """The game's own state."""
    at: int
    """Moment of the last record."""
    seats: tuple[Seated, ...] = ()
    boards: tuple[BoardCommitment, ...] = ()
    seeds: tuple[str, ...] = field(default=(), repr=False)
    opened: int = 0
    """Boards whose seed has been told."""
    nonces: tuple[str, ...] = _NOBODY
    """By seat; empty until it is ready."""
    beacon: str = ""
    dealt: int = 0
    """Boards that have been dealt."""
    clocks: tuple[Clock, ...] = ()
    """One for each open decision."""
    timed_out: frozenset[int] = frozenset()
    """Numbers of the decisions that the clock has closed."""
    graced: tuple[int, ...] = _NEVER
    """By seat: the deal in which its clock last stood still because it was lost."""
    paused: str = ""
    """Code of the stoppage; empty while play goes on."""
    paused_at: int = 0
    game_clock: Stopwatch = field(default_factory=Stopwatch)
    """Runs from the first deal to the end of the game."""

    @property
    def ready(self) -> tuple[Seat, ...]:
        """Seats that are ready."""
        return tuple(seat for seat in SEATS if self.nonces[seat])

    @property
    def is_over(self) -> bool:
        """Whether the game has its result."""
        return self.package.play.is_over(self.play)

    @property
    def is_closed(self) -> bool:
        """Whether nothing will be added any more: all boards have been opened."""
        return self.opened == len(self.boards) > 0

    @property
    def open_decisions(self) -> tuple[Decision, ...]:
        """Which seats owe what now."""
        return self.package.play.open_decisions(self.play)

    def clock_of(self, seat: Seat) -> Clock | None:
        """The clock of what the seat owes; None if it owes nothing."""
        return next((clock for clock in self.clocks if clock.seat == seat), None)


def begin(entry: Entry) -> Course:
    """The course after the first record of a table, which must be ``TableOpened``.

    ``ValueError`` if it is not; ``Malformed`` if its rules cannot be read.
    """
    event = entry.event
    if not isinstance(event, TableOpened):
        raise ValueError("a table's first record must open it")
    package = GAMES[event.game]
    rules = codec.decode_rules(event.game, event.rules)
    return Course(package=package, rules=rules, play=package.play.start(rules), at=entry.at)


def evolve(course: Course, entry: Entry) -> Course:
    """The course after the record. ``ValueError`` if it cannot have happened."""
    return replace(_evolved(course, entry), at=entry.at)


def _evolved(course: Course, entry: Entry) -> Course:
    event, at = entry.event, entry.at
    match event:
        case Seated():
            return replace(course, seats=(*course.seats, event))
        case BoardsCommitted():
            return replace(course, boards=event.boards, seeds=event.seeds)
        case SeatReady():
            nonces = tuple(event.nonce if seat == event.seat else course.nonces[seat] for seat in SEATS)
            return replace(course, nonces=nonces)
        case BeaconDrawn():
            return replace(course, beacon=event.beacon)
        case DecisionOpened():
            return _decision_opened(course, event, entry)
        case Paused():
            return replace(_stopped(course, at), paused=event.cause, paused_at=at)
        case Resumed():
            return _started(replace(course, paused=""), at)
        case Recovered():
            return _recovered(course, at)
        case SeatLost():
            return _seat_lost(course, event, at)
        case SeatFound():
            return _each_clock(course, event.seat, lambda clock: clock.released(at, not course.paused))
        case BoardOpened():
            return replace(course, opened=course.opened + 1)
        case TableOpened():
            raise ValueError("a table is opened once")
        case _:
            return _played(course, entry)


# --- clocks --------------------------------------------------------------------------------------


def _decision_opened(course: Course, event: DecisionOpened, entry: Entry) -> Course:
    decision = Decision(event.seat, event.decision)
    plan = course.package.play.clock_plan(course.play, decision)
    watch = Stopwatch() if course.paused else Stopwatch(since=entry.at)
    return replace(course, clocks=(*course.clocks, Clock(decision, entry.n, plan, watch)))


def _stopped(course: Course, at: int) -> Course:
    clocks = tuple(clock.stopped(at) for clock in course.clocks)
    return replace(course, clocks=clocks, game_clock=course.game_clock.stopped(at))


def _started(course: Course, at: int) -> Course:
    started = replace(course, clocks=tuple(clock.started(at) for clock in course.clocks))
    if course.is_over or not course.dealt:
        return started
    return replace(started, game_clock=course.game_clock.started(at))


def _recovered(course: Course, at: int) -> Course:
    """Nothing ran between the last record and now: what remained then remains."""
    stopped = _stopped(course, course.at)
    return stopped if course.paused else _started(stopped, at)


def _seat_lost(course: Course, event: SeatLost, at: int) -> Course:
    graced = tuple(course.dealt if seat == event.seat else course.graced[seat] for seat in SEATS)
    held = _each_clock(course, event.seat, lambda clock: clock.hold(at, event.grace))
    return replace(held, graced=graced)


def _each_clock(course: Course, seat: Seat, change: Callable[[Clock], Clock]) -> Course:
    clocks = tuple(change(clock) if clock.seat == seat else clock for clock in course.clocks)
    return replace(course, clocks=clocks)


# --- the game ------------------------------------------------------------------------------------


def _played(course: Course, entry: Entry) -> Course:
    """After an event of the game. One that deals a board names it in a field ``board``."""
    play = course.package.play.evolve(course.play, entry.event)
    after = _clocked(replace(course, play=play), entry)
    if hasattr(entry.event, "board"):
        after = replace(after, dealt=after.dealt + 1)
        return after if after.paused else replace(after, game_clock=after.game_clock.started(entry.at))
    return replace(after, game_clock=after.game_clock.stopped(entry.at)) if after.is_over else after


def _clocked(course: Course, entry: Entry) -> Course:
    """Clocks of decisions that are closed go. Those that the clock itself has closed are noted."""
    if not course.clocks:
        return course
    owed = course.open_decisions
    by_clock = entry.cause.by == "clock"
    clocks = tuple(_reached(clock, entry) for clock in course.clocks) if by_clock else course.clocks
    gone = {clock.answers for clock in clocks if by_clock and clock.reached and clock.decision not in owed}
    stay = tuple(clock for clock in clocks if clock.decision in owed)
    return replace(course, clocks=stay, timed_out=course.timed_out | gone)


def _reached(clock: Clock, entry: Entry) -> Clock:
    """The first record of a step of the clock names the seat whose time it is, and in ``used`` the step."""
    used = entry.cause.used
    if used is None or clock.seat != getattr(entry.event, "seat", None):
        return clock
    return replace(clock, reached=used)
