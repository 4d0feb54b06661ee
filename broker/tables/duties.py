"""Duties: what a table has to do by itself, and when.

A table has many moments ahead (clocks, graces, the bell, the next board); only the earliest
matters, and it is found anew after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from broker.engine.seats import Seat
from broker.tables.clocks import Clock
from broker.tables.draft import Step
from broker.tables.plan import Settings
from broker.tables.table import AUTHORITY, NO_BOARD, Table

SLACK: Final = 10
"""Milliseconds between the stamp of an arrival and its place in the inbox, at most. The clock
waits that long for what was stamped before a deadline."""


class Presence(NamedTuple):
    """Whether the device of a seat is there (None: not known), and since when."""

    online: bool | None
    since: int


class Duty(NamedTuple):
    """Something to do at ``due``; ``perform`` takes the moment when it is done.

    What was stamped before ``due`` comes first, so it is done ``slack`` later if nothing comes.
    """

    due: int
    slack: int
    perform: Callable[[int], Step]

    @property
    def wake(self) -> int:
        """The moment at which it is done if nothing came in."""
        return self.due + self.slack


def next_duty(
    table: Table, presence: Mapping[Seat, Presence], settings: Settings, has_room: bool
) -> Duty | None:
    """The earliest duty of a table; None if it only waits for its seats or for a referee."""
    course = table.course
    if course.is_closed or course.paused:
        return None
    if course.is_over:
        return Duty(course.at, 0, table.close)
    return min(_duties(table, presence, settings, has_room), key=lambda duty: duty.due, default=None)


def _duties(
    table: Table, presence: Mapping[Seat, Presence], settings: Settings, has_room: bool
) -> Iterator[Duty]:
    for clock in table.course.clocks:
        yield from _of_clock(table, clock, presence.get(clock.seat), settings)
    yield from _bell(table)
    if has_room:
        yield from _board(table, settings)


def _of_clock(table: Table, clock: Clock, there: Presence | None, settings: Settings) -> Iterator[Duty]:
    due = clock.due(settings.network_grace)
    if due is not None:
        yield Duty(due, SLACK, partial(table.tick, clock))
    over = clock.hold_over()
    if over is not None:
        back = over if there is None or not there.online else min(over, there.since)
        yield Duty(back, 0, partial(table.release, clock, back))
    elif there is not None and there.online is False and _may_be_held(table, clock, settings):
        lost = max(there.since, clock.watch.since or 0)
        yield Duty(lost, 0, partial(table.hold, clock.seat, settings.lost_grace, lost))


def _may_be_held(table: Table, clock: Clock, settings: Settings) -> bool:
    """A running clock may stand still for a lost seat once a deal."""
    course = table.course
    runs = clock.watch.since is not None
    return runs and settings.lost_grace > 0 and course.graced[clock.seat] != course.dealt


def _bell(table: Table) -> Iterator[Duty]:
    minutes: int | None = getattr(table.course.rules, "game_minutes", None)
    due = None if minutes is None else table.course.game_clock.due(minutes * 60_000)
    if due is not None and not table.bell_rung:
        yield Duty(due, SLACK, table.ring_bell)


def _board(table: Table, settings: Settings) -> Iterator[Duty]:
    course = table.course
    if not course.beacon or not course.package.play.wants_board(course.play):
        return
    if course.dealt == len(course.boards):
        yield Duty(course.at, 0, lambda at: table.pause(NO_BOARD, at, AUTHORITY))
    else:
        yield Duty(course.at + (settings.deal_pause if course.dealt else 0), 0, table.deal)
