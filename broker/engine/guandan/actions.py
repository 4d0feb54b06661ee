"""Actions of Guandan: what a seat may do, and the union of all that ``decide`` understands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from broker.engine.cards import Card, Cards
from broker.engine.guandan.combinations import Reading
from broker.engine.orders import (
    Infringe,
    LoseDeal,
    NameLeader,
    OpenDeal,
    RingBell,
    StopTurn,
    TimeOut,
    Warn,
)
from broker.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Play:
    """Put cards down as the declared reading."""

    seat: Seat
    cards: Cards
    reading: Reading


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the play on the table stand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PayTribute:
    """Pay one card to a winner of the last deal."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class GiveBack:
    """Return one card for a tribute received."""

    seat: Seat
    card: Card


SeatAction: TypeAlias = Play | Pass | PayTribute | GiveBack
"""What a seat may send, and what is done for it at time-out."""

Action: TypeAlias = (
    SeatAction | OpenDeal | RingBell | TimeOut | Warn | Infringe | StopTurn | LoseDeal | NameLeader
)
"""Everything that ``decide`` understands."""

__all__ = [
    "Action",
    "GiveBack",
    "Infringe",
    "LoseDeal",
    "NameLeader",
    "OpenDeal",
    "Pass",
    "PayTribute",
    "Play",
    "RingBell",
    "SeatAction",
    "StopTurn",
    "TimeOut",
    "Warn",
]
