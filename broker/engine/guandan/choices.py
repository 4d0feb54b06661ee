"""What a hand can put in for one rank: its natural cards, and every choice of k of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from broker.engine.cards import FACES, RANK_OF, Cards, Rank
from broker.engine.guandan.combinations import NO_RANK
from broker.engine.guandan.tables import LARGEST_BOMB

Sets: TypeAlias = tuple[tuple[Cards, ...], ...]
"""By number: the distinct multisets of so many cards of one rank, each sorted; of none the empty one."""

_FACES: Final = tuple(
    sum(1 << face for face in range(FACES) if RANK_OF[face] == rank) for rank in range(NO_RANK)
)
"""By rank: its faces as a mask."""


class Choices(dict[Rank, Sets]):
    """Choices by rank, made when first asked for, from the masks of the natural faces held once and twice."""

    __slots__ = ("_once", "_twice")

    def __init__(self, once: int, twice: int) -> None:
        self._once = once
        self._twice = twice

    def __missing__(self, rank: Rank) -> Sets:
        self[rank] = sets = _sets(self._once & _FACES[rank], self._twice & _FACES[rank])
        return sets


class Faces(dict[Rank, Cards]):
    """The distinct faces by rank, made when first asked for."""

    __slots__ = ("_once",)

    def __init__(self, once: int) -> None:
        self._once = once

    def __missing__(self, rank: Rank) -> Cards:
        self[rank] = faces = _faces(self._once & _FACES[rank])
        return faces


@cache
def _sets(once: int, twice: int) -> Sets:
    cards = sorted(_faces(once) + _faces(twice))
    return tuple(tuple(dict.fromkeys(combinations(cards, count))) for count in range(LARGEST_BOMB + 1))


@cache
def _faces(mask: int) -> Cards:
    return tuple(face for face in range(FACES) if mask >> face & 1)
