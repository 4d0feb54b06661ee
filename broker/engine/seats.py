"""Seats and sides of a table.

Seats are numbered 0–3 in playing order, which is counter-clockwise: the next player sits at
one's right. Partners sit opposite: side 0 is seats 0 and 2, side 1 seats 1 and 3.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Seat: TypeAlias = int
Side: TypeAlias = int

SEATS: Final[tuple[Seat, ...]] = (0, 1, 2, 3)


def after(seat: Seat) -> Seat:
    """The next player (下家)."""
    return (seat + 1) % 4


def before(seat: Seat) -> Seat:
    """The previous player (上家)."""
    return (seat - 1) % 4


def partner(seat: Seat) -> Seat:
    """The player opposite (对家)."""
    return (seat + 2) % 4


def side_of(seat: Seat) -> Side:
    """The side of a seat, 0 or 1."""
    return seat % 2


def opponents_of(side: Side) -> Side:
    """The other side."""
    return 1 - side
