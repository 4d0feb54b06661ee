"""Shapes: how many cards of which ranks make which readings.

The *shape* of a set is one number: how many natural cards of each rank it has (four bits a rank,
jokers included) and how many wilds. It decides the readings of the set but for one thing: the
suits say whether a run can be a straight, a straight flush or both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from typing import Final, TypeAlias

from broker.engine.cards import BIG_JOKER_RANK, FACES, RANK_OF, RANKS, SMALL_JOKER_RANK, Rank
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading
from broker.engine.guandan.tables import JOKER_BOMB, LARGEST_BOMB, MAX_WILDS, SEQUENCES, run_ranks

Shape: TypeAlias = int

_Pattern: TypeAlias = tuple[Rank, ...]
"""The rank of every card of a reading."""

_Patterns: TypeAlias = Iterable[tuple[Reading, _Pattern]]

_ONE: Final = tuple(1 << 4 * rank for rank in range(NO_RANK))
_NATURAL_RANKS: Final = range(len(RANKS))
_SIZES: Final = (PlayType.SINGLE, PlayType.PAIR, PlayType.TRIPLE, *(PlayType.BOMB,) * (LARGEST_BOMB - 3))

OF_FACE: Final = {face: _ONE[RANK_OF[face]] for face in range(FACES)}
"""What one natural card adds to a shape."""

OF_WILD: Final[Shape] = 1 << 4 * NO_RANK
"""What a wild adds; sets of nothing but wilds are read as level cards."""


def _of_one_rank() -> _Patterns:
    for size, play_type in enumerate(_SIZES, start=1):
        for rank in range(NO_RANK if size <= 2 else SMALL_JOKER_RANK):
            yield Reading(play_type, rank, size), (rank,) * size


def _full_houses() -> _Patterns:
    for triple in _NATURAL_RANKS:
        for pair in range(NO_RANK):
            if pair != triple:
                yield Reading(PlayType.FULL_HOUSE, triple, 5), (triple,) * 3 + (pair,) * 2


def _sequences(play_type: PlayType) -> _Patterns:
    length, each = SEQUENCES[play_type]
    for top in range(length - 2, len(RANKS)):
        yield Reading(play_type, top, length * each), run_ranks(top, length) * each


def _fillings(pattern: _Pattern) -> Iterator[Shape]:
    """Shapes that fill the pattern: wilds stand for some of its cards, but never for jokers or for all."""
    jokers = tuple(rank for rank in pattern if rank >= SMALL_JOKER_RANK)
    naturals = sorted(rank for rank in pattern if rank < SMALL_JOKER_RANK)
    for wilds in range(min(MAX_WILDS, max(len(naturals) - 1, 0)) + 1):
        for kept in set(combinations(naturals, len(naturals) - wilds)):
            yield sum(_ONE[rank] for rank in kept + jokers) + wilds * OF_WILD


def _by_shape(*patterns: _Patterns) -> dict[Shape, tuple[Reading, ...]]:
    found: defaultdict[Shape, set[Reading]] = defaultdict(set)
    for reading, pattern in chain(*patterns):
        for shape in _fillings(pattern):
            found[shape].add(reading)
    return {shape: tuple(sorted(readings)) for shape, readings in found.items()}


_FLUSHES: Final = _by_shape(_sequences(PlayType.STRAIGHT_FLUSH))
_STRAIGHTS: Final = _by_shape(_sequences(PlayType.STRAIGHT))

IN_ONE_SUIT: Final = {
    shape: _STRAIGHTS[shape] + flushes if shape >= OF_WILD else flushes for shape, flushes in _FLUSHES.items()
}
"""By shape of a run: its readings if the natural cards are of one suit. A wild can take another one."""

READINGS: Final = _STRAIGHTS | _by_shape(
    _of_one_rank(),
    _full_houses(),
    _sequences(PlayType.TUBE),
    _sequences(PlayType.PLATE),
    [(JOKER_BOMB, (SMALL_JOKER_RANK, SMALL_JOKER_RANK, BIG_JOKER_RANK, BIG_JOKER_RANK))],
)
"""By shape: all readings otherwise."""
