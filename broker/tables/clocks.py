"""Clocks: how long a decision has been open, when which step is due, what stands still.

All moments are milliseconds of one scale, that of the records' ``at``. Nothing here looks at a
clock: a moment is always given in. Conduct: clocks; a player's own time runs from the turn to the
accepted act, without stoppages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from broker.engine.game import ClockPlan, ClockStep, Consequence, Decision
from broker.engine.seats import Seat

_TAKES: Final = frozenset({Consequence.TIME_OUT, Consequence.INFRINGE})
"""Consequences that take something from a seat, and so wait for the network."""


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Time that ran: ``ran`` ms up to the last stop, and since ``since`` if it is running."""

    ran: int = 0
    since: int | None = None

    def read(self, now: int) -> int:
        """Milliseconds that it has run."""
        return self.ran if self.since is None else self.ran + max(0, now - self.since)

    def started(self, now: int) -> Stopwatch:
        """Running from now on; one that runs already stays as it is."""
        return Stopwatch(self.ran, now) if self.since is None else self

    def stopped(self, now: int) -> Stopwatch:
        """Standing at what it reads now."""
        return Stopwatch(self.read(now))

    def due(self, length: int) -> int | None:
        """The moment at which it will have run ``length`` ms; None while it stands."""
        return None if self.since is None else self.since + length - self.ran


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of one open decision.

    ``answers`` is the number of the record that opened it. ``reached`` is the moment of the plan
    up to which every step has been done. ``held`` measures how long it has stood still for a lost
    seat; None if it does not.
    """

    decision: Decision
    answers: int
    plan: ClockPlan
    watch: Stopwatch
    reached: int = 0
    held: Stopwatch | None = None
    grace: int = 0

    @property
    def seat(self) -> Seat:
        """Whose decision it is."""
        return self.decision.seat

    @property
    def step(self) -> ClockStep | None:
        """The next step of the plan; None if no more will come."""
        for step in self.plan.steps:
            if step.after > self.reached:
                return step
        if not (self.plan.repeat and self.plan.steps):
            return None
        last = self.plan.steps[-1]
        rounds = (self.reached - last.after) // self.plan.repeat + 1
        return ClockStep(last.after + rounds * self.plan.repeat, last.consequence)

    def due(self, network_grace: int) -> int | None:
        """The moment of the next step: what arrived before it comes first. None: not foreseeable."""
        step = self.step
        if step is None:
            return None
        grace = network_grace if step.consequence in _TAKES else 0
        return self.watch.due(step.after + grace)

    def used(self, arrived: int) -> int:
        """The player's own time if it acted at ``arrived``; never more than letting it run out."""
        ran, step = self.watch.read(arrived), self.step
        return ran if step is None else min(ran, step.after)

    def remaining(self, now: int) -> int:
        """Milliseconds to the limit that the seat is shown."""
        return max(0, self.plan.limit - self.watch.read(now))

    def hold_over(self) -> int | None:
        """The moment at which a lost seat's grace is used up; None if nothing is held."""
        return None if self.held is None else self.held.due(self.grace)

    def stopped(self, now: int) -> Clock:
        """Standing still, and with it the grace of a lost seat."""
        held = self.held and self.held.stopped(now)
        return replace(self, watch=self.watch.stopped(now), held=held)

    def started(self, now: int) -> Clock:
        """Going on after a stoppage; a clock that is held for a lost seat goes on being held."""
        if self.held is not None:
            return replace(self, held=self.held.started(now))
        return replace(self, watch=self.watch.started(now))

    def hold(self, now: int, grace: int) -> Clock:
        """Standing still for a lost seat."""
        return replace(self, watch=self.watch.stopped(now), held=Stopwatch(since=now), grace=grace)

    def released(self, now: int, running: bool) -> Clock:
        """No longer held; it runs again if the table does."""
        free = replace(self, held=None)
        return free.started(now) if running else free

    def shifted(self, opened: int) -> Clock:
        """Opened at another moment than its record says: when the record was safely stored."""
        return self if self.watch.since is None else replace(self, watch=Stopwatch(since=opened))
