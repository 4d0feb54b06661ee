"""Readings of a set of cards and which beats which: the checker's own slow and plain version.

Written from the rule book and from nothing else, so that a fault of the engine cannot hide here
too. Cards are text (``S7 HT LJ BJ``); a reading is ``(type, rank, size)`` with rank as text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement

RANKS = "23456789TJQKA"
JOKERS = ("LJ", "BJ")

Reading = tuple[str, str | None, int]

_BOMB_CLASS = {"straight_flush": 55, "joker_bomb": 1000}


def rank_of(card: str) -> str:
    """Rank of a card; a joker is its own rank."""
    return card if card in JOKERS else card[1]


def single_order(rank: str, level: str) -> int:
    """Place of a rank in the order of single cards at ``level``."""
    if rank in JOKERS:
        return 20 + JOKERS.index(rank)
    return 19 if rank == level else RANKS.index(rank)


def smallest_single(hand: Iterable[str], level: str) -> str:
    """What a leader plays when time is over: the lowest card, by suit, a wild last of its rank."""

    def height(card: str) -> tuple[int, bool, int]:
        return single_order(rank_of(card), level), card == "H" + level, "SHCDLB".index(card[0])

    return min(hand, key=height)


def readings(cards: Sequence[str], level: str) -> set[Reading]:
    """Every reading of the whole set: each wild tried as every rank."""
    wild = "H" + level
    naturals = [card for card in cards if card != wild]
    wilds = len(cards) - len(naturals)
    if wilds == len(cards) and wilds <= 2:
        return {("single" if wilds == 1 else "pair", level, wilds)} if wilds else set()
    found: set[Reading] = set()
    for ranks in combinations_with_replacement(RANKS, wilds):
        found |= _as_ranks(naturals, [rank_of(card) for card in naturals] + list(ranks), wilds)
    return found


def beats(challenger: Reading, table: Reading, level: str) -> bool:
    """Whether ``challenger`` may be played on ``table``."""
    mine, theirs = _bomb_class(challenger), _bomb_class(table)
    if mine != theirs:
        return mine > theirs
    if mine == 0 and (challenger[0], challenger[2]) != (table[0], table[2]):
        return False
    return _strength(challenger, level) > _strength(table, level)


def _as_ranks(naturals: Sequence[str], ranks: Iterable[str], wilds: int) -> set[Reading]:
    counts = Counter(ranks)
    size = counts.total()
    found: set[Reading] = set(_same_rank(counts, size))
    if sorted(counts.values()) == [2, 3]:
        triple = max(counts, key=lambda rank: counts[rank])
        if triple not in JOKERS:
            found.add(("full_house", triple, 5))
    if set(counts.values()) == {2} and len(counts) == 3 and (top := _run_top(counts)):
        found.add(("tube", top, 6))
    if set(counts.values()) == {3} and len(counts) == 2 and (top := _run_top(counts)):
        found.add(("plate", top, 6))
    if set(counts.values()) == {1} and size == 5 and (top := _run_top(counts)):
        suited = len({card[0] for card in naturals}) == 1
        if suited:
            found.add(("straight_flush", top, 5))
        if wilds or not suited:
            found.add(("straight", top, 5))
    return found


def _same_rank(counts: Counter[str], size: int) -> Iterable[Reading]:
    if counts == {"LJ": 2, "BJ": 2}:
        yield ("joker_bomb", None, 4)
    if len(counts) != 1:
        return
    (rank,) = counts
    if size <= 3 and not (rank in JOKERS and size == 3):
        yield (("single", "pair", "triple")[size - 1], rank, size)
    elif size >= 4:
        yield ("bomb", rank, size)


def _run_top(counts: Counter[str]) -> str | None:
    """Top rank if the ranks are consecutive, the ace high or low; None otherwise."""
    if any(rank in JOKERS for rank in counts):
        return None
    held = sorted(RANKS.index(rank) for rank in counts)
    if held == list(range(held[0], held[0] + len(held))):
        return RANKS[held[-1]]
    if held[-1] == 12 and held[:-1] == list(range(len(held) - 1)):
        return RANKS[held[-2]]
    return None


def _bomb_class(reading: Reading) -> int:
    if reading[0] == "bomb":
        return reading[2] * 10
    return _BOMB_CLASS.get(reading[0], 0)


def _strength(reading: Reading, level: str) -> int:
    kind, rank, _ = reading
    if rank is None:
        return 0
    if kind in ("straight", "tube", "plate", "straight_flush"):
        return RANKS.index(rank)
    return single_order(rank, level)
