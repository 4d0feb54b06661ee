"""What a turn brings about: a play, a pass, or a turn that is lost.

The checks come in the order of the rulebook (guandan: levels, order of refusals).
"""

from __future__ import annotations

from broker.engine.game import Event
from broker.engine.guandan.actions import Pass, Play
from broker.engine.guandan.deals import deal_ends
from broker.engine.guandan.events import (
    CountAnnounced,
    Infringed,
    LeadMoved,
    Passed,
    Played,
    TrickEnded,
    TurnStopped,
    WentOut,
)
from broker.engine.guandan.plays import check_play
from broker.engine.guandan.state import Playing
from broker.engine.guandan.trick import final_order, is_announced, lead_after, turn_after
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import Seat, side_of


def put_down(state: Playing, action: Play, automatic: bool) -> tuple[Event, ...]:
    """Cards are played: their count may be announced, the seat or the deal or the game may end."""
    _check_turn(state, action.seat)
    standing, hand = state.standing, state.hands[action.seat]
    cards = tuple(sorted(action.cards))
    to_beat = None if state.table is None else state.table.reading
    check_play(hand, cards, action.reading, to_beat, standing.level, standing.rules.articles)
    played = Played(action.seat, cards, action.reading, automatic)
    left = len(hand) - len(cards)
    if left == 0:
        return (played, *_going_out(state, action.seat))
    if is_announced(standing.rules, len(hand), left):
        return (played, CountAnnounced(action.seat, left))
    return (played,)


def let_pass(state: Playing, action: Pass, automatic: bool) -> tuple[Event, ...]:
    """The play on the table stands; the trick ends when all others have let it stand."""
    _check_turn(state, action.seat)
    if state.table is None:
        raise Refused(Reason.LEADER_MUST_PLAY, state.standing.rules.articles.lead)
    return (Passed(action.seat, automatic), *_standing_play(state, action.seat, state.table.seat))


def stop_turn(state: Playing, seat: Seat) -> tuple[Event, ...]:
    """The turn is lost: a follower's goes on as after a pass, a leader's lead to the next in play."""
    _check_turn(state, seat)
    stopped = TurnStopped(seat)
    if state.table is None:
        return (stopped, LeadMoved(turn_after(state.hands, seat, seat)))
    return (stopped, *_standing_play(state, seat, state.table.seat))


def infringe(state: Playing, seat: Seat) -> tuple[Event, ...]:
    """An infraction; the seat whose turn it is also loses that turn."""
    return (Infringed(seat), *(stop_turn(state, seat) if seat == state.turn else ()))


def _check_turn(state: Playing, seat: Seat) -> None:
    if seat != state.turn:
        raise Refused(Reason.NOT_YOUR_TURN, state.standing.rules.articles.turn)


def _standing_play(state: Playing, seat: Seat, winner: Seat) -> tuple[Event, ...]:
    """The end of the trick, if ``seat`` was the last that could have beaten the play."""
    if turn_after(state.hands, seat, winner) != winner:
        return ()
    leader = lead_after(state.hands, winner)
    return (TrickEnded(winner, leader, partner_lead=leader != winner),)


def _going_out(state: Playing, seat: Seat) -> tuple[Event, ...]:
    out = (*state.out, seat)
    went_out = WentOut(seat, place=len(out))
    order = final_order(out)
    if order is None:
        return (went_out,)
    return (went_out, *deal_ends(state.standing, order, side_of(order[0])))
