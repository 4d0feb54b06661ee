"""Readings of a set of cards (guandan: wild cards, combinations)."""

from __future__ import annotations

from broker.engine.cards import RANKS, Card, Cards, Rank, wild
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.shapes import IN_ONE_SUIT, OF_FACE, OF_WILD, READINGS
from broker.engine.guandan.tables import LARGEST_BOMB


def readings(cards: Cards, level: Rank) -> tuple[Reading, ...]:
    """All readings of the whole set, by type, then rank ascending; none if it is not a play."""
    if len(cards) > LARGEST_BOMB:
        return ()
    joker = wild(level)
    wilds = cards.count(joker)
    shape = sum(map(OF_FACE.__getitem__, cards))
    if wilds < len(cards):
        shape += wilds * (OF_WILD - OF_FACE[joker])
    if shape in IN_ONE_SUIT and _is_one_suit(cards, joker):
        return IN_ONE_SUIT[shape]
    return READINGS.get(shape, ())


def _is_one_suit(cards: Cards, joker: Card) -> bool:
    return len({card // len(RANKS) for card in cards if card != joker}) == 1
