"""The fold: the state after an event. Nothing is judged here; every event has happened."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from broker.engine.cards import Card, Cards, remove
from broker.engine.game import Event
from broker.engine.guandan.events import (
    BellRung,
    CountAnnounced,
    DealDropped,
    DealEnded,
    DealLost,
    Dealt,
    Exchanged,
    GameEnded,
    GivenBack,
    Infringed,
    LeaderNamed,
    LeadGiven,
    LeadMoved,
    Passed,
    Played,
    Resisted,
    TributeDue,
    TributePaid,
    TributesAssigned,
    TrickEnded,
    TurnStopped,
    Warned,
    WentOut,
)
from broker.engine.guandan.levels import after_deal
from broker.engine.guandan.state import (
    NOBODY,
    BetweenDeals,
    Choice,
    GameOver,
    GivingBack,
    InDeal,
    Opening,
    Playing,
    State,
    Transfer,
    Tribute,
    Waiting,
    with_item,
)
from broker.engine.guandan.trick import turn_after
from broker.engine.guandan.views import Act, Laid, TributeView
from broker.engine.seats import Seat


def evolve(state: State, event: Event) -> State:
    """State after the event.

    Never refuses an event that ``decide`` made in this state; ``ValueError`` for one that cannot
    have happened in it, which means that the log is not this game's.
    """
    match state:
        case Playing():
            return _in_play(state, event)
        case Tribute():
            return _in_tribute(state, event)
        case GivingBack():
            return _in_return(state, event)
        case Opening():
            return _in_opening(state, event)
        case Waiting() | BetweenDeals():
            return _between(state, event)
        case GameOver():
            _impossible(state, event)


def _in_play(state: Playing, event: Event) -> State:
    match event:
        case Played():
            return _played(state, event)
        case Passed():
            return _acted(state, event.seat, Act.PASSED)
        case CountAnnounced():
            return replace(state, counts=with_item(state.counts, event.seat, event.count))
        case TrickEnded():
            return _led(state, event.leader)
        case WentOut():
            return replace(state, out=(*state.out, event.seat))
        case TurnStopped():
            return _acted(state, event.seat, Act.STOPPED)
        case LeadMoved():
            return replace(state, turn=event.seat, leader=event.seat)
        case _:
            return _in_deal(state, event)


def _played(state: Playing, event: Played) -> Playing:
    seat = event.seat
    hands = with_item(state.hands, seat, _without(state.hands[seat], event.cards))
    laid = Laid(seat, event.cards, event.reading)
    return Playing(
        standing=state.standing,
        hands=hands,
        turn=turn_after(hands, seat, seat),
        leader=state.leader,
        table=laid,
        laid=with_item(state.laid, seat, laid),
        acts=with_item(state.acts, seat, None),
        counts=with_item(state.counts, seat, None),
        out=state.out,
        first_lead=False,
        tribute=None,
    )


def _acted(state: Playing, seat: Seat, act: Act) -> Playing:
    """The seat laid nothing. A stopped leader keeps the turn until the lead has moved."""
    winner = seat if state.table is None else state.table.seat
    turn = seat if state.table is None else turn_after(state.hands, seat, winner)
    return replace(state, turn=turn, acts=with_item(state.acts, seat, act))


def _led(state: Playing, leader: Seat) -> Playing:
    return replace(state, turn=leader, leader=leader, table=None, laid=NOBODY, acts=NOBODY)


def _in_tribute(state: Tribute, event: Event) -> State:
    match event:
        case TributePaid():
            return replace(state, paid=(*state.paid, Choice(event.seat, event.card)))
        case TributesAssigned():
            return _assigned(state, event)
        case _:
            return _in_deal(state, event)


def _assigned(state: Tribute, event: TributesAssigned) -> GivingBack:
    cards = dict(state.paid)
    transfers = tuple(Transfer(payer, receiver, cards[payer]) for payer, receiver in event.transfers)
    hands = state.hands
    for payer, receiver, card in transfers:
        hands = _moved(hands, payer, receiver, card)
    return GivingBack(state.standing, hands, transfers, returned=())


def _in_return(state: GivingBack, event: Event) -> State:
    match event:
        case GivenBack():
            return replace(state, returned=(*state.returned, Choice(event.seat, event.card)))
        case Exchanged():
            return _exchanged(state, event)
        case _:
            return _in_deal(state, event)


def _exchanged(state: GivingBack, event: Exchanged) -> Opening:
    hands = state.hands
    for exchange in event.exchanges:
        hands = _moved(hands, exchange.receiver, exchange.payer, exchange.returned)
    transfers = tuple((exchange.payer, exchange.receiver) for exchange in event.exchanges)
    shown = TributeView(
        payers=tuple(payer for payer, _ in transfers),
        receivers=tuple(receiver for _, receiver in transfers),
        chosen=(),
        transfers=transfers,
        jokers=(),
        exchanges=event.exchanges,
    )
    return Opening(state.standing, hands, shown)


def _in_opening(state: Opening, event: Event) -> State:
    match event:
        case LeadGiven():
            return _opened(state, event.seat)
        case TributeDue():
            return Tribute(state.standing, state.hands, event.payers, event.receivers, paid=())
        case Resisted():
            resisted = TributeView((), (), (), (), jokers=event.jokers, exchanges=())
            return replace(state, tribute=resisted)
        case _:
            return _in_deal(state, event)


def _opened(state: Opening, leader: Seat) -> Playing:
    return Playing(
        standing=state.standing,
        hands=state.hands,
        turn=leader,
        leader=leader,
        table=None,
        laid=NOBODY,
        acts=NOBODY,
        counts=NOBODY,
        out=(),
        first_lead=True,
        tribute=state.tribute,
    )


def _in_deal(state: InDeal, event: Event) -> State:
    """What can happen in every phase of a deal."""
    match event:
        case Warned() | Infringed() | DealLost():
            return state
        case DealEnded():
            return BetweenDeals(after_deal(state.standing, event))
        case DealDropped():
            return BetweenDeals(state.standing)
        case BellRung():
            return replace(state, standing=replace(state.standing, bell=True))
        case _:
            _impossible(state, event)


def _between(state: Waiting | BetweenDeals, event: Event) -> State:
    standing = state.standing
    match event:
        case Dealt():
            dealt = replace(standing, deal=event.deal, level=event.level, level_side=event.level_side)
            return Opening(dealt, event.hands, tribute=None)
        case LeaderNamed():
            return BetweenDeals(replace(standing, named=event.seat))
        case BellRung():
            return replace(state, standing=replace(standing, bell=True))
        case GameEnded():
            return GameOver(standing, event)
        case Warned() | Infringed():
            return state
        case _:
            _impossible(state, event)


def _impossible(state: State, event: Event) -> NoReturn:
    raise ValueError(f"{type(event).__name__} cannot happen in the phase {type(state).__name__}")


def _moved(hands: tuple[Cards, ...], giver: Seat, taker: Seat, card: Card) -> tuple[Cards, ...]:
    given = with_item(hands, giver, _without(hands[giver], (card,)))
    return with_item(given, taker, tuple(sorted((*given[taker], card))))


def _without(hand: Cards, cards: Cards) -> Cards:
    rest = remove(hand, cards)
    if rest is None:
        raise ValueError("a hand does not hold the cards that left it")
    return rest
