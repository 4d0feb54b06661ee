"""Events of Guandan: past participles, in the order in which they can happen.

An event states its public consequences outright (who leads, how many cards are announced), so
that somebody who knows only the public parts can follow the deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple

from broker.engine.cards import Card, Cards, Rank
from broker.engine.game import Event
from broker.engine.guandan.combinations import Reading
from broker.engine.seats import Seat, Side


class LeadCause(StrEnum):
    """Why a seat leads the deal."""

    HEART_THREE = "heart_three"
    TURNED_CARD = "turned_card"
    FIRST_PLACE = "first_place"
    TRIBUTE = "tribute"
    NAMED = "named"


class EndCause(StrEnum):
    """Why a game ended."""

    PAST_A = "past_a"
    """A side passed A, or reached it where A is not played."""
    DEALS = "deals"
    TIME = "time"


class Exchange(NamedTuple):
    """One tribute with its return."""

    payer: Seat
    receiver: Seat
    paid: Card
    returned: Card


class JokersHeld(NamedTuple):
    """Big jokers that a payer holds."""

    seat: Seat
    held: int


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A board was dealt; ``hands`` are four sorted hands by seat."""

    SECRET: ClassVar[tuple[str, ...]] = ("hands",)
    deal: int
    board: str
    level: Rank
    level_side: Side | None
    first: Seat
    turned: Card | None
    hands: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class TributeDue(Event):
    """Payers owe a tribute. In a double, ``receivers`` are places 1 and 2."""

    payers: tuple[Seat, ...]
    receivers: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Resisted(Event):
    """Tribute is cancelled by the big jokers shown."""

    jokers: tuple[JokersHeld, ...]


@dataclass(frozen=True, slots=True)
class TributePaid(Event):
    """A payer has chosen."""

    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    seat: Seat
    card: Card
    automatic: bool


@dataclass(frozen=True, slots=True)
class TributesAssigned(Event):
    """All payers have chosen: who gets whose card, as (payer, receiver)."""

    transfers: tuple[tuple[Seat, Seat], ...]


@dataclass(frozen=True, slots=True)
class GivenBack(Event):
    """A receiver has chosen its return."""

    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    seat: Seat
    card: Card
    automatic: bool


@dataclass(frozen=True, slots=True)
class Exchanged(Event):
    """All returns are chosen; everything is shown to all at once."""

    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class LeadGiven(Event):
    """The seat leads the first trick of the deal."""

    seat: Seat
    cause: LeadCause


@dataclass(frozen=True, slots=True)
class Played(Event):
    """Cards lie on the table."""

    seat: Seat
    cards: Cards
    reading: Reading
    automatic: bool


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A seat let the play stand."""

    seat: Seat
    automatic: bool


@dataclass(frozen=True, slots=True)
class Warned(Event):
    """A verbal warning."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Infringed(Event):
    """An infraction was recorded."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnStopped(Event):
    """A seat lost its turn in this trick."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CountAnnounced(Event):
    """The number of cards that a seat has left, as the announcement rule allows."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class WentOut(Event):
    """A seat has no cards left and takes ``place`` (1–3)."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class TrickEnded(Event):
    """All others passed; ``leader`` leads next. ``partner_lead``: it leads for its partner who is out."""

    winner: Seat
    leader: Seat
    partner_lead: bool


@dataclass(frozen=True, slots=True)
class LeadMoved(Event):
    """A leader lost its turn and the lead went on to the next active player."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DealLost(Event):
    """The deal was lost by ruling, as a double-down."""

    side: Side


@dataclass(frozen=True, slots=True)
class DealDropped(Event):
    """The bell rang and the deal in play does not count."""

    deal: int


@dataclass(frozen=True, slots=True)
class DealEnded(Event):
    """A deal has its result.

    ``order`` lists seats by place: four, or two after a double-down, or none if lost by ruling.
    ``rise`` is what these places are worth, also where the level moved by less (A, a fixed level).
    ``levels_before`` and ``levels_after`` are by side, 13 being past A. ``next_level`` and
    ``next_side`` belong to the winner; None once the game is over.
    """

    deal: int
    order: tuple[Seat, ...]
    winner: Side
    rise: int
    levels_before: tuple[Rank, Rank]
    levels_after: tuple[Rank, Rank]
    failed_a: tuple[int, int]
    demoted: Side | None
    next_level: Rank | None
    next_side: Side | None


@dataclass(frozen=True, slots=True)
class LeaderNamed(Event):
    """Who leads the deal after a lost one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BellRung(Event):
    """The time of the game is over."""


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game has its result; ``winner`` is None for a draw. ``score`` is by side, of 26.

    At a fixed level the summed rises decide and not the levels, which are equal.
    """

    cause: EndCause
    levels: tuple[Rank, Rank]
    winner: Side | None
    score: tuple[int, int]
