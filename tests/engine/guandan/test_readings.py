"""Readings of sets of cards and of parts of a hand."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import TWO_PACKS, Cards, Rank, parse_cards, parse_rank, wild
from broker.engine.guandan.combinations import PlayType, format_reading_rank, format_type
from broker.engine.guandan.compare import beats
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.plays import Plays
from broker.engine.guandan.readings import readings
from tests.engine.guandan.oracle import (
    SHAPES,
    cards_of,
    few,
    hands,
    held,
    near_plays,
    readings_of,
    readings_of_parts,
)

SMALL_HANDS = st.one_of(hands(6), near_plays().filter(lambda given: len(given[0]) <= 6))


class TestSet:
    @pytest.mark.parametrize(
        ("cards", "expected"),
        [
            ("HT", "single T"),
            ("HT HT", "pair T"),
            ("HT LJ", ""),
            ("LJ LJ HT", ""),
            ("LJ BJ", ""),
            ("BJ BJ", "pair BJ"),
            ("SK DK S6 D6 HT", "full_house 6, full_house K"),
            ("S4 D5 C6 S7 HT", "straight 7, straight 8"),
            ("S7 D7 S8 D8 HT HT", "tube 8, tube 9, plate 8"),
            ("D7 D8 D9 DJ HT", "straight J, straight_flush J"),
            ("S4 D4 C4 HT HT", "full_house 4, bomb 4"),
            ("ST DT CT HT HT", "full_house T, bomb T"),
            ("S4 HT HT BJ BJ", "full_house 4"),
            ("S4 D4 HT LJ BJ", ""),
            ("D7 D8 D9 DT DJ", "straight_flush J"),
            ("S7 D8 D9 DT DJ", "straight J"),
            ("SA D2 C3 S4 D5", "straight 5"),
            ("SJ DQ CK SA D2", ""),
            ("SK DK SA DA S2 D2", ""),
            ("SA DA S2 D2 HT HT", "tube 3, plate 2"),
            ("SA DA SK DK HT HT", "tube A, plate A"),
            ("S4 D4 C4 C5", ""),
            ("S4 S4 D4 D4 C4 C4 H4 H4 HT HT", "bomb 4"),
            ("LJ LJ BJ BJ", "joker_bomb -"),
            ("LJ BJ BJ HT", ""),
        ],
    )
    def test_at_level_ten(self, cards: str, expected: str) -> None:
        found = readings(parse_cards(cards), parse_rank("T"))
        told = [f"{format_type(each.type)} {format_reading_rank(each) or '-'}" for each in found]
        assert ", ".join(told) == expected

    def test_nothing_and_too_much_are_no_plays(self) -> None:
        assert readings((), 0) == ()
        assert readings(parse_cards("S4 S4 D4 D4 C4 C4 H4 H4 HT HT S5"), parse_rank("T")) == ()

    @given(st.one_of(near_plays(), SMALL_HANDS))
    def test_equals_trying_every_face_for_every_wild(self, given: tuple[Cards, Rank]) -> None:
        found = readings(*given)
        assert list(found) == sorted(readings_of(*given))

    @given(near_plays(), st.randoms())
    def test_order_of_cards_means_nothing(self, given: tuple[Cards, Rank], chance: Random) -> None:
        cards, level = given
        assert readings(tuple(chance.sample(cards, len(cards))), level) == readings(cards, level)


@pytest.mark.parametrize("level", range(13))
@pytest.mark.parametrize("suits", [(0, 2, 3, 1), (1, 0, 3, 2)], ids=["spades", "hearts"])
def test_every_shape_is_read_alike_as_a_set_and_as_a_hand(level: Rank, suits: tuple[int, ...]) -> None:
    """Single cards of all ranks are of the first suit, but for the level's heart, which would be a wild."""
    for ranks, wilds in SHAPES:
        cards = cards_of(ranks, wilds, level, suits)
        whole = readings(cards, level)
        hand = Hand(cards, level)
        assert whole
        assert whole == tuple(each for each in hand.readings if each.size == len(cards))
        for each in whole:
            assert [play.cards for play in Plays(hand, [each]) if play.cards == cards] == [cards]


@pytest.mark.parametrize("wilds", range(3))
def test_copies_of_a_rank_count_however_the_suits_share_them(wilds: int) -> None:
    for copies in product(range(3), repeat=4):
        cards = [suit * 13 + 4 for suit, count in enumerate(copies) for _ in range(count)]
        hand = Hand(held([*cards, *[wild(8)] * wilds]), 8)
        sizes = [each.size for each in hand.readings if each.rank == 4 and each.type != PlayType.FULL_HOUSE]
        assert sizes == list(range(1, len(cards) + wilds + 1 if cards else 1))


class TestHand:
    @few
    @given(SMALL_HANDS)
    def test_equals_reading_every_part(self, given: tuple[Cards, Rank]) -> None:
        found = Hand(*given).readings
        assert len(found) == len(set(found))
        assert set(found) == readings_of_parts(*given)

    @given(near_plays(), st.sets(st.integers(0, 107), max_size=20))
    def test_has_the_readings_of_a_part(self, given: tuple[Cards, Rank], more: set[int]) -> None:
        cards, level = given
        hand = held([*cards, *(TWO_PACKS[place] for place in more)])
        assert set(readings(cards, level)) <= set(Hand(hand, level).readings)

    @given(hands(27), st.randoms())
    def test_order_of_cards_means_nothing(self, given: tuple[Cards, Rank], chance: Random) -> None:
        cards, level = given
        assert Hand(tuple(chance.sample(cards, len(cards))), level).readings == Hand(cards, level).readings

    @given(hands(27))
    def test_those_over_a_reading_are_those_that_beat_it(self, given: tuple[Cards, Rank]) -> None:
        hand = Hand(*given)
        for table in hand.readings:
            over = tuple(each for each in hand.readings if beats(each, table, hand.level))
            assert hand.readings_over(table) == over

    @given(hands(27), near_plays())
    def test_the_same_over_plays_of_others(
        self, given: tuple[Cards, Rank], other: tuple[Cards, Rank]
    ) -> None:
        hand = Hand(*given)
        for table in readings(other[0], hand.level):
            over = tuple(each for each in hand.readings if beats(each, table, hand.level))
            assert hand.readings_over(table) == over
