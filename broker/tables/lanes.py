"""Lanes: what waits for each table, and the agenda of the moments at which tables act by themselves."""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from typing import Final

from broker.tables.devices import Device
from broker.tables.draft import Step
from broker.tables.duties import Duty, Presence, next_duty
from broker.tables.plan import Settings
from broker.tables.table import Table

_AT: Final = attrgetter("at")


@dataclass(frozen=True, slots=True)
class Incoming:
    """An act that came in at ``at`` and has not been looked at."""

    at: int
    device: Device
    payload: bytes
    topic: str


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the venue wants of a table: ``run`` takes the present moment."""

    at: int
    run: Callable[[int], Step]
    done: Future[None]


@dataclass(eq=False, slots=True)
class Lane:
    """What waits for one table, by the moment of its arrival. Without a table: the hall, where
    devices are that have no seat."""

    table: Table | None
    devices: tuple[Device, ...] = ()
    waiting: list[Incoming | Command] = field(default_factory=list)
    duty: Duty | None = None

    def add(self, work: Incoming | Command) -> None:
        """Something more waits; what arrived at the same moment keeps its order."""
        insort(self.waiting, work, key=_AT)

    def put_back(self, work: Incoming | Command) -> None:
        """It was taken, but could not be stored; it comes first again."""
        self.waiting.insert(0, work)

    def seated(self) -> list[Device]:
        """Devices that sit at this table and nowhere else by now."""
        return [device for device in self.devices if device.table is self.table]

    def plan(self, settings: Settings, has_room: bool) -> None:
        """Finds the next duty of the table anew."""
        if self.table is None or not self.table.is_open:
            return
        presence = {device.seat: Presence(device.online, device.since) for device in self.seated()}
        self.duty = next_duty(self.table, presence, settings, has_room)

    def is_due(self, now: int) -> bool:
        """Whether there is something to do now."""
        return bool(self.waiting) or (self.duty is not None and self.duty.wake <= now)

    def duty_first(self, now: int) -> Duty | None:
        """The duty, if it comes before everything that waits: what was stamped earlier wins."""
        duty = self.duty
        if duty is None:
            return None
        if self.waiting:
            return duty if duty.due <= self.waiting[0].at else None
        return duty if duty.wake <= now else None


class Agenda:
    """Lanes by the moment of their next duty. A lane's older entries do no harm: it is asked again."""

    def __init__(self) -> None:
        self._moments: list[tuple[int, int, Lane]] = []
        self._serial = count()

    def put(self, lane: Lane) -> None:
        """The lane has to be looked at when its duty is due."""
        if lane.duty is not None:
            heapq.heappush(self._moments, (lane.duty.wake, next(self._serial), lane))

    def take_due(self, now: int) -> Iterator[Lane]:
        """Lanes whose moment has come; one may come more than once."""
        while self._moments and self._moments[0][0] <= now:
            yield heapq.heappop(self._moments)[2]

    def next_moment(self) -> int | None:
        """When the first lane has to be looked at."""
        return self._moments[0][0] if self._moments else None
