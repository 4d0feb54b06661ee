"""Clocks: time that ran, steps in order, stoppages, and who pays for them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from broker.engine.game import ClockPlan, ClockStep, Consequence, Decision, DecisionKind
from broker.tables.clocks import Clock, Stopwatch

TIME_OUT = ClockPlan(25_000, (ClockStep(25_000, Consequence.TIME_OUT),), 0)
LADDER = ClockPlan(
    20_000, (ClockStep(20_000, Consequence.WARN), ClockStep(30_000, Consequence.INFRINGE)), 15_000
)
DECISION = Decision(2, DecisionKind.FOLLOW)

moments = st.integers(0, 10**6)
spans = st.integers(0, 60_000)


def clock(plan: ClockPlan = TIME_OUT, opened: int | None = 0, reached: int = 0) -> Clock:
    return Clock(DECISION, 9, plan, Stopwatch(since=opened), reached)


@given(moments, st.lists(st.tuples(spans, spans), max_size=6), spans)
def test_a_stopwatch_adds_up_only_what_ran(start: int, stretches: list[tuple[int, int]], last: int) -> None:
    watch, now, ran = Stopwatch().started(start), start, 0
    for running, standing in stretches:
        now, ran = now + running, ran + running
        watch = watch.stopped(now)
        now += standing
        assert watch.read(now) == ran
        watch = watch.started(now)
    assert watch.read(now + last) == ran + last


@given(moments, spans, spans)
def test_a_stopwatch_tells_when_it_will_have_run_so_long(start: int, ran: int, more: int) -> None:
    watch = Stopwatch(ran=ran, since=start)
    due = watch.due(ran + more)
    assert due is not None
    assert watch.read(due) == ran + more
    assert watch.stopped(start).due(ran + more) is None


@given(moments, spans)
def test_starting_twice_or_stopping_twice_changes_nothing(start: int, later: int) -> None:
    watch = Stopwatch().started(start)
    assert watch.started(start + later) == watch
    stopped = watch.stopped(start + later)
    assert stopped.stopped(start + 2 * later + 1) == stopped


@given(moments, st.integers(0, 5_000))
def test_a_time_out_waits_for_the_network(opened: int, grace: int) -> None:
    assert clock(opened=opened).due(grace) == opened + 25_000 + grace


def test_a_warning_does_not_wait_and_an_infraction_does() -> None:
    assert clock(LADDER).due(500) == 20_000
    assert clock(LADDER, reached=20_000).due(500) == 30_500


def test_a_ladder_goes_on_with_its_last_step() -> None:
    reached, steps = 0, []
    for _ in range(5):
        step = clock(LADDER, reached=reached).step
        assert step is not None
        steps.append(step)
        reached = step.after
    assert steps == [
        ClockStep(20_000, Consequence.WARN),
        ClockStep(30_000, Consequence.INFRINGE),
        ClockStep(45_000, Consequence.INFRINGE),
        ClockStep(60_000, Consequence.INFRINGE),
        ClockStep(75_000, Consequence.INFRINGE),
    ]


def test_without_repetition_nothing_follows_the_last_step() -> None:
    assert clock(TIME_OUT, reached=25_000).step is None
    assert clock(TIME_OUT, reached=25_000).due(500) is None
    assert clock(ClockPlan(0, (), 0)).step is None


@given(moments, st.integers(0, 200_000))
def test_no_act_counts_longer_than_letting_the_time_run_out(opened: int, after: int) -> None:
    assert clock(opened=opened).used(opened + after) == min(after, 25_000)
    assert clock(opened=opened).remaining(opened + after) == max(0, 25_000 - after)


@given(moments, spans, spans, spans)
def test_a_stoppage_moves_the_deadline_by_its_length(opened: int, ran: int, stood: int, grace: int) -> None:
    running = clock(opened=opened)
    stopped = running.stopped(opened + ran)
    assert stopped.due(grace) is None
    resumed = stopped.started(opened + ran + stood)
    before = running.due(grace)
    assert before is not None
    assert resumed.due(grace) == before + stood
    assert resumed.remaining(opened + ran + stood) == running.remaining(opened + ran)


@given(moments, spans, st.integers(1, 60_000), spans)
def test_a_held_clock_stands_until_the_grace_is_used_up(opened: int, ran: int, grace: int, away: int) -> None:
    lost = opened + ran
    held = clock(opened=opened).hold(lost, grace)
    assert held.due(500) is None
    assert held.hold_over() == lost + grace
    back = held.released(lost + min(away, grace), running=True)
    assert back.hold_over() is None
    assert back.remaining(lost + away) == clock(opened=opened).remaining(lost + away - min(away, grace))


@given(moments, spans, spans, spans)
def test_a_pause_stops_the_grace_of_a_lost_seat_too(opened: int, ran: int, gone: int, stood: int) -> None:
    held = clock(opened=opened).hold(opened + ran, 60_000)
    paused = held.stopped(opened + ran + gone)
    assert paused.hold_over() is None
    resumed = paused.started(opened + ran + gone + stood)
    assert resumed.hold_over() == opened + ran + 60_000 + stood
    assert resumed.due(500) is None, "it goes on being held"


def test_a_seat_that_comes_back_in_a_pause_waits_for_its_end() -> None:
    held = clock().hold(1_000, 60_000).stopped(2_000)
    back = held.released(3_000, running=False)
    assert back.due(500) is None
    assert back.started(9_000).due(500) == 9_000 + 24_000 + 500


def test_it_counts_from_the_moment_its_record_was_stored() -> None:
    assert clock(opened=0).shifted(120).due(0) == 25_120
    assert clock(opened=None).shifted(120).due(0) is None
