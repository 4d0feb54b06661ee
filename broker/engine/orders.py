"""Orders: what the authority, the clock or a referee does to a game, the same for every game.

Together with a game's own seat actions they are everything that its ``decide`` understands.
"""

from __future__ import annotations

from dataclasses import dataclass

from broker.engine.game import Board
from broker.engine.seats import Seat, Side


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """Authority: deal the next board."""

    board: Board


@dataclass(frozen=True, slots=True)
class RingBell:
    """Authority: the time of the game is over."""


@dataclass(frozen=True, slots=True)
class TimeOut:
    """Clock: what ``default_action`` names is done for the seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Warn:
    """Clock or referee: a verbal warning."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Infringe:
    """Clock or referee: an infraction (违例); a seat that owes a play also loses this turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StopTurn:
    """Referee: the seat that owes a play loses this turn."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LoseDeal:
    """Chief referee: the deal is lost by a side as a double-down (一副牌判负)."""

    side: Side


@dataclass(frozen=True, slots=True)
class NameLeader:
    """The side not at fault names who leads the deal after a lost one."""

    seat: Seat
