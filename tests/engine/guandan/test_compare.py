"""Which reading beats which."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import Rank, parse_rank
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading, parse_type
from broker.engine.guandan.compare import beats
from tests.engine.guandan.oracle import LEVELS

BOMBS = {PlayType.BOMB, PlayType.STRAIGHT_FLUSH, PlayType.JOKER_BOMB}
LADDER = (
    "bomb 2 4, bomb K 4, bomb A 4, bomb 8 4, bomb 2 5, bomb 8 5,"
    " straight_flush 5 5, straight_flush 8 5, straight_flush A 5,"
    " bomb 2 6, bomb 8 6, bomb 2 7, bomb 8 7, bomb A 8, bomb 2 9, bomb 2 10, joker_bomb - 4"
)
"""From weak to strong at level 8."""


def reading(text: str) -> Reading:
    play_type, rank, size = text.split()
    return Reading(parse_type(play_type), NO_RANK if rank == "-" else parse_rank(rank), int(size))


def all_readings() -> list[Reading]:
    """Every reading that there is."""
    sizes = {
        PlayType.SINGLE: 1,
        PlayType.PAIR: 2,
        PlayType.TRIPLE: 3,
        PlayType.FULL_HOUSE: 5,
        PlayType.TUBE: 6,
    }
    sizes |= {PlayType.PLATE: 6, PlayType.STRAIGHT: 5, PlayType.STRAIGHT_FLUSH: 5}
    lowest = {PlayType.STRAIGHT: 3, PlayType.STRAIGHT_FLUSH: 3, PlayType.TUBE: 1}
    ordinary = [
        Reading(play_type, rank, size)
        for play_type, size in sizes.items()
        for rank in range(lowest.get(play_type, 0), 15 if size <= 2 else 13)
    ]
    bombs = [Reading(PlayType.BOMB, rank, size) for size in range(4, 11) for rank in range(13)]
    return [*ordinary, *bombs, reading("joker_bomb - 4")]


READINGS = st.sampled_from(all_readings())


def are_comparable(a: Reading, b: Reading) -> bool:
    return a.type in BOMBS or b.type in BOMBS or a.type == b.type


@pytest.mark.parametrize(
    ("level", "order"),
    [
        ("8", LADDER),
        ("8", "single 2 1, single 7 1, single 9 1, single A 1, single 8 1, single LJ 1, single BJ 1"),
        ("A", "pair 2 2, pair K 2, pair A 2, pair LJ 2, pair BJ 2, bomb 2 4"),
        ("2", "triple 3 3, triple A 3, triple 2 3"),
        ("2", "full_house 3 5, full_house A 5, full_house 2 5, bomb 3 4"),
        ("2", "straight 5 5, straight 6 5, straight A 5, bomb 3 4, straight_flush 5 5"),
        ("K", "tube 3 6, tube 4 6, tube K 6, tube A 6, bomb 2 4"),
        ("K", "plate 2 6, plate 3 6, plate K 6, plate A 6, joker_bomb - 4"),
    ],
)
def test_order(level: str, order: str) -> None:
    ladder = [reading(text) for text in order.split(",")]
    for lower, higher in pairwise(ladder):
        assert beats(higher, lower, parse_rank(level))
        assert not beats(lower, higher, parse_rank(level))
    assert not any(beats(each, each, parse_rank(level)) for each in ladder)


@pytest.mark.parametrize(
    ("challenger", "table"),
    [
        ("pair A 2", "single 2 1"),
        ("full_house A 5", "straight 5 5"),
        ("straight A 5", "full_house 2 5"),
        ("plate A 6", "tube 3 6"),
        ("triple A 3", "pair 2 2"),
    ],
)
def test_other_types_do_not_beat(challenger: str, table: str) -> None:
    assert not beats(reading(challenger), reading(table), 0)


@given(READINGS, READINGS, LEVELS)
def test_of_two_that_can_be_compared_one_beats_the_other(a: Reading, b: Reading, level: Rank) -> None:
    assert beats(a, b, level) + beats(b, a, level) == (a != b and are_comparable(a, b))


@given(READINGS, READINGS, READINGS, LEVELS)
def test_what_beats_the_beater_beats_the_beaten(a: Reading, b: Reading, c: Reading, level: Rank) -> None:
    if beats(a, b, level) and beats(b, c, level):
        assert beats(a, c, level)
