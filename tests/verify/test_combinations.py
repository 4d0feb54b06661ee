"""The checker's readings and comparison against the engine's, which share no code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from broker.engine.cards import Cards, format_rank
from broker.engine.guandan import compare
from broker.engine.guandan import readings as engine
from broker.engine.guandan.combinations import Reading, format_reading_rank, format_type
from broker.engine.guandan.shapes import IN_ONE_SUIT, READINGS
from broker.verify import combinations
from broker.verify.boards import FACES

EVERY = sorted({one for table in (READINGS, IN_ONE_SUIT) for found in table.values() for one in found})
"""Every reading that there is."""


def told(reading: Reading) -> combinations.Reading:
    return format_type(reading.type), format_reading_rank(reading), reading.size


def sets(chance: Random, level: int) -> Iterator[Cards]:
    """Sets of cards that are near to something: few ranks, runs, wilds, jokers."""
    extra = [13 + level] * 2 + [52] * 2 + [53] * 2
    for _ in range(1000):
        low = chance.randrange(13)
        suits = chance.sample(range(4), chance.choice((1, 2, 4)))
        ranks = [(low + step) % 13 for step in range(chance.choice((1, 2, 3, 5)))]
        near = [suit * 13 + rank for suit in suits for rank in ranks] * 2
        cards = chance.sample(near, min(len(near), chance.randint(1, 8)))
        cards += chance.sample(extra, chance.choice((0, 1, 1, 2, 2, 4)))
        if all(cards.count(card) <= 2 for card in cards):
            yield tuple(sorted(cards))


@pytest.mark.parametrize("level", range(13))
def test_both_find_the_same_readings(level: int) -> None:
    several = 0
    for cards in sets(Random(level), level):
        found = set(map(told, engine.readings(cards, level)))
        assert found == combinations.readings([FACES[card] for card in cards], format_rank(level))
        several += len(found) > 1
    assert several > 5


@pytest.mark.parametrize("level", [0, 6, 12])
def test_both_compare_alike(level: int) -> None:
    for one, other in product(EVERY, repeat=2):
        beats = compare.beats(one, other, level)
        assert beats == combinations.beats(told(one), told(other), format_rank(level))
