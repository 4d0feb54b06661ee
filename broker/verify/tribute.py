"""Who pays what to whom: the checker's own reading of the tribute rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .combinations import JOKERS, RANKS, rank_of, single_order

Hands = Sequence[Sequence[str]]


def payers_of(order: Sequence[int]) -> tuple[int, ...]:
    """Seats that owe a tribute after a deal that ended in this order of places."""
    return (order[3],) if len(order) == 4 else tuple(sorted({0, 1, 2, 3} - set(order)))


def is_resisted(hands: Hands, payers: Sequence[int]) -> bool:
    """Whether the payers hold both big jokers between them."""
    return sum(hands[seat].count("BJ") for seat in payers) == 2


def payable(hand: Sequence[str], level: str) -> set[str]:
    """Faces that may be paid: the highest cards, the wild hearts apart."""
    naturals = {card for card in hand if card != "H" + level}
    highest = max(_height(card, level) for card in naturals)
    return {card for card in naturals if _height(card, level) == highest}


def transfers(order: Sequence[int], paid: Mapping[int, str], level: str) -> list[tuple[int, int]]:
    """(payer, receiver) of each card; that of place 1 first."""
    if len(paid) == 1:
        return [(payer, order[0]) for payer in paid]
    height = {payer: _height(card, level) for payer, card in paid.items()}
    high, low = sorted(height, key=lambda payer: -height[payer])
    if height[high] == height[low]:
        return [((receiver + 1) % 4, receiver) for receiver in order]
    return [(high, order[0]), (low, order[1])]


def leader_after(order: Sequence[int], paid: Mapping[int, str], level: str) -> int:
    """Seat that leads once the exchange is complete."""
    if len(paid) == 1:
        return next(iter(paid))
    height = {payer: _height(card, level) for payer, card in paid.items()}
    one, two = height
    if height[one] == height[two]:
        return (order[0] + 1) % 4
    return max(height, key=lambda payer: height[payer])


def returnable(hand: Sequence[str], level: str, limit: str) -> set[str]:
    """Faces of ``hand`` (the tribute received included) that may be returned under ``limit``."""
    allowed = {card for card in hand if _within(card, level, limit)}
    if allowed:
        return allowed
    lowest = min(_height(card, level) for card in hand)
    return {card for card in hand if _height(card, level) == lowest}


def at_time_out(faces: Iterable[str], level: str) -> str:
    """Of the faces allowed, the one taken when time is over: the lowest rank, then the first suit."""
    return min(faces, key=lambda card: (_height(card, level), "SHCDLB".index(card[0])))


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


def _height(card: str, level: str) -> int:
    return single_order(rank_of(card), level)
