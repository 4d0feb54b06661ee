"""Selections: the distinct ways to take the cards of one reading out of a hand.

A selection is a tuple of faces, its wilds first and then rank by rank as the reading asks for
them; two selections of one reading never hold the same cards. Most types are built rank by rank,
starting from the wilds: a rank may put in one or two cards fewer if that uses up as many of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations, product
from operator import itemgetter
from typing import Final, TypeAlias

from broker.engine.cards import (
    ACE,
    BIG_JOKER_RANK,
    RANKS,
    SMALL_JOKER_RANK,
    Card,
    Cards,
    Rank,
    wild,
)
from broker.engine.guandan.choices import Faces, Sets
from broker.engine.guandan.combinations import NO_RANK, Reading
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.tables import LOWEST_STRAIGHT, MAX_WILDS, RUNS, SEQUENCES, run_ranks

Selections: TypeAlias = list[Cards]
"""Of one reading."""

_Picker: TypeAlias = Callable[[Faces], tuple[Cards, ...]]
"""Gives the faces of some ranks."""

_Unspent: TypeAlias = Sequence[Selections]
"""Unfinished selections by the number of their wilds that no rank has used up yet."""

_Pools: TypeAlias = Sequence[Iterable[Cards]]
"""What a rank can put in, by the number of wilds that this uses up."""


def selections(hand: Hand, reading: Reading) -> Selections:
    """Every distinct choice of cards that makes the reading; none if it cannot be made."""
    return _OF_TYPE[reading.type](hand, reading)


def _same_rank(hand: Hand, reading: Reading) -> Selections:
    """Single, pair, triple or bomb; wilds without a natural card are level cards."""
    rank, size = reading.rank, reading.size
    sets = hand.choices[rank]
    if rank >= SMALL_JOKER_RANK or not hand.wilds:
        return list(sets[size])
    found = _join(_start(hand), _pools(sets, size, at_least=1), 0)
    if rank == hand.level and size <= hand.wilds:
        found.append((wild(rank),) * size)
    return found


def _full_house(hand: Hand, reading: Reading) -> Selections:
    """The pair may be of jokers, but of natural ones only; two wilds make one pair, not one a rank."""
    sets, triple = hand.choices, reading.rank
    pairs = [cards for rank in range(NO_RANK) if rank != triple for cards in sets[rank][2]]
    pools: list[Iterable[Cards]] = [pairs]
    if hand.wilds:
        pools.append([cards for rank in range(len(RANKS)) if rank != triple for cards in sets[rank][1]])
        pools.append([()])
    return _join(_add(_start(hand), _pools(sets[triple], 3, at_least=1)), pools, 0)


def _pairs_or_triples(hand: Hand, reading: Reading) -> Selections:
    """Tube or plate."""
    length, each = SEQUENCES[reading.type]
    *lower, top = (_pools(hand.choices[rank], each) for rank in run_ranks(reading.rank, length))
    unspent = _start(hand)
    for pools in lower:
        unspent = _add(unspent, pools)
    return _join(unspent, top, 0)


def _straight(hand: Hand, reading: Reading) -> Selections:
    """Products of the faces of the ranks for which no wild stands."""
    faces = hand.faces
    found: Selections = []
    for wilds, kept in zip(_start(hand), _KEPT[reading.rank], strict=False):
        given = [(card,) for card in wilds[0]]
        for of_ranks in kept:
            found += product(*given, *of_ranks(faces))
    if any(RUNS[0][suit] >> reading.rank & 1 for suit in hand.suits):
        return [cards for cards in found if _is_straight(cards, wild(hand.level))]
    return found


def _is_straight(cards: Cards, joker: Card) -> bool:
    """Not of one suit, or with a wild, which comes first and can take another suit."""
    return cards[0] == joker or len({card // len(RANKS) for card in cards}) > 1


def _straight_flush(hand: Hand, reading: Reading) -> Selections:
    found: Selections = []
    for suit, mask in enumerate(hand.suits):
        if RUNS[hand.wilds][mask] >> reading.rank & 1:
            held = [suit * len(RANKS) + rank for rank in run_ranks(reading.rank, 5) if mask >> rank & 1]
            for (wilds,) in _start(hand):
                found += [wilds + cards for cards in combinations(held, 5 - len(wilds))]
    return found


def _joker_bomb(hand: Hand, reading: Reading) -> Selections:
    sets = hand.choices
    return [small + big for small in sets[SMALL_JOKER_RANK][2] for big in sets[BIG_JOKER_RANK][2]]


@cache
def _nothing_but(joker: Card, held: int) -> _Unspent:
    return tuple([(joker,) * count] for count in range(held + 1))


def _start(hand: Hand) -> _Unspent:
    """Nothing but wilds: none, one, two, as far as they are held."""
    return _nothing_but(wild(hand.level), hand.wilds)


def _pools(sets: Sets, count: int, at_least: int = 0) -> _Pools:
    """Choices of ``count`` cards of a rank, of one fewer, and so on down to ``at_least``."""
    return sets[count : at_least - 1 if at_least else None : -1]


def _add(unspent: _Unspent, pools: _Pools) -> _Unspent:
    return [_join(unspent, pools, left) for left in range(len(unspent))]


def _join(unspent: _Unspent, pools: _Pools, left: int) -> Selections:
    """The selections, one rank more in them, with ``left`` wilds still to be used up."""
    return [
        cards + more
        for begun, pool in zip(unspent[left:], pools, strict=False)
        for cards in begun
        for more in pool
    ]


def _kept(top: Rank) -> tuple[tuple[_Picker, ...], ...]:
    """By number of wilds: the ways to pick the ranks with natural cards of a straight."""
    ranks = run_ranks(top, 5)
    return tuple(
        tuple(itemgetter(*natural) for natural in combinations(ranks, 5 - wilds))
        for wilds in range(MAX_WILDS + 1)
    )


_KEPT: Final = {top: _kept(top) for top in range(LOWEST_STRAIGHT, ACE + 1)}

_OF_TYPE: Final = (
    _same_rank,
    _same_rank,
    _same_rank,
    _full_house,
    _straight,
    _pairs_or_triples,
    _pairs_or_triples,
    _same_rank,
    _straight_flush,
    _joker_bomb,
)
"""By type of play."""
