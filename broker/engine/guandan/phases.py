"""Guandan as a game: the functions of the contract ``engine/game.py``.

``decide`` is the one place where an action meets a phase. What it finds out about an action is
told in events; that they follow from one another is ``fold.py``.
"""

from __future__ import annotations

from typing import assert_never

from broker.engine.game import Event
from broker.engine.guandan.actions import (
    Action,
    GiveBack,
    Infringe,
    LoseDeal,
    NameLeader,
    OpenDeal,
    Pass,
    PayTribute,
    Play,
    RingBell,
    StopTurn,
    TimeOut,
    Warn,
)
from broker.engine.guandan.clock import clock_action, clock_plan, default_action
from broker.engine.guandan.deals import give_back, lose_deal, name_leader, open_deal, pay_tribute, ring_bell
from broker.engine.guandan.events import Infringed, Warned
from broker.engine.guandan.fold import evolve
from broker.engine.guandan.scoring import result
from broker.engine.guandan.state import (
    BetweenDeals,
    GameOver,
    GivingBack,
    InDeal,
    Opening,
    Playing,
    State,
    Tribute,
    Waiting,
    open_decisions,
    start,
)
from broker.engine.guandan.turns import infringe, let_pass, put_down, stop_turn
from broker.engine.guandan.view import view
from broker.engine.refusal import Reason, Refused

__all__ = [
    "clock_action",
    "clock_plan",
    "decide",
    "default_action",
    "evolve",
    "is_over",
    "open_decisions",
    "result",
    "start",
    "view",
    "wants_board",
]


def decide(state: State, action: Action) -> tuple[Event, ...]:
    """Events that the action brings about, in order; ``Refused`` if the rules forbid it.

    ``NOT_NOW``: the phase has no such action. ``GAME_OVER``: no phase follows any more.
    """
    if isinstance(action, TimeOut) and not isinstance(state, GameOver):
        return _decided(state, default_action(state, action.seat), automatic=True)
    return _decided(state, action, automatic=False)


def is_over(state: State) -> bool:
    """Whether the game has its result."""
    return isinstance(state, GameOver)


def wants_board(state: State) -> bool:
    """Whether the next thing to happen is another deal; not while its leader has yet to be named."""
    match state:
        case Waiting():
            return True
        case BetweenDeals():
            return not state.standing.lost or state.standing.named is not None
        case _:
            return False


def _decided(state: State, action: Action, automatic: bool) -> tuple[Event, ...]:
    match state:
        case Playing():
            return _in_play(state, action, automatic)
        case Tribute():
            return _in_tribute(state, action, automatic)
        case GivingBack():
            return _in_return(state, action, automatic)
        case Waiting() | BetweenDeals():
            return _between(state, action)
        case Opening():
            raise Refused(Reason.NOT_NOW, state.standing.rules.articles.game)
        case GameOver():
            raise Refused(Reason.GAME_OVER, state.standing.rules.articles.game)
        case _:
            assert_never(state)


def _in_play(state: Playing, action: Action, automatic: bool) -> tuple[Event, ...]:
    match action:
        case Play():
            return put_down(state, action, automatic)
        case Pass():
            return let_pass(state, action, automatic)
        case Infringe():
            return infringe(state, action.seat)
        case StopTurn():
            return stop_turn(state, action.seat)
        case _:
            return _in_deal(state, action)


def _in_tribute(state: Tribute, action: Action, automatic: bool) -> tuple[Event, ...]:
    match action:
        case PayTribute():
            return pay_tribute(state, action, automatic)
        case _:
            return _in_deal(state, action)


def _in_return(state: GivingBack, action: Action, automatic: bool) -> tuple[Event, ...]:
    match action:
        case GiveBack():
            return give_back(state, action, automatic)
        case _:
            return _in_deal(state, action)


def _in_deal(state: InDeal, action: Action) -> tuple[Event, ...]:
    """What can be ruled in every phase of a deal."""
    match action:
        case LoseDeal():
            return lose_deal(state, action.side)
        case RingBell():
            return ring_bell(state)
        case _:
            return _recorded(state, action)


def _between(state: Waiting | BetweenDeals, action: Action) -> tuple[Event, ...]:
    match action:
        case OpenDeal():
            return open_deal(state, action.board)
        case NameLeader():
            return name_leader(state, action.seat)
        case RingBell():
            return ring_bell(state)
        case _:
            return _recorded(state, action)


def _recorded(state: State, action: Action) -> tuple[Event, ...]:
    """Warnings and infractions, which a referee may record as long as the game lasts."""
    match action:
        case Warn():
            return (Warned(action.seat),)
        case Infringe():
            return (Infringed(action.seat),)
        case _:
            raise Refused(Reason.NOT_NOW, state.standing.rules.articles.game)
