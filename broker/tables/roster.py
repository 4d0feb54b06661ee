"""The roster: which devices there are, at which tables they sit, and the lane of each table."""

from __future__ import annotations

from collections.abc import Iterable

from broker.tables.devices import Device, Session, device_of
from broker.tables.lanes import Incoming, Lane
from broker.tables.log import Log
from broker.tables.table import Table


class Roster:
    """Devices and lanes of one authority. A device is known from its first seat on."""

    def __init__(self) -> None:
        self.hall = Lane(None)
        self._devices: dict[str, Device] = {}
        self._lanes: dict[str, Lane] = {}
        self._reserved: set[str] = set()

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """Lanes of all tables, the hall not among them."""
        return tuple(self._lanes.values())

    @property
    def tables(self) -> list[tuple[Lane, Table]]:
        """Tables that have been opened, each with its lane."""
        return [(lane, lane.table) for lane in self.lanes if lane.table and lane.table.is_open]

    def lane(self, table: str) -> Lane | None:
        """The lane of the table with that id."""
        return self._lanes.get(table)

    def device(self, name: str) -> Device | None:
        """The device of that name, if it has ever had a seat."""
        return self._devices.get(name)

    def lane_of(self, device: Device) -> Lane:
        """Where the acts of a device wait."""
        return self._lanes[device.table.id.table] if device.table else self.hall

    def in_game(self, names: Iterable[str]) -> list[str]:
        """Those of the devices that cannot be seated: in a game that is not over, or about to be."""
        return [name for name in names if name in self._reserved or self._is_in_game(name)]

    def _is_in_game(self, name: str) -> bool:
        device = self._devices.get(name)
        return device is not None and device.table is not None and not device.table.course.is_over

    def reserve(self, table: Table, devices: Iterable[str]) -> Lane:
        """A lane for a table that is about to be opened; its devices cannot be seated elsewhere."""
        self._reserved.update(devices)
        return self._lanes.setdefault(table.id.table, Lane(table))

    def take_seats(self, table: Table) -> Lane:
        """The devices of an opened table take their seats, and what they asked for waits there."""
        lane = self._lanes.setdefault(table.id.table, Lane(table))
        devices = []
        for seated in table.course.seats:
            device = self._devices.setdefault(seated.device, device_of(seated))
            self._move(device, self.lane_of(device), lane)
            device.seat_at(table, seated)
            devices.append(device)
        lane.devices = tuple(devices)
        self._reserved.difference_update(device.id for device in devices)
        return lane

    def leave(self, lane: Lane) -> None:
        """A table is given up; whoever still sits there goes to the hall."""
        for device in lane.seated():
            self._move(device, lane, self.hall)
            device.table = None
        self._lanes = {name: other for name, other in self._lanes.items() if other is not lane}

    def restore_sessions(self, log: Log) -> None:
        """Takes over which sessions run and what they have used."""
        for name, session in log.running().items():
            if name in self._devices:
                self._devices[name].session = Session(session)
        for used in log.taken():
            device = self._devices.get(used.device)
            if device and device.session:
                device.session.take(used.id, used.seq)

    @staticmethod
    def _move(device: Device, old: Lane, new: Lane) -> None:
        """What the device asked for waits in the other lane."""
        if old is new:
            return
        moving = [work for work in old.waiting if isinstance(work, Incoming) and work.device is device]
        old.waiting = [work for work in old.waiting if work not in moving]
        for work in moving:
            new.add(work)
