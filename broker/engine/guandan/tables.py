"""Tables that turn a mask of ranks into runs and into readings; a line is made when first asked for.

A *mask* holds one bit a rank, bit 0 for the 2 up to bit 12 for the A; where jokers count, bits 13
and 14 are theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from broker.engine.cards import ACE, RANKS, SMALL_JOKER_RANK, Rank
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading

RANK_MASK: Final = (1 << SMALL_JOKER_RANK) - 1
"""All ranks from 2 to A."""

LOWEST_STRAIGHT: Final[Rank] = 3
"""Top rank of A2345."""

_LOWEST_OF_STRAIGHTS: Final = (1 << 10) - 1
"""Ranks, the low A first, with which a straight can begin."""

MAX_WILDS: Final = 2
LARGEST_BOMB: Final = 10

SEQUENCES: Final = {
    PlayType.STRAIGHT: (5, 1),
    PlayType.TUBE: (3, 2),
    PlayType.PLATE: (2, 3),
    PlayType.STRAIGHT_FLUSH: (5, 1),
}
"""How many consecutive ranks, and how many cards of each."""


@cache
def run_ranks(top: Rank, length: int) -> tuple[Rank, ...]:
    """The consecutive ranks that end with ``top``, a low A first."""
    return tuple((top - below) % len(RANKS) for below in reversed(range(length)))


def ace_low(mask: int) -> int:
    """The mask one bit up, with the A below the 2 as well: bit 0 and bit 13 are the A."""
    return mask << 1 | mask >> ACE


class RunTable(dict[int, int]):
    """By mask of ranks: the mask of top ranks of the straights of which at most ``gaps`` are missing."""

    def __init__(self, gaps: int) -> None:
        super().__init__()
        self._gaps = gaps

    def __missing__(self, mask: int) -> int:
        lowest = _windows(ace_low(mask))[self._gaps] & _LOWEST_OF_STRAIGHTS
        self[mask] = tops = lowest << LOWEST_STRAIGHT
        return tops


def _windows(mask: int) -> tuple[int, int, int]:
    """The bits from which on five, at least four, at least three of five bits are set.

    Two adders count the five for all places at once: ``ones``, ``twos`` and ``fours`` are the
    digits of the counts.
    """
    b, c, d, e = mask >> 1, mask >> 2, mask >> 3, mask >> 4
    three = mask ^ b ^ c
    carry = mask & b | c & (mask ^ b)
    ones = three ^ d ^ e
    other_carry = three & d | e & (three ^ d)
    twos, fours = carry ^ other_carry, carry & other_carry
    return fours & ones, fours, fours | twos & ones


class ReadingTable(dict[int, tuple[Reading, ...]]):
    """By mask of ranks: the readings of one type and size, by rank ascending."""

    def __init__(self, play_type: PlayType, size: int) -> None:
        super().__init__()
        readings = [Reading(play_type, rank, size) for rank in range(NO_RANK)]
        self._parts = tuple(_subsets(readings[low : low + 5]) for low in (0, 5, 10))

    def __missing__(self, mask: int) -> tuple[Reading, ...]:
        low, middle, high = self._parts
        self[mask] = found = low[mask & 31] + middle[mask >> 5 & 31] + high[mask >> 10]
        return found


def _subsets(readings: Sequence[Reading]) -> tuple[tuple[Reading, ...], ...]:
    """By mask: those whose bit is set."""
    found: list[tuple[Reading, ...]] = [()]
    for reading in readings:
        found += [(*some, reading) for some in found]
    return tuple(found)


RUNS: Final = tuple(RunTable(gaps) for gaps in range(MAX_WILDS + 1))
"""Straights within a mask, by the number of wilds that may fill gaps."""

ORDINARY: Final = (
    ReadingTable(PlayType.SINGLE, 1),
    ReadingTable(PlayType.PAIR, 2),
    ReadingTable(PlayType.TRIPLE, 3),
    ReadingTable(PlayType.FULL_HOUSE, 5),
    ReadingTable(PlayType.STRAIGHT, 5),
    ReadingTable(PlayType.TUBE, 6),
    ReadingTable(PlayType.PLATE, 6),
)
"""Readings that are no bombs, by type."""

JOKER_BOMB: Final = Reading(PlayType.JOKER_BOMB, NO_RANK, 4)

BOMBS: Final = (
    ReadingTable(PlayType.BOMB, 4),
    ReadingTable(PlayType.BOMB, 5),
    ReadingTable(PlayType.STRAIGHT_FLUSH, 5),
    *(ReadingTable(PlayType.BOMB, size) for size in range(6, LARGEST_BOMB + 1)),
    {0: (), 1: (JOKER_BOMB,)},
)
"""Bombs by class, the weakest first (``compare.bomb_class``); the joker bomb is held (1) or not (0)."""
