"""A play as it is laid on the table: its cards in order, each wild in the place it stands for."""

from __future__ import annotations

from typing import Final, TypeAlias

from broker.engine.cards import ACE, HEARTS, RANK_OF, RANKS, Card, Cards, Rank, wild
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.readings import readings
from broker.engine.guandan.tables import SEQUENCES, run_ranks

Arrangement: TypeAlias = tuple[tuple[Card, Card | None], ...]
"""Each card, and the face that a wild stands for; None for a card that is itself."""

_SPADES: Final = 0


def arrange(cards: Cards, reading: Reading, level: Rank) -> Arrangement:
    """The cards in the order of the reading: sequences ascending (a low A first), triple before pair.

    Within a rank they go by suit, wilds last. A wild in the place of the level card is itself,
    elsewhere a spade, unless that would make a straight flush of a straight.
    ``ValueError`` if the cards do not make the reading.
    """
    if reading not in readings(cards, level):
        raise ValueError(f"these cards do not make {reading}")
    joker = wild(level)
    naturals = sorted(card for card in cards if card != joker)
    if reading.type == PlayType.JOKER_BOMB:
        return tuple((card, None) for card in naturals)
    return _lay(
        _places(naturals, reading, level), naturals, joker, _faces_for_wilds(naturals, reading, level)
    )


def _lay(ranks: list[Rank], naturals: list[Card], joker: Card, faces: Cards) -> Arrangement:
    """For each rank wanted a natural card while there is one, else a wild with its face."""
    left = list(naturals)
    laid: list[tuple[Card, Card | None]] = []
    for rank in ranks:
        card = next((card for card in left if RANK_OF[card] == rank), None)
        if card is not None:
            left.remove(card)
            laid.append((card, None))
        else:
            laid.append((joker, None if faces[rank] == joker else faces[rank]))
    return tuple(laid)


def _places(naturals: list[Card], reading: Reading, level: Rank) -> list[Rank]:
    """The rank of each card in order."""
    if reading.type == PlayType.FULL_HOUSE:
        return [reading.rank] * 3 + [_pair_rank(naturals, reading.rank, level)] * 2
    if reading.type in SEQUENCES:
        length, each = SEQUENCES[reading.type]
        return [rank for rank in run_ranks(reading.rank, length) for _ in range(each)]
    return [reading.rank] * reading.size


def _pair_rank(naturals: list[Card], triple: Rank, level: Rank) -> Rank:
    """Rank of the pair of a full house; two wilds are level cards, or the highest other rank."""
    others = [RANK_OF[card] for card in naturals if RANK_OF[card] != triple]
    highest = (level, ACE, ACE - 1)
    return others[0] if others else next(rank for rank in highest if rank != triple)


def _faces_for_wilds(naturals: list[Card], reading: Reading, level: Rank) -> Cards:
    """By rank: the face of a wild that stands for it."""
    suits = {card // len(RANKS) for card in naturals}
    flush = reading.type == PlayType.STRAIGHT_FLUSH
    plain = reading.type == PlayType.STRAIGHT
    suit = min(suits) if flush else HEARTS if plain and suits == {_SPADES} else _SPADES
    faces = [suit * len(RANKS) + rank for rank in range(len(RANKS))]
    if not flush and not (plain and suits == {HEARTS}):
        faces[level] = wild(level)
    return tuple(faces)
