"""Which reading beats which (guandan: comparison)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from broker.engine.cards import RANKS, Rank, rank_order
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading

_BOMB: Final = PlayType.BOMB
_NATURAL_TYPES: Final = frozenset(
    (PlayType.STRAIGHT, PlayType.TUBE, PlayType.PLATE, PlayType.STRAIGHT_FLUSH),
)
_STRAIGHT_FLUSHES: Final = 2
_JOKER_BOMB: Final = 8


def beats(challenger: Reading, table: Reading, level: Rank) -> bool:
    """Whether ``challenger`` may be played on ``table``; equal never beats equal."""
    mine, theirs = bomb_class(challenger), bomb_class(table)
    if mine != theirs:
        return mine > theirs
    if mine < 0 and challenger.type != table.type:
        return False
    return power(challenger, level) > power(table, level)


def bomb_class(reading: Reading) -> int:
    """Class among the bombs, where a higher one beats every lower one; −1 for what is no bomb.

    Bombs of 4 are 0, of 5 are 1, straight flushes 2, bombs of 6 to 10 are 3 to 7, the joker bomb 8.
    """
    if reading.type < _BOMB:
        return -1
    if reading.type == _BOMB:
        return reading.size - 4 if reading.size < 6 else reading.size - 3
    return _STRAIGHT_FLUSHES if reading.type == PlayType.STRAIGHT_FLUSH else _JOKER_BOMB


def power(reading: Reading, level: Rank) -> int:
    """Strength among the readings of the same type and size.

    Sequences go by natural top rank, all others by the order of single cards.
    """
    return reading.rank if reading.type in _NATURAL_TYPES else rank_order(reading.rank, level)


def higher_ranks(reading: Reading, level: Rank) -> int:
    """Mask (bits 0–14) of the ranks with which the same type in the same size beats ``reading``."""
    table = _HIGHER_NATURAL if reading.type in _NATURAL_TYPES else _HIGHER[level]
    return table[reading.rank]


def _higher(order: Sequence[int]) -> tuple[int, ...]:
    """By rank, the joker bomb's 15 included: the ranks that come after it."""
    return tuple(
        sum(1 << rank for rank in range(NO_RANK) if order[rank] > order[other])
        for other in range(NO_RANK + 1)
    )


_HIGHER_NATURAL: Final = _higher(range(NO_RANK + 1))
_HIGHER: Final = tuple(
    _higher([rank_order(rank, level) for rank in range(NO_RANK + 1)]) for level in range(len(RANKS))
)
