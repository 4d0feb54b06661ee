"""What may be known: records of a view, all built from nothing by ``view.py``.

``PublicView`` is the same for everybody and ``OwnView`` is one seat's alone, so that the first
can be told to four seats at once and only the second has to be sealed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from broker.engine.cards import Card, Cards, Rank
from broker.engine.game import Decision
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.events import DealEnded, Exchange, GameEnded, JokersHeld
from broker.engine.seats import Seat, Side


class Phase(StrEnum):
    """Phase of the game as a view names it."""

    WAITING = "waiting"
    OPENING = "opening"
    """Within one decision only: cards are dealt, who pays or leads follows at once."""
    TRIBUTE = "tribute"
    GIVING_BACK = "giving_back"
    PLAYING = "playing"
    BETWEEN_DEALS = "between_deals"
    GAME_OVER = "game_over"


class Act(StrEnum):
    """What a seat did last in the present trick, if it was not a play."""

    PASSED = "passed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Laid:
    """A play on the table."""

    seat: Seat
    cards: Cards
    reading: Reading


@dataclass(frozen=True, slots=True)
class TributeView:
    """The public side of a tribute. ``transfers`` is empty until all payers have chosen."""

    payers: tuple[Seat, ...]
    receivers: tuple[Seat, ...]
    chosen: tuple[Seat, ...]
    """Seats that have chosen in the step that is under way."""
    transfers: tuple[tuple[Seat, Seat], ...]
    jokers: tuple[JokersHeld, ...]
    """Not empty: the tribute was resisted by these, and nobody pays or receives."""
    exchanges: tuple[Exchange, ...]
    """Shown once complete, until the first play of the deal."""


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody at the table may know."""

    phase: Phase
    deal: int
    deals_per_game: int | None
    level: Rank
    """Level of the deal in play; between deals that of the next, after the game that of the last."""
    level_side: Side | None
    levels: tuple[Rank, Rank]
    """By side, 13 being past A."""
    failed_a: tuple[int, int]
    rises: tuple[int, int]
    """By side: sum of what its first places were worth, which is what a fixed level scores."""
    open: tuple[Decision, ...]
    turn: Seat | None
    leader: Seat | None
    """Who led the present trick, or leads it now; between deals, who was named to lead the next.

    A result without places (a deal lost by ruling) and no leader: one has yet to be named.
    """
    table: Laid | None
    """The play to beat."""
    laid: tuple[Laid | None, ...]
    """By seat: the last play in the present trick; kept when the seat passes later."""
    acts: tuple[Act | None, ...]
    """By seat: passed or stopped after that play."""
    counts: tuple[int | None, ...]
    """By seat: cards left, only as announced and only while true; 0 for a seat that is out.

    Where a count is announced once a deal, it is None again after the seat's next play.
    """
    out: tuple[Seat, ...]
    tribute: TributeView | None
    result: DealEnded | None
    """The last deal that ended, until the next is dealt."""
    game: GameEnded | None


@dataclass(frozen=True, slots=True)
class OwnView:
    """What one seat alone may know."""

    hand: Cards
    allowed: Cards
    """Faces that may be paid or given back now; empty if neither is owed."""
    chosen: Card | None
    """The own tribute or return that the others have not seen yet."""
    received: Card | None
    """The tribute received, before all is shown."""


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know; ``own`` is None for the view of nobody."""

    seat: Seat | None
    public: PublicView
    own: OwnView | None
