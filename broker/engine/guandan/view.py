"""Views: what a seat, or nobody in particular, may know; built from nothing.

Every field is put in by name. Of the hands a view takes the seat's own and which are empty; of
their numbers only what was announced and still holds. So two states that differ only in what is
hidden from a seat have the same view for it.
"""

from __future__ import annotations

from broker.engine.cards import Card
from broker.engine.guandan.state import (
    NOBODY,
    BetweenDeals,
    Choice,
    GameOver,
    GivingBack,
    Opening,
    Playing,
    State,
    Tribute,
    Waiting,
    open_decisions,
)
from broker.engine.guandan.tribute import allowed
from broker.engine.guandan.views import OwnView, Phase, PublicView, TributeView, View
from broker.engine.seats import SEATS, Seat


def view(state: State, seat: Seat | None) -> View:
    """What the seat may know; with None, what all may know."""
    own = None if seat is None else _own(state, seat)
    return View(seat=seat, public=_public(state), own=own)


def _public(state: State) -> PublicView:
    standing = state.standing
    playing = state if isinstance(state, Playing) else None
    return PublicView(
        phase=_phase(state),
        deal=standing.deal,
        deals_per_game=standing.rules.deals_per_game,
        level=standing.level,
        level_side=standing.level_side,
        levels=standing.levels,
        failed_a=standing.failed_a,
        rises=standing.rises,
        open=open_decisions(state),
        turn=playing.turn if playing else None,
        leader=playing.leader if playing else standing.named,
        table=playing.table if playing else None,
        laid=playing.laid if playing else NOBODY,
        acts=playing.acts if playing else NOBODY,
        counts=_counts(playing) if playing else NOBODY,
        out=playing.out if playing else (),
        tribute=_tribute(state),
        result=standing.last if isinstance(state, BetweenDeals | GameOver) else None,
        game=state.ended if isinstance(state, GameOver) else None,
    )


def _phase(state: State) -> Phase:
    match state:
        case Playing():
            return Phase.PLAYING
        case Tribute():
            return Phase.TRIBUTE
        case GivingBack():
            return Phase.GIVING_BACK
        case Opening():
            return Phase.OPENING
        case Waiting():
            return Phase.WAITING
        case BetweenDeals():
            return Phase.BETWEEN_DEALS
        case GameOver():
            return Phase.GAME_OVER


def _counts(state: Playing) -> tuple[int | None, ...]:
    return tuple(0 if seat in state.out else state.counts[seat] for seat in SEATS)


def _tribute(state: State) -> TributeView | None:
    """The public side of a tribute: who has chosen, never what."""
    match state:
        case Tribute():
            return TributeView(
                payers=state.payers,
                receivers=state.receivers,
                chosen=_seats(state.paid),
                transfers=(),
                jokers=(),
                exchanges=(),
            )
        case GivingBack():
            transfers = tuple((transfer.payer, transfer.receiver) for transfer in state.transfers)
            return TributeView(
                payers=tuple(payer for payer, _ in transfers),
                receivers=tuple(receiver for _, receiver in transfers),
                chosen=_seats(state.returned),
                transfers=transfers,
                jokers=(),
                exchanges=(),
            )
        case Opening() | Playing():
            return state.tribute
        case _:
            return None


def _own(state: State, seat: Seat) -> OwnView:
    match state:
        case Tribute():
            chosen, received = _card(state.paid, seat), None
        case GivingBack():
            paid = (Choice(transfer.payer, transfer.card) for transfer in state.transfers)
            chosen = _card((*paid, *state.returned), seat)
            received = next((one.card for one in state.transfers if one.receiver == seat), None)
        case Opening() | Playing():
            chosen = received = None
        case _:
            return OwnView(hand=(), allowed=(), chosen=None, received=None)
    return OwnView(state.hands[seat], allowed(state, seat), chosen, received)


def _seats(choices: tuple[Choice, ...]) -> tuple[Seat, ...]:
    return tuple(choice.seat for choice in choices)


def _card(choices: tuple[Choice, ...], seat: Seat) -> Card | None:
    return next((choice.card for choice in choices if choice.seat == seat), None)
