"""Which plays a hand has, whether one is legal, and the one that is made when time is over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, overload

from broker.engine.cards import Card, Cards, Rank, order_of, remove, wild
from broker.engine.guandan.combinations import Play, Reading
from broker.engine.guandan.compare import beats
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.readings import readings
from broker.engine.guandan.selections import selections
from broker.engine.refusal import Reason, Refused

if TYPE_CHECKING:
    from broker.engine.guandan.rules import Articles


class Plays(Sequence[Play]):
    """Distinct plays, reading by reading. All of them are there; each is made a ``Play`` when looked at."""

    def __init__(self, hand: Hand, wanted: Iterable[Reading]) -> None:
        self._groups: Final = [(reading, selections(hand, reading)) for reading in wanted]
        self._ends: Final = list(accumulate(len(chosen) for _, chosen in self._groups))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        if isinstance(index, slice):
            return [self._at(place) for place in range(len(self))[index]]
        return self._at(range(len(self))[index])

    def __iter__(self) -> Iterator[Play]:
        for reading, chosen in self._groups:
            for cards in chosen:
                yield _play(cards, reading)

    def _at(self, place: int) -> Play:
        group = bisect_right(self._ends, place)
        reading, chosen = self._groups[group]
        # Counted from the end of its group.
        return _play(chosen[place - self._ends[group]], reading)


def legal_plays(hand: Cards, level: Rank, table: Reading | None) -> Plays:
    """Every distinct play (type, rank, cards) that leads, or that beats ``table``; a pass is none."""
    held = Hand(hand, level)
    return Plays(held, held.readings if table is None else held.readings_over(table))


def check_play(
    hand: Cards, cards: Cards, declared: Reading, table: Reading | None, level: Rank, articles: Articles
) -> None:
    """``Refused`` if the hand may not play these cards as ``declared``, with the first reason that applies.

    The order is that of the rulebook: not held, not a play, reading not possible, does not beat.
    """
    if remove(hand, cards) is None:
        raise Refused(Reason.CARDS_NOT_HELD, articles.held)
    possible = readings(cards, level)
    if not possible:
        raise Refused(Reason.NOT_A_PLAY, articles.types)
    if declared not in possible:
        raise Refused(Reason.READING_NOT_POSSIBLE, articles.reading)
    if table is not None and not beats(declared, table, level):
        raise Refused(Reason.DOES_NOT_BEAT, articles.comparison)


def smallest_single(hand: Cards, level: Rank) -> Card:
    """The card that a leader plays when time is over (conduct: clocks).

    The lowest in the order of single cards, of equal ones by suit ♠♥♣♦, a wild after all others of
    its rank. ``ValueError`` for an empty hand.
    """
    joker = wild(level)
    return min(hand, key=lambda card: (order_of(card, level), card == joker, card))


def _play(cards: Cards, reading: Reading) -> Play:
    return Play(tuple(sorted(cards)), reading)
