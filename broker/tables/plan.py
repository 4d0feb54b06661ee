"""What the tables are given: plans of tables, keys, settings, time, and the ways in and out."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine.games import GAMES
from broker.engine.seats import SEATS
from broker.engine.shuffle import SEED_BYTES
from broker.protocol.topics import is_id

KEY_BYTES: Final = 32


class SeatPlan(NamedTuple):
    """Who sits at a seat with which device. Keys are hex: Ed25519 signing, X25519 sealing."""

    device: str
    player: str
    signing_key: str
    sealing_key: str


class BoardPlan(NamedTuple):
    """A board that may be played, and the 32 bytes that fix it. The seed is a secret."""

    board: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One game at one table. ``table`` is new within its event: a table id names one game.

    ``rules`` is the game's own record; ``boards`` are played in order, so there must be as many as
    the longest game can need.
    """

    event: str
    stage: str
    round: int
    table: str
    game: str
    rules: Any
    seats: tuple[SeatPlan, ...]
    boards: tuple[BoardPlan, ...]

    def faults(self) -> list[str]:
        """Everything that is wrong with the plan; empty if it can be opened."""
        return [*self._id_faults(), *self._game_faults(), *self._seat_faults(), *self._board_faults()]

    def _id_faults(self) -> list[str]:
        names = {"event": self.event, "stage": self.stage, "table": self.table}
        names |= {f"device of seat {n}": seat.device for n, seat in enumerate(self.seats)}
        names |= {f"board {n}": board.board for n, board in enumerate(self.boards, 1)}
        return [f"{what} is no id of [a-z0-9-]: {name!a}" for what, name in names.items() if not is_id(name)]

    def _game_faults(self) -> list[str]:
        game = GAMES.get(self.game)
        if game is None:
            return [f"there is no game {self.game!a}; there are: {', '.join(GAMES)}"]
        return [] if isinstance(self.rules, game.rules) else [f"these are no rules of {self.game}"]

    def _seat_faults(self) -> list[str]:
        faults = [
            f"a key of {seat.device} is not {KEY_BYTES} bytes of hex"
            for seat in self.seats
            if not (_is_key(seat.signing_key) and _is_key(seat.sealing_key))
        ]
        if len(self.seats) != len(SEATS) or len({seat.device for seat in self.seats}) != len(SEATS):
            faults.append(f"a table has {len(SEATS)} seats, each with a device of its own")
        return faults

    def _board_faults(self) -> list[str]:
        faults = [
            f"the seed of board {board.board} is not {SEED_BYTES} bytes"
            for board in self.boards
            if len(board.seed) != SEED_BYTES
        ]
        if not self.boards or len({board.board for board in self.boards}) != len(self.boards):
            faults.append("there must be boards, each with a name of its own")
        return faults


def _is_key(text: str) -> bool:
    try:
        return len(bytes.fromhex(text)) == KEY_BYTES
    except ValueError:
        return False


class VenueKeys(NamedTuple):
    """``signing`` signs seatings, hands and checkpoints; ``store`` (32 bytes) encrypts secrets."""

    signing: Ed25519PrivateKey
    store: bytes


class Time(NamedTuple):
    """Where time comes from, in milliseconds: a clock that never jumps, and the one on the wall."""

    monotonic_ms: Callable[[], int]
    unix_ms: Callable[[], int]


SYSTEM_TIME: Final = Time(
    monotonic_ms=lambda: time.monotonic_ns() // 1_000_000,
    unix_ms=lambda: time.time_ns() // 1_000_000,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a venue may choose. Times in milliseconds."""

    network_grace: int = 500
    """Added to a limit before something is taken from a seat: the way of its act to us."""
    lost_grace: int = 60_000
    """Longest time that the clock of a lost seat stands still, once a deal."""
    deal_pause: int = 6_000
    """Between the end of a deal and the next board."""
    heartbeat: int = 2_000
    """Between two beats of the engine's status."""


class Arrival(NamedTuple):
    """A message as it came in; ``at_ms`` is monotonic, stamped where it was received."""

    topic: str
    payload: bytes
    at_ms: int


class Outbox(Protocol):
    """The way out. Called from the hub's thread only, and only after what is told was committed."""

    def tell(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Sends a message on its way; never blocks for long, never raises."""
