"""The four ends of a game and the 26-point score (scoring; national art. 14, 15, Huai'an art. 13, 14)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.guandan import phases
from broker.engine.guandan.actions import LoseDeal, NameLeader, OpenDeal, Pass, RingBell, Warn
from broker.engine.guandan.events import DealDropped, DealEnded, EndCause, GameEnded
from broker.engine.guandan.levels import PAST_A
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, AtBell, Rules
from broker.engine.guandan.scoring import level_score
from broker.engine.guandan.state import BetweenDeals, GameOver, Playing, Standing, State, start
from broker.engine.refusal import Reason
from broker.engine.seats import Seat
from tests.engine.guandan.games import (
    after,
    board,
    expect,
    finished,
    kinds,
    only,
    playing,
    refuses,
    single,
    standing_of,
)

TIMED = replace(NATIONAL_2017, deals_per_game=None, game_minutes=60)
BOARD = board("", "", "", "")
ORDERS: dict[str, tuple[Seat, ...]] = {
    "up": (0, 2),
    "down": (1, 3),
    "one": (0, 1, 3, 2),
    "other": (1, 2, 0, 3),
}


def played(rules: Rules, *orders: str) -> State:
    """The state after deals that ended in these orders."""
    state: State = start(rules)
    for order in orders:
        state = finished(after(state, OpenDeal(BOARD)), ORDERS[order])
    return state


def at(standing: Standing) -> BetweenDeals:
    """Between deals; the last one gave no tribute to wait for."""
    return BetweenDeals(replace(standing, results=played(TIMED, "one").standing.results))


@pytest.mark.parametrize(
    ("difference", "score"),
    [(0, (13, 13)), (3, (16, 10)), (-3, (10, 16)), (13, (26, 0)), (-13, (0, 26)), (14, (26, 0))],
)
def test_26_points_are_shared_by_the_difference_of_levels(difference: int, score: tuple[int, int]) -> None:
    assert level_score(difference) == score


class TestPastA:
    def test_passing_a_ends_the_game_at_once(self) -> None:
        standing = standing_of(HUAIAN, levels=(12, 4), level=12, level_side=0)
        state = finished(after(at(standing), OpenDeal(BOARD)), (2, 0))
        over = expect(GameOver, state)
        assert over.ended == GameEnded(EndCause.PAST_A, (PAST_A, 4), winner=0, score=(22, 4))
        assert over.standing.results[-1].next_level is None

    def test_2_and_past_a_is_0_to_26(self) -> None:
        standing = standing_of(HUAIAN, levels=(0, 12), level=12, level_side=1)
        state = finished(after(at(standing), OpenDeal(BOARD)), (1, 3))
        assert expect(GameOver, state).ended.score == (0, 26)

    def test_it_comes_before_the_last_deal_and_the_bell(self) -> None:
        rules = replace(NATIONAL_2017, deals_per_game=1)
        standing = standing_of(rules, levels=(12, 4), level=12, level_side=0, bell=True)
        state = finished(after(at(standing), OpenDeal(BOARD)), (2, 0))
        assert expect(GameOver, state).ended.cause is EndCause.PAST_A

    def test_where_a_is_not_played_reaching_it_gives_12_levels_at_most(self) -> None:
        rules = replace(HUAIAN, must_play_a=False)
        standing = standing_of(rules, levels=(11, 0), level=11, level_side=0)
        state = finished(after(at(standing), OpenDeal(BOARD)), (0, 1, 3, 2))
        assert expect(GameOver, state).ended == GameEnded(EndCause.PAST_A, (12, 0), 0, (25, 1))


class TestDeals:
    def test_the_game_ends_after_its_number_of_deals(self) -> None:
        assert isinstance(played(NATIONAL_2017, "one", "up"), BetweenDeals)
        over = expect(GameOver, played(NATIONAL_2017, "one", "up", "other"))
        assert over.ended == GameEnded(EndCause.DEALS, (5, 1), winner=0, score=(17, 9))

    def test_equal_levels_are_a_draw(self) -> None:
        rules = replace(NATIONAL_2017, deals_per_game=2)
        over = expect(GameOver, played(rules, "up", "down"))
        assert (over.ended.winner, over.ended.score) == (None, (13, 13))

    def test_the_last_deal_has_no_next_level(self) -> None:
        over = expect(GameOver, played(replace(NATIONAL_2017, deals_per_game=1), "up"))
        assert (over.standing.results[-1].next_level, over.standing.results[-1].next_side) == (None, None)

    def test_a_deal_lost_by_ruling_counts_as_a_deal(self) -> None:
        rules = replace(NATIONAL_2017, deals_per_game=1)
        over = expect(GameOver, after(start(rules), OpenDeal(BOARD), LoseDeal(0)))
        assert over.ended == GameEnded(EndCause.DEALS, (0, 4), winner=1, score=(9, 17))


class TestBell:
    def test_a_deal_in_play_is_finished(self) -> None:
        state = after(played(TIMED, "up"), OpenDeal(BOARD), RingBell())
        assert phases.open_decisions(state)
        over = expect(GameOver, finished(state, (1, 2, 0, 3)))
        assert over.ended == GameEnded(EndCause.TIME, (4, 1), winner=0, score=(16, 10))

    def test_or_it_is_dropped_and_does_not_count(self) -> None:
        rules = replace(TIMED, at_bell=AtBell.DROP)
        events = phases.decide(after(played(rules, "up"), OpenDeal(BOARD)), RingBell())
        assert kinds(events) == ["BellRung", "DealDropped", "GameEnded"]
        assert only(DealDropped, events).deal == 2
        assert only(GameEnded, events) == GameEnded(EndCause.TIME, (4, 0), winner=0, score=(17, 9))

    def test_a_deal_in_play_is_dropped_in_every_phase(self) -> None:
        state = after(played(replace(TIMED, at_bell=AtBell.DROP), "up"), OpenDeal(BOARD))
        while not isinstance(state, Playing):
            assert phases.is_over(after(state, RingBell()))
            owing = phases.open_decisions(state)[0].seat
            state = after(state, phases.default_action(state, owing))
        assert phases.is_over(after(state, RingBell()))

    def test_a_deal_that_waits_for_a_tribute_is_finished_too(self) -> None:
        state = after(played(TIMED, "one"), OpenDeal(board("BJ BJ", "", "", "")), RingBell())
        assert [decision.kind for decision in phases.open_decisions(state)] == ["tribute"]
        assert expect(GameOver, finished(state, (0, 2))).ended.cause is EndCause.TIME

    def test_between_deals_the_game_ends_at_once(self) -> None:
        events = phases.decide(played(TIMED, "down"), RingBell())
        assert kinds(events) == ["BellRung", "GameEnded"]

    def test_before_the_first_deal_it_is_a_draw(self) -> None:
        over = expect(GameOver, after(start(TIMED), RingBell()))
        assert over.ended == GameEnded(EndCause.TIME, (0, 0), winner=None, score=(13, 13))

    def test_it_rings_once_and_only_where_there_is_one(self) -> None:
        state = after(start(TIMED), OpenDeal(BOARD), RingBell())
        refuses(state, RingBell(), Reason.NOT_NOW)
        refuses(start(NATIONAL_2017), RingBell(), Reason.NOT_NOW)

    def test_time_and_deals_whichever_comes_first(self) -> None:
        rules = replace(TIMED, deals_per_game=2)
        assert expect(GameOver, played(rules, "up", "one")).ended.cause is EndCause.DEALS
        assert expect(GameOver, after(played(rules, "up"), RingBell())).ended.cause is EndCause.TIME


class TestFixedLevel:
    RULES = replace(NATIONAL_2017, level_fixed=3, deals_per_game=4)

    def test_every_deal_plays_it_and_summed_rises_decide(self) -> None:
        state: State = start(self.RULES)
        for order in ("up", "other", "one", "up"):
            state = after(state, OpenDeal(BOARD))
            assert state.standing.level == 3
            state = finished(state, ORDERS[order])
        over = expect(GameOver, state)
        assert over.ended == GameEnded(EndCause.DEALS, (3, 3), winner=0, score=(21, 5))
        assert phases.result(state).rises == (9, 1)

    def test_no_more_than_13_levels_count(self) -> None:
        over = expect(GameOver, played(self.RULES, "up", "up", "up", "up"))
        assert over.ended.score == (26, 0)


class TestAfterwards:
    def test_nothing_is_done_after_the_end(self) -> None:
        over = played(replace(NATIONAL_2017, deals_per_game=1), "up")
        for action in (OpenDeal(BOARD), Pass(0), RingBell(), LoseDeal(0), NameLeader(0), Warn(0)):
            refuses(over, action, Reason.GAME_OVER)
        assert phases.open_decisions(over) == ()
        assert not phases.wants_board(over)

    def test_the_result_so_far_is_that_of_the_deals_that_count(self) -> None:
        so_far = phases.result(after(played(NATIONAL_2017, "one", "down"), OpenDeal(BOARD)))
        assert (so_far.levels, so_far.winner, so_far.score) == ((1, 4), 1, (10, 16))
        assert [deal.order for deal in so_far.deals] == [(0, 1, 3, 2), (1, 3)]
        assert so_far.ended is None
        assert phases.result(start(NATIONAL_2017)).score == (13, 13)

    def test_it_holds_the_end_once_there_is_one(self) -> None:
        over = expect(GameOver, played(replace(NATIONAL_2017, deals_per_game=1), "up"))
        assert phases.result(over).ended is over.ended
        assert phases.result(over).score == over.ended.score


def test_the_last_play_tells_deal_and_game_in_order() -> None:
    state = playing("S3", "S4 S5", "S6", "S7 S8", rules=replace(NATIONAL_2017, deals_per_game=1))
    state = expect(Playing, after(state, single(0, "S3"), Pass(1)))
    events = phases.decide(state, single(2, "S6"))
    assert kinds(events) == ["Played", "WentOut", "DealEnded", "GameEnded"]
    assert only(DealEnded, events).order == (0, 2)
