"""The contract of a game: what the table asks of the rules.

A game (局) is one fold: ``state = evolve(state, event)`` over everything that happened, from the
first board to the result. ``decide`` turns an action into events or raises ``Refused``; it never
changes anything. Time and chance come in from outside: boards as ``OpenDeal``, the clock as
``TimeOut`` and ``Warn`` … in each game's actions.

Events are frozen dataclasses. The class attribute ``SECRET`` names the fields that must not be
published before the board has closed everywhere; all others are public at once. Fields are named
after what they hold (``card``, ``cards``, ``hands``, ``level``, ``reading`` …): the codec turns a
field into text by its name, so one name always means one type.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

from broker.engine.cards import Cards
from broker.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Board:
    """What chance fixed before a deal: nothing here depends on the table.

    ``deck`` lists the 108 cards in dealing order; ``first`` takes the first of them and the
    others follow counter-clockwise, one at a time. ``turned`` is the place in ``deck`` of the
    turned-up card, for rules that use one.
    """

    board: str
    deck: Cards
    first: Seat
    turned: int


class Event:
    """Base of every event of a game; see the module's text for ``SECRET``."""

    __slots__ = ()
    SECRET: ClassVar[tuple[str, ...]] = ()


class DecisionKind(StrEnum):
    """What a seat may owe."""

    LEAD = "lead"
    FOLLOW = "follow"
    TRIBUTE = "tribute"
    GIVE_BACK = "give_back"


class Decision(NamedTuple):
    """One thing that one seat owes now. Several may be open at once."""

    seat: Seat
    kind: DecisionKind


class Consequence(StrEnum):
    """What the clock brings about when a moment of its plan comes."""

    WARN = "warn"
    INFRINGE = "infringe"
    TIME_OUT = "time_out"


class ClockStep(NamedTuple):
    """A moment of the clock: milliseconds after the decision opened, and what follows then."""

    after: int
    consequence: Consequence


class ClockPlan(NamedTuple):
    """The clock of one decision.

    ``limit`` is what the seat is shown. ``steps`` ascend; if ``repeat`` is not 0 the last step
    comes again every ``repeat`` milliseconds for as long as the decision stays open.
    """

    limit: int
    steps: tuple[ClockStep, ...]
    repeat: int


S = TypeVar("S")


class Game(Protocol[S]):
    """A game as the table uses it; ``engine/guandan/phases.py`` is one (a module serves).

    ``S`` is the game's state, a union of frozen dataclasses, one a phase.
    """

    def start(self, rules: Any) -> S:
        """State of a game in which no board has been dealt."""

    def decide(self, state: S, action: Any) -> tuple[Event, ...]:
        """Events that the action brings about; ``Refused`` if the rules forbid it."""

    def evolve(self, state: S, event: Event) -> S:
        """State after the event. Never refuses an event that ``decide`` made."""

    def view(self, state: S, seat: Seat | None) -> Any:
        """What the seat may know, built from nothing; None for what all may know."""

    def open_decisions(self, state: S) -> tuple[Decision, ...]:
        """Which seats owe what now, by seat."""

    def clock_plan(self, state: S, decision: Decision) -> ClockPlan:
        """The clock that runs for an open decision."""

    def clock_action(self, state: S, seat: Seat, consequence: Consequence) -> Any:
        """The action of the clock for a seat that let its time run to that consequence."""

    def default_action(self, state: S, seat: Seat) -> Any:
        """What is done for a seat whose time is over (conduct: clocks)."""

    def wants_board(self, state: S) -> bool:
        """Whether the next thing to happen is another deal."""

    def is_over(self, state: S) -> bool:
        """Whether the game has its result."""

    def result(self, state: S) -> Any:
        """The result so far: deals, levels, winner."""
