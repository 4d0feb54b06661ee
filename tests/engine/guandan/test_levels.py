"""Levels: rising, A, past A, demotion, fixed level (guandan: levels; national art. 4.10, 13)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.cards import ACE, parse_rank
from broker.engine.guandan.events import DealEnded
from broker.engine.guandan.levels import PAST_A, after_deal, rise_of, settled
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, PassA, Rules
from broker.engine.seats import Seat, Side
from tests.engine.guandan.games import standing_of

DOUBLE_DOWN, THIRD, FOURTH, LOST = (0, 2), (0, 1, 2, 3), (0, 1, 3, 2), ()
DEMOTING = replace(NATIONAL_2017, failed_a_limit=3)
A_NOT_PLAYED = replace(HUAIAN, must_play_a=False)


def ranks(text: str) -> tuple[int, int]:
    one, two = (PAST_A if word == "A+" else parse_rank(word) for word in text.split())
    return one, two


def ended(
    rules: Rules,
    levels: str,
    owner: Side | None,
    order: tuple[Seat, ...],
    winner: Side = 0,
    failed_a: tuple[int, int] = (0, 0),
) -> DealEnded:
    """The result of a deal at the owner's level."""
    before = ranks(levels)
    level = before[0 if owner is None else owner]
    standing = standing_of(rules, levels=before, level=level, level_side=owner, failed_a=failed_a, deal=7)
    return settled(standing, order, winner)


@pytest.mark.parametrize(("rules", "expected"), [(NATIONAL_2017, (4, 2, 1, 4)), (HUAIAN, (3, 2, 1, 3))])
def test_a_first_place_rises_by_its_partners_place(rules: Rules, expected: tuple[int, ...]) -> None:
    assert tuple(rise_of(rules, order) for order in (DOUBLE_DOWN, THIRD, FOURTH, LOST)) == expected


def test_only_the_winner_rises_and_plays_its_own_level_next() -> None:
    result = ended(NATIONAL_2017, "8 J", 1, (2, 1, 0, 3))
    assert result.levels_before == ranks("8 J")
    assert result.levels_after == ranks("T J")
    assert (result.rise, result.winner) == (2, 0)
    assert (result.next_level, result.next_side) == (parse_rank("T"), 0)


@pytest.mark.parametrize("level", ["J", "Q", "K"])
def test_a_rise_never_goes_beyond_a(level: str) -> None:
    result = ended(NATIONAL_2017, f"{level} 2", 0, DOUBLE_DOWN)
    assert result.levels_after == ranks("A 2")
    assert (result.next_level, result.next_side, result.rise) == (ACE, 0, 4)


@pytest.mark.parametrize("order", [DOUBLE_DOWN, THIRD, LOST])
def test_own_a_is_passed_with_the_partner_not_fourth(order: tuple[Seat, ...]) -> None:
    result = ended(NATIONAL_2017, "A 9", 0, order)
    assert result.levels_after == ranks("A+ 9")
    assert (result.next_level, result.next_side) == (None, None)


def test_own_a_is_not_passed_with_the_partner_fourth() -> None:
    result = ended(NATIONAL_2017, "A 9", 0, FOURTH)
    assert (result.levels_after, result.next_level) == (ranks("A 9"), ACE)


@pytest.mark.parametrize("others", ["9", "A"])
def test_a_win_at_the_opponents_level_does_not_pass_a(others: str) -> None:
    result = ended(NATIONAL_2017, f"A {others}", 1, DOUBLE_DOWN)
    assert result.levels_after == ranks(f"A {others}")
    assert (result.next_level, result.next_side) == (ACE, 0)


def test_some_rules_need_a_double_down_to_pass_a() -> None:
    rules = replace(NATIONAL_2017, pass_a=PassA.DOUBLE_DOWN)
    assert ended(rules, "A 9", 0, THIRD).levels_after == ranks("A 9")
    assert ended(rules, "A 9", 0, DOUBLE_DOWN).levels_after == ranks("A+ 9")
    assert ended(rules, "A 9", 0, LOST).levels_after == ranks("A+ 9")


def test_where_a_is_not_played_reaching_it_ends_the_game() -> None:
    result = ended(A_NOT_PLAYED, "K 9", 0, FOURTH)
    assert (result.levels_after, result.next_level) == (ranks("A 9"), None)
    assert ended(A_NOT_PLAYED, "T 9", 0, DOUBLE_DOWN).next_level == parse_rank("K")


class TestFailedA:
    @pytest.mark.parametrize(("order", "winner"), [(FOURTH, 0), ((1, 3), 1), (LOST, 1)])
    def test_each_deal_at_the_own_a_that_does_not_pass_counts(
        self, order: tuple[Seat, ...], winner: Side
    ) -> None:
        result = ended(DEMOTING, "A 9", 0, order, winner, failed_a=(1, 2))
        assert (result.failed_a, result.demoted) == ((2, 2), None)

    def test_the_third_sends_the_side_back_to_2_and_counts_anew(self) -> None:
        result = ended(DEMOTING, "A 9", 0, FOURTH, failed_a=(2, 1))
        assert result.levels_after == ranks("2 9")
        assert (result.failed_a, result.demoted) == ((0, 1), 0)
        assert (result.next_level, result.next_side) == (parse_rank("2"), 0)

    def test_the_winner_of_the_third_still_rises(self) -> None:
        result = ended(DEMOTING, "A 9", 0, (1, 3), 1, failed_a=(2, 0))
        assert (result.levels_after, result.demoted) == (ranks("2 K"), 0)
        assert (result.next_level, result.next_side) == (parse_rank("K"), 1)

    def test_deals_at_the_opponents_level_do_not_count(self) -> None:
        assert ended(DEMOTING, "A 9", 1, (1, 3), 1, failed_a=(2, 0)).failed_a == (2, 0)
        assert ended(DEMOTING, "A A", 1, (0, 2), 0, failed_a=(2, 0)).failed_a == (2, 1)

    def test_the_two_documents_never_demote(self) -> None:
        for rules in (NATIONAL_2017, HUAIAN):
            result = ended(rules, "A 9", 0, FOURTH)
            assert (result.levels_after, result.failed_a, result.demoted) == (ranks("A 9"), (0, 0), None)


class TestFixedLevel:
    RULES = replace(NATIONAL_2017, level_fixed=parse_rank("5"))

    def test_nothing_moves(self) -> None:
        result = ended(self.RULES, "5 5", None, DOUBLE_DOWN)
        assert (result.levels_before, result.levels_after) == (ranks("5 5"), ranks("5 5"))
        assert (result.next_level, result.next_side, result.rise) == (parse_rank("5"), 0, 4)

    def test_rises_are_summed_by_side(self) -> None:
        standing = standing_of(self.RULES)
        for order, winner in ((DOUBLE_DOWN, 0), ((1, 2, 0, 3), 1), (FOURTH, 0), (LOST, 1)):
            standing = after_deal(standing, settled(standing, order, winner))
        assert standing.rises == (5, 5)

    def test_there_is_no_past_a(self) -> None:
        result = ended(replace(self.RULES, level_fixed=ACE), "A A", None, DOUBLE_DOWN)
        assert (result.levels_after, result.next_level) == (ranks("A A"), ACE)
