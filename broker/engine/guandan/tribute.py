"""Tribute and return before a deal (guandan: tribute; national art. 11, Huai'an art. 10).

Pure questions about hands and places. Who must pay is public; what may be paid or returned a seat
can judge from its own hand; only resisting and the assignment of a double need more than one hand.
"""

from __future__ import annotations

from typing import Final

from broker.engine.cards import ACE, BIG_JOKER, Card, Cards, Rank, order_of, parse_rank, wild
from broker.engine.guandan.events import JokersHeld
from broker.engine.guandan.rules import ReturnLimit, Rules
from broker.engine.guandan.state import Choice, GivingBack, State, Transfer, Tribute, owes
from broker.engine.seats import SEATS, Seat, before, side_of

_HIGHEST: Final = {
    ReturnLimit.ANY: order_of(BIG_JOKER, ACE),
    ReturnLimit.BELOW_A: ACE - 1,
    ReturnLimit.TEN_OR_LOWER: parse_rank("T"),
}
"""The highest place in the order of single cards that a limit allows; level cards lie above A."""


def payers_after(order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who pays after a deal with these places: place 4, or both losers of a double-down."""
    if len(order) == 2:
        return tuple(seat for seat in SEATS if seat not in order)
    return order[3:]


def receivers_after(order: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who receives: place 1, or places 1 and 2 of a double-down."""
    return order[:2] if len(order) == 2 else order[:1]


def resisting_jokers(hands: tuple[Cards, ...], payers: tuple[Seat, ...]) -> tuple[JokersHeld, ...]:
    """Who resists with how many big jokers; empty if the payers do not hold both between them."""
    held = tuple(JokersHeld(seat, hands[seat].count(BIG_JOKER)) for seat in payers)
    if sum(jokers.held for jokers in held) < 2:
        return ()
    return tuple(jokers for jokers in held if jokers.held)


def payable(hand: Cards, level: Rank) -> Cards:
    """Faces of which the payer picks one, by suit: its highest rank, the wild hearts excluded."""
    faces = set(hand) - {wild(level)}
    highest = max(order_of(card, level) for card in faces)
    return tuple(sorted(card for card in faces if order_of(card, level) == highest))


def returnable(hand: Cards, limit: ReturnLimit, level: Rank) -> Cards:
    """Faces of which the receiver picks one, sorted; ``hand`` holds the tribute already.

    If nothing in the hand is within the limit, any face of its lowest rank.
    """
    faces = sorted(set(hand))
    lowest = min(order_of(card, level) for card in faces)
    highest = max(lowest, _HIGHEST[limit])
    return tuple(card for card in faces if order_of(card, level) <= highest)


def allowed(state: State, seat: Seat) -> Cards:
    """Faces that the seat may pay or give back now; empty if it owes neither."""
    if not owes(state, seat):
        return ()
    rules, level = state.standing.rules, state.standing.level
    match state:
        case Tribute():
            return payable(state.hands[seat], level)
        case GivingBack():
            transfer = next(transfer for transfer in state.transfers if transfer.receiver == seat)
            return returnable(state.hands[seat], _limit(rules, transfer), level)
        case _:
            return ()


def assigned(paid: tuple[Choice, ...], receivers: tuple[Seat, ...], level: Rank) -> tuple[Transfer, ...]:
    """Who gets whose card: of two, the higher goes to place 1.

    Equal ones go clockwise: each payer pays the seat before it. The tribute of place 1 is first.
    """
    if len(receivers) == 1:
        return (_routed(paid[0], receivers[0]),)
    one, two = paid
    difference = order_of(one.card, level) - order_of(two.card, level)
    to_first = one if difference > 0 or (not difference and before(one.seat) == receivers[0]) else two
    to_second = two if to_first is one else one
    return (_routed(to_first, receivers[0]), _routed(to_second, receivers[1]))


def leader_after(transfers: tuple[Transfer, ...]) -> Seat:
    """Who leads: the payer of the only, or the higher, tribute; of equal ones the seat after place 1.

    All three are the one who paid place 1.
    """
    return transfers[0].payer


def lowest(cards: Cards, level: Rank) -> Card:
    """Of cards that may be returned, the one that is returned at time-out: lowest rank, then suit."""
    return min(cards, key=lambda card: (order_of(card, level), card))


def _limit(rules: Rules, transfer: Transfer) -> ReturnLimit:
    if side_of(transfer.payer) == side_of(transfer.receiver):
        return rules.return_to_partner
    return rules.return_to_opponent


def _routed(choice: Choice, receiver: Seat) -> Transfer:
    return Transfer(choice.seat, receiver, choice.card)
