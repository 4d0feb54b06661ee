"""What time brings about (conduct: clocks; national art. 6).

National: at the limit the action of time-out is done for the seat. Huai'an: a ladder of warning
and infraction. The engine never looks at a clock; it says when which action is due.
"""

from __future__ import annotations

from broker.engine.cards import RANK_OF, Rank
from broker.engine.game import ClockPlan, ClockStep, Consequence, Decision, DecisionKind
from broker.engine.guandan.actions import (
    GiveBack,
    Infringe,
    Pass,
    PayTribute,
    Play,
    SeatAction,
    TimeOut,
    Warn,
)
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.plays import smallest_single
from broker.engine.guandan.rules import Clock, Overtime
from broker.engine.guandan.state import GivingBack, Playing, State, Tribute, owes
from broker.engine.guandan.tribute import allowed, lowest
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import Seat


def clock_plan(state: State, decision: Decision) -> ClockPlan:
    """The clock that runs for an open decision."""
    clock = state.standing.rules.clock
    limit = _limit(clock, decision.kind, isinstance(state, Playing) and state.first_lead)
    if clock.overtime is Overtime.AUTOMATIC:
        return ClockPlan(limit, (ClockStep(limit, Consequence.TIME_OUT),), repeat=0)
    if decision.kind in (DecisionKind.LEAD, DecisionKind.FOLLOW):
        return _ladder(limit, clock.infraction_after - clock.play, repeat=0)
    return _ladder(limit, clock.repeat_every, repeat=clock.repeat_every)


def clock_action(state: State, seat: Seat, consequence: Consequence) -> TimeOut | Warn | Infringe:
    """The action of the clock for a seat that let its time run to that consequence."""
    match consequence:
        case Consequence.TIME_OUT:
            return TimeOut(seat)
        case Consequence.WARN:
            return Warn(seat)
        case Consequence.INFRINGE:
            return Infringe(seat)


def default_action(state: State, seat: Seat) -> SeatAction:
    """What is done for a seat whose time is over.

    A leader plays its smallest single and a follower passes; a tribute is the first allowed face
    by suit, a return the lowest allowed rank, then by suit. ``Refused`` if the seat owes nothing.
    """
    rules, level = state.standing.rules, state.standing.level
    match state:
        case Playing() if state.turn == seat:
            return _default_play(state, seat, level)
        case Tribute() if owes(state, seat):
            return PayTribute(seat, lowest(allowed(state, seat), level))
        case GivingBack() if owes(state, seat):
            return GiveBack(seat, lowest(allowed(state, seat), level))
        case Playing() | Tribute() | GivingBack():
            raise Refused(Reason.NOT_YOUR_TURN, rules.articles.clock)
        case _:
            raise Refused(Reason.NOT_NOW, rules.articles.clock)


def _default_play(state: Playing, seat: Seat, level: Rank) -> Play | Pass:
    if state.table is not None:
        return Pass(seat)
    card = smallest_single(state.hands[seat], level)
    return Play(seat, (card,), Reading(PlayType.SINGLE, RANK_OF[card], 1))


def _limit(clock: Clock, kind: DecisionKind, first_lead: bool) -> int:
    match kind:
        case DecisionKind.LEAD:
            return clock.first_lead if first_lead else clock.play
        case DecisionKind.FOLLOW:
            return clock.play
        case DecisionKind.TRIBUTE:
            return clock.tribute
        case DecisionKind.GIVE_BACK:
            return clock.give_back


def _ladder(limit: int, grace: int, repeat: int) -> ClockPlan:
    steps = (ClockStep(limit, Consequence.WARN), ClockStep(limit + grace, Consequence.INFRINGE))
    return ClockPlan(limit, steps, repeat)
