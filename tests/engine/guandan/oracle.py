"""Slow and plain answers to compare with, and hands to ask about.

Each wild is tried as every one of the 52 faces, what comes out is classified as natural cards,
and a hand is asked by looking at every part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement

from hypothesis import settings
from hypothesis import strategies as st

from broker.engine.cards import Cards, Rank, wild
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading


def readings_of(cards: Cards, level: Rank) -> set[Reading]:
    """Every reading of the whole set."""
    naturals = [card for card in cards if card != wild(level)]
    wilds = len(cards) - len(naturals)
    if not naturals:
        return set(natural_readings(cards)) if cards else set()
    found: set[Reading] = set()
    for faces in combinations_with_replacement(range(52), wilds):
        found |= natural_readings(tuple(sorted((*naturals, *faces))))
    return found


def readings_of_parts(hand: Cards, level: Rank) -> set[Reading]:
    """Every reading of a part of the hand."""
    return set(chain.from_iterable(readings_of(part, level) for part in parts(hand)))


def plays_of_parts(hand: Cards, level: Rank) -> set[tuple[Cards, Reading]]:
    """Every distinct play."""
    return {(part, reading) for part in parts(hand) for reading in readings_of(part, level)}


def parts(hand: Cards) -> set[Cards]:
    """Every distinct part that is not empty."""
    return {part for size in range(1, len(hand) + 1) for part in combinations(sorted(hand), size)}


@lru_cache(maxsize=1 << 16)
def natural_readings(cards: Cards) -> frozenset[Reading]:
    """Readings of sorted cards that are all what they show."""
    counts = Counter(card - 39 if card >= 52 else card % 13 for card in cards)
    ranks, shape = sorted(counts), sorted(counts.values())
    if len(ranks) == 1:
        return frozenset(_same_rank(ranks[0], len(cards)))
    if cards == (52, 52, 53, 53):
        return frozenset([Reading(PlayType.JOKER_BOMB, NO_RANK, 4)])
    if shape == [2, 3]:
        triple = max(ranks, key=lambda rank: counts[rank])
        return frozenset([Reading(PlayType.FULL_HOUSE, triple, 5)] if triple < 13 else [])
    play_type = {(5, 1): PlayType.STRAIGHT, (3, 2): PlayType.TUBE, (2, 3): PlayType.PLATE}.get(
        (len(ranks), shape[0])
    )
    top = run_top(ranks)
    if play_type is None or top is None or shape[0] != shape[-1]:
        return frozenset()
    if play_type == PlayType.STRAIGHT and len({card // 13 for card in cards}) == 1:
        play_type = PlayType.STRAIGHT_FLUSH
    return frozenset([Reading(play_type, top, len(cards))])


def _same_rank(rank: Rank, size: int) -> Iterator[Reading]:
    if size <= 2 or (rank < 13 and size <= 3):
        yield Reading((PlayType.SINGLE, PlayType.PAIR, PlayType.TRIPLE)[size - 1], rank, size)
    elif rank < 13 and size <= 10:
        yield Reading(PlayType.BOMB, rank, size)


def run_top(ranks: list[Rank]) -> Rank | None:
    """Top rank of consecutive ranks, an A at either end; None if they are not."""
    for low in range(-1, 13):
        run = list(range(low, low + len(ranks)))
        if run[-1] <= 12 and sorted(rank % 13 for rank in run) == ranks:
            return run[-1]
    return None


few = settings(max_examples=40)

LEVELS = st.integers(0, 12)


@st.composite
def hands(draw: st.DrawFn, most: int) -> tuple[Cards, Rank]:
    """A hand of cards that lie close together, up to two wilds among them, and the level."""
    level = draw(LEVELS)
    low, ranks = draw(st.integers(0, 12)), draw(st.integers(1, 13))
    near = [suit * 13 + (low + rank) % 13 for suit in range(4) for rank in range(ranks)]
    others = draw(st.lists(st.sampled_from([*near, 52, 53]), max_size=most))
    wilds = draw(st.integers(0, 2))
    return held([wild(level)] * wilds + others)[:most], level


@st.composite
def near_plays(draw: st.DrawFn) -> tuple[Cards, Rank]:
    """Cards that make a play, or do but for one of them, and the level."""
    level = draw(LEVELS)
    ranks, wilds = draw(st.sampled_from(SHAPES))
    cards = list(cards_of(ranks, wilds, level, draw(st.permutations(range(4)))))
    if draw(st.booleans()):
        cards[draw(st.integers(0, len(cards) - 1))] = draw(st.integers(0, 53))
    return held(cards), level


def held(cards: Iterable[int]) -> Cards:
    """The cards, third copies left out, sorted."""
    return tuple(sorted(Counter({card: min(2, count) for card, count in Counter(cards).items()}).elements()))


def cards_of(ranks: Iterable[Rank], wilds: int, level: Rank, suits: Sequence[int]) -> Cards:
    """Natural cards of these ranks, the copies of a rank in turn of the suits given, and wilds; sorted."""
    cards = [wild(level)] * wilds
    for rank, copies in Counter(ranks).items():
        faces = [39 + rank] * 2 if rank >= 13 else [suit * 13 + rank for suit in suits] * 2
        cards += [face for face in faces if face != wild(level)][:copies]
    return tuple(sorted(cards))


def _full_shapes() -> Iterator[list[Rank]]:
    """The ranks of the cards of every play that has no wild, even where there are not as many."""
    yield [13, 13, 14, 14]
    for rank in range(15):
        yield from ([rank] * size for size in range(1, 11 if rank < 13 else 3))
    yield from ([rank] * 3 + [other] * 2 for rank in range(13) for other in range(15) if other != rank)
    for length, each in ((5, 1), (3, 2), (2, 3)):
        for top in range(length - 2, 13):
            yield [(top - below) % 13 for below in range(length)] * each


def _shapes() -> Iterator[tuple[tuple[Rank, ...], int]]:
    """Every way to make a play: the ranks of its natural cards, at least one, and the number of wilds."""
    for full in _full_shapes():
        for wilds in range(min(3, len(full))):
            for kept in combinations(sorted(full), len(full) - wilds):
                replaced = Counter(full) - Counter(kept)
                if max(replaced, default=0) < 13 and max(Counter(kept).values()) <= 6:
                    yield kept, wilds


SHAPES = sorted(set(_shapes()))
