"""Events of a table, whatever game is played on it: opening, seating, boards, clocks, stoppages.

They stand in the same log as the game's events and obey the same convention: frozen records,
``SECRET`` names the fields that stay closed until the board has closed everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from broker.engine.game import DecisionKind, Event
from broker.engine.seats import Seat


class BoardCommitment(NamedTuple):
    """A board that will be played and the hash that fixes its seed (hex)."""

    board: str
    commitment: str


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """A table exists. ``rules`` are complete, so the log can be judged without the presets."""

    game: str
    rules: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """A person sits at a seat with a device. Keys are hex: Ed25519 signing, X25519 sealing."""

    seat: Seat
    device: str
    player: str
    signing_key: str
    sealing_key: str


@dataclass(frozen=True, slots=True)
class BoardsCommitted(Event):
    """Seeds of all boards of the game are fixed; ``seeds`` (hex, same order) stay closed."""

    SECRET: ClassVar[tuple[str, ...]] = ("seeds",)
    boards: tuple[BoardCommitment, ...]
    seeds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatReady(Event):
    """A seat is ready and gave a nonce (hex, 16 bytes) that nobody could know before."""

    seat: Seat
    nonce: str


@dataclass(frozen=True, slots=True)
class BeaconDrawn(Event):
    """The value that nobody knew when the boards were committed (hex): see ``beacon_of``."""

    beacon: str


@dataclass(frozen=True, slots=True)
class DecisionOpened(Event):
    """A seat owes a decision from now on, and its clock runs. ``limit`` is in milliseconds."""

    seat: Seat
    decision: DecisionKind
    limit: int


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """Play and clocks stand still. ``cause`` is a code: ``call``, ``referee``, ``storage`` …"""

    cause: str


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Play goes on. ``stopped`` is the length of the stoppage in milliseconds."""

    stopped: int


@dataclass(frozen=True, slots=True)
class Recovered(Event):
    """The authority came back and replayed the log. ``stopped``: milliseconds without it."""

    stopped: int


@dataclass(frozen=True, slots=True)
class SeatLost(Event):
    """The device of a seat lost its connection; its clock stands still for at most ``grace`` ms."""

    seat: Seat
    grace: int


@dataclass(frozen=True, slots=True)
class SeatFound(Event):
    """The device of a seat is back, or its grace is used up."""

    seat: Seat
    stopped: int


@dataclass(frozen=True, slots=True)
class BoardOpened(Event):
    """The board has closed everywhere: its seed (hex) is told, and its secrets may be."""

    board: str
    seed: str


HAPPENINGS: tuple[type[Event], ...] = (
    TableOpened,
    Seated,
    BoardsCommitted,
    SeatReady,
    BeaconDrawn,
    DecisionOpened,
    Paused,
    Resumed,
    Recovered,
    SeatLost,
    SeatFound,
    BoardOpened,
)
