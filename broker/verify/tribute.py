"""Who pays what to whom: the checker's own reading of the tribute rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .combinations import JOKERS, RANKS, rank_of, single_order

Hands = Sequence[Sequence[str]]


def payers_of(order: Sequence[int]) -> tuple[int, ...]:
    """Seats that owe a tribute after a deal that ended in this order of places."""
    if len(order) == 4:
        return (order[3],)
    losers = sorted({0, 1, 2, 3} - set(order))
    return tuple(losers)


def is_resisted(hands: Hands, payers: Sequence[int]) -> bool:
    """Whether the payers hold both big jokers between them."""
    return sum(hands[seat].count("BJ") for seat in payers) == 2


def payable(hand: Sequence[str], level: str) -> set[str]:
    """Faces that may be paid: the highest cards, the wild hearts apart."""
    naturals = [card for card in hand if card != "H" + level]
    highest = max(single_order(rank_of(card), level) for card in naturals)
    return {card for card in naturals if single_order(rank_of(card), level) == highest}


def transfers(order: Sequence[int], paid: Mapping[int, str], level: str) -> dict[int, int]:
    """Receiver of each payer's card."""
    if len(paid) == 1:
        (payer,) = paid
        return {payer: order[0]}
    height = {payer: single_order(rank_of(card), level) for payer, card in paid.items()}
    first, second = sorted(height, key=lambda payer: -height[payer])
    if height[first] == height[second]:
        return {payer: (payer - 1) % 4 for payer in paid}
    return {first: order[0], second: order[1]}


def leader_after(order: Sequence[int], paid: Mapping[int, str], level: str) -> int:
    """Seat that leads once the exchange is complete."""
    if len(paid) == 1:
        return next(iter(paid))
    height = {payer: single_order(rank_of(card), level) for payer, card in paid.items()}
    first, second = sorted(height, key=lambda payer: -height[payer])
    return (order[0] + 1) % 4 if height[first] == height[second] else first


def returnable(hand: Sequence[str], level: str, limit: str) -> set[str]:
    """Faces of ``hand`` (the tribute received included) that may be returned under ``limit``."""
    allowed = {card for card in hand if _within(card, level, limit)}
    if allowed:
        return allowed
    lowest = min(single_order(rank_of(card), level) for card in hand)
    return {card for card in hand if single_order(rank_of(card), level) == lowest}


def limit_for(rules: Mapping[str, Any], payer: int, receiver: int) -> str:
    """Name of the limit on a return to ``payer``."""
    partners = (payer - receiver) % 2 == 0
    return str(rules["return_to_partner" if partners else "return_to_opponent"])


def _within(card: str, level: str, limit: str) -> bool:
    if limit == "any":
        return True
    rank = rank_of(card)
    if rank in JOKERS or rank == level:
        return False
    return RANKS.index(rank) < RANKS.index("A" if limit == "below_a" else "J")
