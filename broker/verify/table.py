"""The records of the table itself: where it is, who sits there, boards, stoppages, epochs.

FORMAT.md, section 7. What a record says and when it may come is checked here; whether the game
allows it is the judge's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import boards
from .boards import Board
from .transcript import Entry, Fault, Header

OPENING = ("table_opened", *("seated",) * 4, "boards_committed")
"""The first records."""

SEAT_AHEAD = "seat_ahead"
"""Pause: a seat had seen more than the log holds, so the log was restored."""


class Table:
    """What the records say so far; feed it with ``follow``, every record of the table and the game."""

    def __init__(self, header: Header) -> None:
        self.place = (header.venue, header.event, header.table)
        self.epoch = header.epoch
        self.stage: tuple[str, int] | None = None
        self.devices: set[str] = set()
        self.committed: dict[str, str] = {}
        self.names: list[str] = []
        """Boards in the order in which they are played and opened."""
        self.seeds: list[str] = []
        self.nonces: dict[int, bytes] = {}
        self.beacon = ""
        self.dealt = 0
        self.opened = 0
        self.paused = ""

    def follow(self, entry: Entry, is_over: bool) -> None:
        """Takes one record; ``is_over``: the game has its result. ``Fault`` if it cannot be right."""
        if (entry.kind in OPENING or entry.n <= len(OPENING)) and entry.kind != _opening(entry.n):
            raise Fault(f"{_opening(entry.n) or 'another record'} should stand here")
        if self.is_closed:
            raise Fault("all boards were opened before: nothing may follow")
        self._check_place(entry)
        self._check_pause(entry)
        if entry.kind == "board_opened" and not is_over:
            raise Fault("a board was opened before the game was over")
        if entry.kind in _HANDLERS:
            _HANDLERS[entry.kind](self, entry)

    @property
    def is_closed(self) -> bool:
        """Whether all boards have been opened."""
        return 0 < len(self.names) == self.opened

    def _check_place(self, entry: Entry) -> None:
        record = entry.record
        if (record["venue"], record["event"], record["table"]) != self.place:
            raise Fault("the record belongs to another table")
        stage = (record["stage"], record["round"])
        self.stage = self.stage or stage
        if stage != self.stage:
            raise Fault("the record belongs to another stage or round")
        new = entry.kind == "resumed" and self.paused == SEAT_AHEAD
        expected, self.epoch = self.epoch + new, record["epoch"]
        if self.epoch != expected:
            raise Fault(f"epoch {expected} was due")

    def _check_pause(self, entry: Entry) -> None:
        """In a stoppage neither seats act nor clocks; a referee may rule."""
        by = entry.cause["by"]
        if self.paused and entry.kind != "paused" and by in ("seat", "clock"):
            raise Fault("play had been stopped")

    def _seated(self, entry: Entry) -> None:
        if entry.body["seat"] != entry.n - 2:
            raise Fault("the seats come in order")
        if entry.body["device"] in self.devices:
            raise Fault("the device sits at another seat")
        self.devices.add(entry.body["device"])

    def _boards_committed(self, entry: Entry) -> None:
        told = entry.body["boards"]
        self.committed = {board["board"]: board["commitment"] for board in told}
        self.names = list(self.committed)
        self.seeds = entry.body.get("seeds", [""] * len(told))
        if not 0 < len(told) == len(self.names) == len(self.seeds):
            raise Fault("there must be boards, each with a name and a seed of its own")

    def _seat_ready(self, entry: Entry) -> None:
        seat = entry.body["seat"]
        if seat in self.nonces:
            raise Fault("the seat was ready before")
        self.nonces[seat] = bytes.fromhex(entry.body["nonce"])

    def _beacon_drawn(self, entry: Entry) -> None:
        if self.beacon or len(self.nonces) != 4:
            raise Fault("a beacon is drawn once, when all four seats are ready")
        self.beacon = entry.body["beacon"]
        if self.beacon != boards.beacon([self.nonces[seat] for seat in range(4)]):
            raise Fault("the beacon is not that of the four nonces")

    def _paused(self, entry: Entry) -> None:
        cause = entry.body["cause"]
        if (cause == SEAT_AHEAD) != (entry.cause["by"] == "seat"):
            raise Fault("only a seat that had seen more stops play for that")
        if self.paused and cause != SEAT_AHEAD:
            raise Fault("play had been stopped before")
        self.paused = cause

    def _resumed(self, entry: Entry) -> None:
        if not self.paused:
            raise Fault("play had not been stopped")
        self.paused = ""

    def _dealt(self, entry: Entry) -> None:
        name = entry.body["board"]
        self.dealt += 1
        if not self.beacon:
            raise Fault("no beacon was drawn")
        if self.names[self.dealt - 1 : self.dealt] != [name]:
            raise Fault(f"board {name} was not the next that was committed to")

    def _board_opened(self, entry: Entry) -> None:
        name, seed, place = entry.body["board"], entry.body["seed"], self.opened
        self.opened += 1
        if self.names[place : place + 1] != [name]:
            raise Fault(f"board {name} was not the next to be opened")
        if boards.commitment(bytes.fromhex(seed), name) != self.committed[name]:
            raise Fault(f"board {name} was committed to with another seed")
        if self.seeds[place : place + 1] != [seed]:
            raise Fault(f"the seed of board {name} is not the one kept secret before")


def boards_of(entries: Iterable[Entry]) -> Mapping[str, Board]:
    """The boards that were dealt, by name, computed again from the nonces and the seeds opened."""
    told: dict[str, list[Mapping[str, Any]]] = {"seat_ready": [], "dealt": [], "board_opened": []}
    for entry in entries:
        if entry.kind in told:
            told[entry.kind].append(entry.body)
    dealt = {body["board"] for body in told["dealt"]}
    nonces = {body["seat"]: bytes.fromhex(body["nonce"]) for body in told["seat_ready"]}
    drawn = bytes.fromhex(boards.beacon([nonces[seat] for seat in sorted(nonces)]))
    return {
        body["board"]: boards.board_of(bytes.fromhex(body["seed"]), drawn, body["board"])
        for body in told["board_opened"]
        if body["board"] in dealt
    }


def _opening(n: int) -> str:
    """The kind of record that must stand in this place; empty if that is open."""
    return OPENING[n - 1] if 1 <= n <= len(OPENING) else ""


_HANDLERS: Mapping[str, Callable[[Table, Entry], None]] = {
    "seated": Table._seated,
    "boards_committed": Table._boards_committed,
    "seat_ready": Table._seat_ready,
    "beacon_drawn": Table._beacon_drawn,
    "paused": Table._paused,
    "resumed": Table._resumed,
    "dealt": Table._dealt,
    "board_opened": Table._board_opened,
}
