"""How a deal opens and ends: the board, tribute and return, and the rulings that cut it short."""

from __future__ import annotations

from dataclasses import replace

from broker.engine.cards import HEART_THREE, TWO_PACKS, Card
from broker.engine.game import Board, Event
from broker.engine.guandan.actions import GiveBack, PayTribute
from broker.engine.guandan.events import (
    BellRung,
    DealDropped,
    DealLost,
    Dealt,
    EndCause,
    Exchange,
    Exchanged,
    GivenBack,
    LeadCause,
    LeaderNamed,
    LeadGiven,
    Resisted,
    TributeDue,
    TributePaid,
    TributesAssigned,
)
from broker.engine.guandan.levels import after_deal, settled
from broker.engine.guandan.rules import AtBell, FirstLead
from broker.engine.guandan.scoring import end_cause, game_ended
from broker.engine.guandan.state import (
    BetweenDeals,
    Choice,
    GivingBack,
    InDeal,
    Standing,
    Tribute,
    Waiting,
    owes,
)
from broker.engine.guandan.tribute import (
    allowed,
    assigned,
    leader_after,
    payers_after,
    receivers_after,
    resisting_jokers,
)
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import SEATS, Seat, Side, opponents_of
from broker.engine.shuffle import deal, dealt_to


def open_deal(state: Waiting | BetweenDeals, board: Board) -> tuple[Event, ...]:
    """The board is dealt, and with it who pays a tribute or who leads (guandan: deal)."""
    standing = state.standing
    articles = standing.rules.articles
    if standing.lost and standing.named is None:
        raise Refused(Reason.LEADER_NOT_NAMED, articles.game)
    if not _is_whole(board):
        raise Refused(Reason.BAD_BOARD, articles.game)
    dealt = Dealt(
        deal=standing.deal + 1,
        board=board.board,
        level=standing.level,
        level_side=standing.level_side,
        first=board.first,
        turned=_turned(standing, board),
        hands=deal(board),
    )
    return (dealt, *_opening(standing, board, dealt))


def pay_tribute(state: Tribute, action: PayTribute, automatic: bool) -> tuple[Event, ...]:
    """A payer has chosen; with the last choice the tributes go to their receivers."""
    articles = state.standing.rules.articles
    _check_choice(state, action, Refused(Reason.WRONG_TRIBUTE, articles.tribute))
    event = TributePaid(action.seat, action.card, automatic)
    paid = (*state.paid, Choice(action.seat, action.card))
    if len(paid) < len(state.payers):
        return (event,)
    transfers = assigned(paid, state.receivers, state.standing.level)
    return (event, TributesAssigned(tuple((transfer.payer, transfer.receiver) for transfer in transfers)))


def give_back(state: GivingBack, action: GiveBack, automatic: bool) -> tuple[Event, ...]:
    """A receiver has chosen; with the last choice all is shown, and who paid place 1 leads."""
    articles = state.standing.rules.articles
    _check_choice(state, action, Refused(Reason.WRONG_RETURN, articles.give_back))
    event = GivenBack(action.seat, action.card, automatic)
    returned = dict((*state.returned, Choice(action.seat, action.card)))
    if len(returned) < len(state.transfers):
        return (event,)
    exchanges = tuple(
        Exchange(payer, receiver, paid, returned[receiver]) for payer, receiver, paid in state.transfers
    )
    lead = LeadGiven(leader_after(state.transfers), LeadCause.TRIBUTE)
    return (event, Exchanged(exchanges), lead)


def deal_ends(standing: Standing, order: tuple[Seat, ...], winner: Side) -> tuple[Event, ...]:
    """The result of the deal, and of the game if that ends with it."""
    ended = settled(standing, order, winner)
    after = after_deal(standing, ended)
    cause = end_cause(after)
    if cause is None:
        return (ended,)
    return (replace(ended, next_level=None, next_side=None), game_ended(after, cause))


def lose_deal(state: InDeal, side: Side) -> tuple[Event, ...]:
    """By ruling: a double-down for the other side, without places (conduct: penalties, 3)."""
    return (DealLost(side), *deal_ends(state.standing, (), opponents_of(side)))


def name_leader(state: Waiting | BetweenDeals, seat: Seat) -> tuple[Event, ...]:
    """Who leads the deal after a lost one: any seat, as the side not at fault wishes."""
    if not state.standing.lost or state.standing.named is not None:
        raise Refused(Reason.NOT_NOW, state.standing.rules.articles.game)
    return (LeaderNamed(seat),)


def ring_bell(state: Waiting | InDeal | BetweenDeals) -> tuple[Event, ...]:
    """The time is over: the game ends now, or after the deal in play, as the rules have it."""
    standing = state.standing
    if standing.bell or standing.rules.game_minutes is None:
        raise Refused(Reason.NOT_NOW, standing.rules.articles.game)
    rung, ended = BellRung(), game_ended(standing, EndCause.TIME)
    if isinstance(state, Waiting | BetweenDeals):
        return (rung, ended)
    if standing.rules.at_bell is AtBell.FINISH:
        return (rung,)
    return (rung, DealDropped(standing.deal), ended)


def _opening(standing: Standing, board: Board, dealt: Dealt) -> tuple[Event, ...]:
    last = standing.last
    if standing.named is not None:
        return (LeadGiven(standing.named, LeadCause.NAMED),)
    if last is None:
        return (_first_lead(standing, board),)
    payers = payers_after(last.order) if standing.rules.tribute else ()
    jokers = resisting_jokers(dealt.hands, payers)
    if payers and not jokers:
        return (TributeDue(payers, receivers_after(last.order)),)
    lead = LeadGiven(last.order[0], LeadCause.FIRST_PLACE)
    return (Resisted(jokers), lead) if jokers else (lead,)


def _first_lead(standing: Standing, board: Board) -> LeadGiven:
    if standing.rules.first_lead is FirstLead.TURNED_CARD:
        return LeadGiven(dealt_to(board, board.turned), LeadCause.TURNED_CARD)
    return LeadGiven(dealt_to(board, board.deck.index(HEART_THREE)), LeadCause.HEART_THREE)


def _turned(standing: Standing, board: Board) -> Card | None:
    """The turned-up card, shown where it decides the lead: in the first deal of a game."""
    if standing.last is None and standing.rules.first_lead is FirstLead.TURNED_CARD:
        return board.deck[board.turned]
    return None


def _is_whole(board: Board) -> bool:
    whole = tuple(sorted(board.deck)) == TWO_PACKS
    return whole and board.first in SEATS and 0 <= board.turned < len(TWO_PACKS)


def _check_choice(state: Tribute | GivingBack, action: PayTribute | GiveBack, wrong: Refused) -> None:
    """The seat owes a choice, and the card is one of the faces that it may choose."""
    if not owes(state, action.seat):
        raise Refused(Reason.NOT_YOUR_TURN, state.standing.rules.articles.turn)
    if action.card not in allowed(state, action.seat):
        raise wrong
