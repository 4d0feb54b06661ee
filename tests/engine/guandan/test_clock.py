"""When the clock acts and what it does (conduct: clocks; national art. 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.game import ClockPlan, ClockStep, Consequence, Decision, DecisionKind
from broker.engine.guandan import phases
from broker.engine.guandan.actions import Infringe, OpenDeal, Pass, TimeOut, Warn
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Overtime
from broker.engine.guandan.state import GivingBack, Playing, State, Tribute, start
from broker.engine.refusal import Reason, Refused
from tests.engine.guandan.games import after, between, board, expect, playing, single

BOARD = board("BJ BJ", "", "", "")
"""Nobody but seat 0 can resist with it."""


def plan(state: State) -> ClockPlan:
    """The clock of the first open decision."""
    return phases.clock_plan(state, phases.open_decisions(state)[0])


def limit_of(state: State) -> int:
    """Milliseconds until the automatic action."""
    found = plan(state)
    assert found == ClockPlan(found.limit, (ClockStep(found.limit, Consequence.TIME_OUT),), 0)
    return found.limit


class TestAutomatic:
    def test_the_first_lead_of_each_deal_has_40_seconds(self) -> None:
        first = after(start(NATIONAL_2017), OpenDeal(BOARD))
        assert limit_of(first) == 40_000
        later = after(between((0, 2)), OpenDeal(BOARD))
        while not isinstance(later, Playing):
            later = after(later, TimeOut(phases.open_decisions(later)[0].seat))
        assert limit_of(later) == 40_000

    def test_every_other_play_and_lead_25(self) -> None:
        state = after(playing("S3 SK", "S4 S5", "S6 S7", "S8 S9"), single(0, "S3"))
        assert phases.open_decisions(state) == (Decision(1, DecisionKind.FOLLOW),)
        assert limit_of(state) == 25_000
        state = after(state, Pass(1), Pass(2), Pass(3))
        assert phases.open_decisions(state) == (Decision(0, DecisionKind.LEAD),)
        assert limit_of(state) == 25_000

    def test_a_tribute_15_and_a_return_30(self) -> None:
        state = expect(Tribute, after(between((0, 1, 2, 3)), OpenDeal(BOARD)))
        assert limit_of(state) == 15_000
        assert limit_of(expect(GivingBack, after(state, TimeOut(3)))) == 30_000


class TestLadder:
    def test_a_play_is_warned_at_20_and_an_infraction_at_30(self) -> None:
        first = after(start(HUAIAN), OpenDeal(BOARD))
        steps = (ClockStep(20_000, Consequence.WARN), ClockStep(30_000, Consequence.INFRINGE))
        assert plan(first) == ClockPlan(20_000, steps, repeat=0)
        follow = after(playing("S3 SK", "S4 S5", "S6 S7", "S8 S9", rules=HUAIAN), single(0, "S3"))
        assert plan(follow) == ClockPlan(20_000, steps, repeat=0)

    def test_a_longer_first_lead_moves_both_steps(self) -> None:
        clock = replace(HUAIAN.clock, play=15_000, first_lead=30_000, infraction_after=25_000)
        first = after(start(replace(HUAIAN, clock=clock)), OpenDeal(BOARD))
        steps = (ClockStep(30_000, Consequence.WARN), ClockStep(40_000, Consequence.INFRINGE))
        assert plan(first) == ClockPlan(30_000, steps, repeat=0)

    def test_a_tribute_is_warned_and_infringed_every_15_seconds_more(self) -> None:
        state = expect(Tribute, after(between((0, 1, 2, 3), HUAIAN), OpenDeal(BOARD)))
        steps = (ClockStep(15_000, Consequence.WARN), ClockStep(30_000, Consequence.INFRINGE))
        assert plan(state) == ClockPlan(15_000, steps, repeat=15_000)
        back = after(state, phases.default_action(state, 3))
        steps = (ClockStep(30_000, Consequence.WARN), ClockStep(45_000, Consequence.INFRINGE))
        assert plan(back) == ClockPlan(30_000, steps, repeat=15_000)


@pytest.mark.parametrize("overtime", Overtime)
def test_steps_ascend_whatever_the_decision(overtime: Overtime) -> None:
    clock = replace(HUAIAN.clock, overtime=overtime)
    state = after(start(replace(HUAIAN, clock=clock)), OpenDeal(BOARD))
    for kind in DecisionKind:
        moments = [step.after for step in phases.clock_plan(state, Decision(0, kind)).steps]
        assert moments == sorted(set(moments))
        assert moments[0] > 0


def test_a_consequence_is_an_action_of_the_clock() -> None:
    state = start(HUAIAN)
    assert phases.clock_action(state, 2, Consequence.WARN) == Warn(2)
    assert phases.clock_action(state, 2, Consequence.INFRINGE) == Infringe(2)
    assert phases.clock_action(state, 2, Consequence.TIME_OUT) == TimeOut(2)


def test_the_default_action_is_what_a_time_out_does() -> None:
    state: State = after(between((0, 2)), OpenDeal(BOARD))
    for _ in range(12):
        seat = phases.open_decisions(state)[0].seat
        told = phases.decide(state, TimeOut(seat))
        by_hand = phases.decide(state, phases.default_action(state, seat))
        assert [type(event) for event in told] == [type(event) for event in by_hand]
        assert (told[0].automatic, by_hand[0].automatic) == (True, False)  # type: ignore[attr-defined]
        assert told[1:] == by_hand[1:]
        state = after(state, TimeOut(seat))


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (playing("S3 S4", "S5 S6", "S6 S7", "S8 S9"), Reason.NOT_YOUR_TURN),
        (start(NATIONAL_2017), Reason.NOT_NOW),
        (between((0, 2)), Reason.NOT_NOW),
    ],
    ids=["not its turn", "no deal", "between deals"],
)
def test_a_seat_that_owes_nothing_has_no_default_action(state: State, reason: Reason) -> None:
    with pytest.raises(Refused) as refusal:
        phases.default_action(state, 1)
    assert refusal.value.reason is reason
