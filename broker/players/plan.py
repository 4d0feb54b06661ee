"""Plans: a hand taken apart into the plays by which it would go out, and what they cost.

The cost of a play is the turns that it takes: one for a play that will be beaten, hardly any for
one that will win its trick, less than none for a bomb, which brings the lead for another. A plan
is judged by ranks; suits matter to straight flushes alone. It is a good plan, not the best there
is: bombs and runs are kept whole, and the wilds go to triples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple

from broker.engine.cards import ACE, BIG_JOKER_RANK, RANK_OF, SMALL_JOKER_RANK, Cards, Rank, rank_order
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.compare import bomb_class, power
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.tables import JOKER_BOMB, run_ranks

Counts = tuple[int, ...]
"""Natural cards held, by rank 0–14."""


class Plan(NamedTuple):
    """Plays that use up a hand, and what they cost together."""

    cost: float
    plays: tuple[Reading, ...]


_SINGLE: Final = dict(zip(range(10, 16), (0.05, 0.15, 0.3, 0.5, 0.7, 0.95), strict=True))
_PAIR: Final = dict(zip(range(9, 16), (0.1, 0.2, 0.35, 0.5, 0.65, 0.9, 0.98), strict=True))
_TRIPLE: Final = dict(zip(range(7, 14), (0.25, 0.3, 0.35, 0.45, 0.55, 0.7, 0.85), strict=True))
"""Chance to win a trick, by place in the order of single cards."""

_CHANCE: Final = {
    PlayType.SINGLE: (_SINGLE, 0.0),
    PlayType.PAIR: (_PAIR, 0.0),
    PlayType.TRIPLE: (_TRIPLE, 0.15),
    PlayType.FULL_HOUSE: (_TRIPLE, 0.15),
}
_WORTH_ALONE: Final = 0.5
_RUN: Final = 0.25
_RUN_STEP: Final = 0.05
_BOMB: Final = 0.55
_BOMB_STEP: Final = 0.08


@cache
def strength(reading: Reading, level: Rank) -> float:
    """About how likely the play is to win its trick, from 0 to 1."""
    if bomb_class(reading) >= 0:
        return 1.0
    if reading.type in _CHANCE:
        table, otherwise = _CHANCE[reading.type]
        return table.get(power(reading, level), otherwise)
    return _RUN + _RUN_STEP * reading.rank


@cache
def cost(reading: Reading, level: Rank) -> float:
    """Turns that the play takes."""
    of_class = bomb_class(reading)
    if of_class >= 0:
        return -(_BOMB + _BOMB_STEP * of_class)
    return 1 - strength(reading, level)


@lru_cache(maxsize=4096)
def plan(cards: Cards, level: Rank) -> Plan:
    """A good way to play these cards out."""
    hand = Hand(cards, level)
    counts = [0] * (BIG_JOKER_RANK + 1)
    for card in cards:
        counts[RANK_OF[card]] += 1
    counts[level] -= hand.wilds
    natural = tuple(counts)
    plans = [_apart(natural, hand.wilds, level)]
    for flush, rest, wilds in _straight_flushes(hand, natural):
        plans.append(_with(flush, _apart(rest, wilds, level), level))
    return min(plans)


def _with(play: Reading, rest: Plan, level: Rank) -> Plan:
    return Plan(rest.cost + cost(play, level), (play, *rest.plays))


def _straight_flushes(hand: Hand, counts: Counts) -> Iterator[tuple[Reading, Counts, int]]:
    """Straight flushes, with the ranks and wilds that each leaves."""
    flushes = [reading for reading in hand.readings if reading.type is PlayType.STRAIGHT_FLUSH]
    for flush, suit in product(flushes, hand.suits):
        taken = [rank for rank in run_ranks(flush.rank, flush.size) if suit >> rank & 1]
        wilds = hand.wilds - (flush.size - len(taken))
        if wilds >= 0:
            yield flush, _without(counts, taken, 1), wilds


def _without(counts: Counts, ranks: Iterable[Rank], each: int) -> Counts:
    rest = list(counts)
    for rank in ranks:
        rest[rank] -= each
    return tuple(rest)


@lru_cache(maxsize=8192)
def _apart(counts: Counts, wilds: int, level: Rank, first: int = 0) -> Plan:
    """The cheapest of: no run at all, or one of ``_RUNS`` from ``first`` on and the rest apart."""
    best = _by_rank(counts, wilds, level)
    for place in range(first, len(_SEQUENCES)):
        run = _SEQUENCES[place]
        if _is_worth(run, counts):
            rest = _apart(_without(counts, run.ranks, run.each), wilds, level, place)
            best = min(best, _with(run.reading, rest, level))
    return best


class _Sequence(NamedTuple):
    reading: Reading
    ranks: tuple[Rank, ...]
    each: int
    spare: int
    """In how many of its ranks a card may be left over."""


def _sequences() -> Iterator[_Sequence]:
    shapes = ((PlayType.STRAIGHT, 5, 1, 2), (PlayType.TUBE, 3, 2, 1), (PlayType.PLATE, 2, 3, 0))
    for kind, length, each, spare in shapes:
        for top in range(length - 2, ACE + 1):
            yield _Sequence(Reading(kind, top, length * each), run_ranks(top, length), each, spare)


_SEQUENCES: Final = tuple(_sequences())


def _is_worth(run: _Sequence, counts: Counts) -> bool:
    """Whether the run is there, breaks no bomb and leaves little over."""
    left_over = 0
    for rank in run.ranks:
        count = counts[rank]
        if not run.each <= count < 4:
            return False
        left_over += count > run.each
    return left_over <= run.spare


def _by_rank(counts: Counts, wilds: int, level: Rank) -> Plan:
    """Bombs, full houses, triples, pairs and singles. Wilds make bombs of triples, the lowest first."""
    plays: list[Reading] = []
    of_size: dict[int, list[Rank]] = {1: [], 2: [], 3: []}
    for rank in _ascending(level):
        count = counts[rank]
        if count >= 4:
            plays.append(Reading(PlayType.BOMB, rank, count))
        elif count:
            of_size[count].append(rank)
    singles, pairs, triples = of_size.values()
    if pairs[-2:] == [SMALL_JOKER_RANK, BIG_JOKER_RANK]:
        plays.append(JOKER_BOMB)
        del pairs[-2:]
    bombs = min(wilds, len(triples))
    plays += (Reading(PlayType.BOMB, rank, 4) for rank in triples[:bombs])
    singles += [level] * (wilds - bombs)
    plays += _with_pairs(triples[bombs:], pairs, level)
    plays += (Reading(PlayType.SINGLE, rank, 1) for rank in singles)
    return Plan(sum(cost(play, level) for play in plays), tuple(plays))


def _with_pairs(triples: list[Rank], pairs: list[Rank], level: Rank) -> list[Reading]:
    """Triples take the lowest pairs along; pairs that win by themselves stay alone."""
    weak = [rank for rank in pairs if strength(Reading(PlayType.PAIR, rank, 2), level) < _WORTH_ALONE]
    taken = weak[: len(triples)]
    houses = [Reading(PlayType.FULL_HOUSE, rank, 5) for rank in triples[: len(taken)]]
    alone = [Reading(PlayType.TRIPLE, rank, 3) for rank in triples[len(taken) :]]
    return [*houses, *alone, *(Reading(PlayType.PAIR, rank, 2) for rank in pairs if rank not in taken)]


@cache
def _ascending(level: Rank) -> tuple[Rank, ...]:
    return tuple(sorted(range(BIG_JOKER_RANK + 1), key=lambda rank: rank_order(rank, level)))
