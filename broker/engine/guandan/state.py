"""The states of a game: a type a phase, each with only what exists in it.

``Opening`` lasts only within one decision: the cards are dealt (or exchanged) and the events that
say who pays or who leads follow at once. All other phases wait for an action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias, TypeVar

from broker.engine.cards import Card, Cards, Rank
from broker.engine.game import Decision, DecisionKind
from broker.engine.guandan.events import DealEnded, GameEnded
from broker.engine.guandan.rules import Rules
from broker.engine.guandan.views import Act, Laid, TributeView
from broker.engine.seats import Seat, Side

T = TypeVar("T")

NOBODY: Final = (None, None, None, None)
"""By seat: nothing."""

START_LEVEL: Final[Rank] = 0
"""The rank 2: every game begins there (guandan: deal)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What outlasts a deal."""

    rules: Rules
    deal: int = 0
    """Number of the deal in play, or of the last one dealt."""
    level: Rank = START_LEVEL
    """Level of the deal in play, between deals of the next one, at the end of the last one."""
    level_side: Side | None = None
    """The side whose level that is: the one that won the deal before; None in the first deal."""
    levels: tuple[Rank, Rank] = (START_LEVEL, START_LEVEL)
    failed_a: tuple[int, int] = (0, 0)
    results: tuple[DealEnded, ...] = ()
    named: Seat | None = None
    """Who was named to lead the next deal, after one lost by ruling."""
    bell: bool = False
    """The time is over; the deal in play is the last."""

    @property
    def last(self) -> DealEnded | None:
        """The last deal that has a result."""
        return self.results[-1] if self.results else None

    @property
    def lost(self) -> bool:
        """Whether the last deal was lost by ruling, so that the next has no tribute."""
        return bool(self.results) and not self.results[-1].order

    @property
    def rises(self) -> tuple[int, int]:
        """By side: the sum of what its first places were worth, also where no level rose."""
        one = sum(result.rise for result in self.results if result.winner == 1)
        return (sum(result.rise for result in self.results) - one, one)


class Choice(NamedTuple):
    """A card that a seat has chosen to pay or to return."""

    seat: Seat
    card: Card


class Transfer(NamedTuple):
    """A tribute on its way; of two, that to place 1 comes first."""

    payer: Seat
    receiver: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Waiting:
    """No board has been dealt."""

    standing: Standing


@dataclass(frozen=True, slots=True)
class Opening:
    """Cards are dealt, resisted or exchanged; nobody leads yet."""

    standing: Standing
    hands: tuple[Cards, ...]
    tribute: TributeView | None


@dataclass(frozen=True, slots=True)
class Tribute:
    """Payers choose. The cards stay in their hands until all have chosen."""

    standing: Standing
    hands: tuple[Cards, ...]
    payers: tuple[Seat, ...]
    receivers: tuple[Seat, ...]
    paid: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class GivingBack:
    """Receivers hold the tributes and choose what to return; that moves when all have chosen."""

    standing: Standing
    hands: tuple[Cards, ...]
    transfers: tuple[Transfer, ...]
    returned: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """Tricks are played. ``laid``, ``acts`` and ``counts`` are by seat, as a view shows them."""

    standing: Standing
    hands: tuple[Cards, ...]
    turn: Seat
    leader: Seat
    table: Laid | None
    laid: tuple[Laid | None, ...]
    acts: tuple[Act | None, ...]
    counts: tuple[int | None, ...]
    """Cards left as last announced; None again once the number would be out of date."""
    out: tuple[Seat, ...]
    first_lead: bool
    """Nothing has been played in this deal."""
    tribute: TributeView | None
    """How the tribute went, until the first play."""


@dataclass(frozen=True, slots=True)
class BetweenDeals:
    """A deal has its result and the game goes on."""

    standing: Standing


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has its result."""

    standing: Standing
    ended: GameEnded


InDeal: TypeAlias = Opening | Tribute | GivingBack | Playing
"""A deal is in play."""

State: TypeAlias = Waiting | InDeal | BetweenDeals | GameOver


def start(rules: Rules) -> Waiting:
    """State of a game in which no board has been dealt."""
    level = START_LEVEL if rules.level_fixed is None else rules.level_fixed
    return Waiting(Standing(rules, level=level, levels=(level, level)))


def with_item(items: tuple[T, ...], seat: Seat, item: T) -> tuple[T, ...]:
    """The four items by seat with that of ``seat`` exchanged."""
    return (*items[:seat], item, *items[seat + 1 :])


def open_decisions(state: State) -> tuple[Decision, ...]:
    """Which seats owe what now, by seat."""
    match state:
        case Playing():
            kind = DecisionKind.LEAD if state.table is None else DecisionKind.FOLLOW
            return (Decision(state.turn, kind),)
        case Tribute():
            return _owed(state.payers, state.paid, DecisionKind.TRIBUTE)
        case GivingBack():
            receivers = tuple(transfer.receiver for transfer in state.transfers)
            return _owed(receivers, state.returned, DecisionKind.GIVE_BACK)
        case _:
            return ()


def owes(state: State, seat: Seat) -> bool:
    """Whether the seat owes a decision now."""
    return any(decision.seat == seat for decision in open_decisions(state))


def _owed(seats: tuple[Seat, ...], chosen: tuple[Choice, ...], kind: DecisionKind) -> tuple[Decision, ...]:
    done = {choice.seat for choice in chosen}
    return tuple(Decision(seat, kind) for seat in sorted(seats) if seat not in done)
