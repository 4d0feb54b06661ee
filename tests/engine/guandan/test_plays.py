"""Legal plays, the check of a play, the automatic lead."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import TWO_PACKS, Cards, Rank, format_card, parse_cards, parse_rank
from broker.engine.guandan.combinations import Play, Reading, parse_type
from broker.engine.guandan.compare import beats
from broker.engine.guandan.hand import Hand
from broker.engine.guandan.plays import Plays, check_play, legal_plays, smallest_single
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.refusal import Reason, Refused
from tests.engine.guandan.oracle import few, hands, held, near_plays, plays_of_parts

ARTICLES = NATIONAL_2017.articles
TEN = parse_rank("T")


def reading(text: str) -> Reading:
    play_type, rank, size = text.split()
    return Reading(parse_type(play_type), parse_rank(rank), int(size))


class TestLegalPlays:
    @few
    @given(st.one_of(hands(6), near_plays().filter(lambda given: len(given[0]) <= 6)))
    def test_equal_reading_every_part(self, given: tuple[Cards, Rank]) -> None:
        plays = list(legal_plays(*given, None))
        assert len(plays) == len(set(plays))
        assert set(plays) == {Play(cards, each) for cards, each in plays_of_parts(*given)}

    @given(hands(12), st.data())
    def test_over_a_play_are_those_that_beat_it(self, given: tuple[Cards, Rank], data: st.DataObject) -> None:
        leads = list(legal_plays(*given, None))
        if leads:
            table = data.draw(st.sampled_from(leads)).reading
            expected = [play for play in leads if beats(play.reading, table, given[1])]
            assert list(legal_plays(*given, table)) == expected

    @few
    @given(hands(27), near_plays())
    def test_pass_the_check(self, given: tuple[Cards, Rank], other: tuple[Cards, Rank]) -> None:
        hand, level = given
        for table in (None, *readings(other[0], level)[:1]):
            for play in legal_plays(hand, level, table):
                check_play(hand, play.cards, play.reading, table, level, ARTICLES)

    @few
    @given(near_plays(), st.sets(st.integers(0, 107), max_size=16), near_plays())
    def test_hold_every_play_that_passes_the_check(
        self, given: tuple[Cards, Rank], more: set[int], other: tuple[Cards, Rank]
    ) -> None:
        cards, level = given
        hand = held([*cards, *(TWO_PACKS[place] for place in more)])
        for table in (None, *readings(other[0], level)[:1]):
            legal = set(legal_plays(hand, level, table))
            for declared in readings(cards, level):
                passes = table is None or beats(declared, table, level)
                assert (Play(cards, declared) in legal) == passes
                if passes:
                    check_play(hand, cards, declared, table, level, ARTICLES)

    @few
    @given(hands(14), st.randoms())
    def test_order_of_cards_means_nothing(self, given: tuple[Cards, Rank], chance: Random) -> None:
        hand, level = given
        mixed = tuple(chance.sample(hand, len(hand)))
        assert list(legal_plays(mixed, level, None)) == list(legal_plays(hand, level, None))

    @few
    @given(hands(10))
    def test_are_a_sequence(self, given: tuple[Cards, Rank]) -> None:
        plays = legal_plays(*given, None)
        listed = list(plays)
        assert len(plays) == len(listed)
        assert [plays[place] for place in range(len(plays))] == listed
        assert [plays[place - len(plays)] for place in range(len(plays))] == listed
        assert plays[1:7:2] == listed[1:7:2]
        for outside in (len(plays), -len(plays) - 1):
            with pytest.raises(IndexError):
                plays[outside]

    @few
    @given(hands(12))
    def test_of_one_reading_are_its_share(self, given: tuple[Cards, Rank]) -> None:
        hand = Hand(*given)
        by_reading = [play for each in hand.readings for play in Plays(hand, [each])]
        assert by_reading == list(legal_plays(*given, None))

    @given(hands(27), near_plays())
    def test_are_there_for_just_the_readings_of_the_hand(
        self, given: tuple[Cards, Rank], other: tuple[Cards, Rank]
    ) -> None:
        hand = Hand(*given)
        assert all(Plays(hand, [each]) for each in hand.readings)
        for each in readings(*other):
            assert bool(Plays(hand, [each])) == (each in hand.readings)


@pytest.mark.parametrize("run", ["S4 S5 S6 S7 S8", "H4 H5 H6 H7 H8"])
def test_a_run_in_one_suit_is_a_straight_only_with_a_wild(run: str) -> None:
    hand = Hand(parse_cards(f"{run} HT"), TEN)
    plain, flush = (Plays(hand, [reading(f"{name} 8 5")]) for name in ("straight", "straight_flush"))
    assert {play.cards for play in flush} - {play.cards for play in plain} == {parse_cards(run)}
    assert len(flush) == len(plain) + 1 == 6


class TestCheck:
    @pytest.mark.parametrize(
        ("cards", "declared", "table", "reason"),
        [
            ("S3 S3", "pair 3 2", None, Reason.CARDS_NOT_HELD),
            ("SA DA S4", "full_house A 5", "pair K 2", Reason.CARDS_NOT_HELD),
            ("S4 D5", "pair 4 2", None, Reason.NOT_A_PLAY),
            ("", "single 3 1", None, Reason.NOT_A_PLAY),
            ("S4 D4", "pair 5 2", None, Reason.READING_NOT_POSSIBLE),
            ("S4 D4", "triple 4 3", "triple 3 3", Reason.READING_NOT_POSSIBLE),
            ("S4 D4", "pair 4 2", "pair 4 2", Reason.DOES_NOT_BEAT),
            ("S4 D4 S5 D5 HT", "full_house 4 5", "full_house 4 5", Reason.DOES_NOT_BEAT),
            ("S4 D4 HT", "triple 4 3", "triple A 3", Reason.DOES_NOT_BEAT),
            ("HT", "single T 1", "single T 1", Reason.DOES_NOT_BEAT),
        ],
    )
    def test_the_first_reason_that_applies(
        self, cards: str, declared: str, table: str | None, reason: Reason
    ) -> None:
        hand = parse_cards("S3 S4 D4 S5 D5 HT")
        article = {
            Reason.CARDS_NOT_HELD: ARTICLES.held,
            Reason.NOT_A_PLAY: ARTICLES.types,
            Reason.READING_NOT_POSSIBLE: ARTICLES.reading,
            Reason.DOES_NOT_BEAT: ARTICLES.comparison,
        }[reason]
        on_table = None if table is None else reading(table)
        with pytest.raises(Refused) as refused:
            check_play(hand, parse_cards(cards), reading(declared), on_table, TEN, ARTICLES)
        assert (refused.value.reason, refused.value.article) == (reason, article)

    def test_the_declared_reading_decides(self) -> None:
        hand = parse_cards("S3 S4 D4 S5 D5 HT")
        check_play(hand, hand[1:], reading("full_house 5 5"), reading("full_house 4 5"), TEN, ARTICLES)


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("D4 H4 C3 D3", "C3"),
        ("ST DT SA LJ", "SA"),
        ("HT DT LJ", "DT"),
        ("HT HT LJ BJ", "HT"),
        ("HA SK", "SK"),
        ("BJ LJ", "LJ"),
    ],
)
def test_automatic_lead(hand: str, card: str) -> None:
    assert format_card(smallest_single(parse_cards(hand), TEN)) == card
