"""Games under test: boards and states from text, actions that lead somewhere, random play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from broker.engine.cards import RANK_OF, TWO_PACKS, parse_card, parse_cards, parse_rank
from broker.engine.game import Board, Event
from broker.engine.guandan import phases
from broker.engine.guandan.actions import (
    Action,
    GiveBack,
    NameLeader,
    OpenDeal,
    Pass,
    PayTribute,
    Play,
    TimeOut,
)
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.events import LeadCause, LeadGiven
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.rules import NATIONAL_2017, Rules
from broker.engine.guandan.state import (
    BetweenDeals,
    GivingBack,
    Opening,
    Playing,
    Standing,
    State,
    Tribute,
    start,
)
from broker.engine.guandan.tribute import allowed
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import SEATS, Seat
from broker.engine.shuffle import board_from

S = TypeVar("S")
E = TypeVar("E", bound=Event)


def after(state: State, *actions: Action) -> State:
    """The state after the actions."""
    for action in actions:
        for event in phases.decide(state, action):
            state = phases.evolve(state, event)
    return state


def expect(phase: type[S], state: State) -> S:
    """The state, which must be in that phase."""
    assert isinstance(state, phase)
    return state


def only(kind: type[E], events: tuple[Event, ...]) -> E:
    """The one event of that kind."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Names of the events in order."""
    return [type(event).__name__ for event in events]


def refuses(state: State, action: Action, reason: Reason) -> None:
    """The action is refused for that reason."""
    with pytest.raises(Refused) as refusal:
        phases.decide(state, action)
    assert refusal.value.reason is reason


def single(seat: Seat, card: str) -> Play:
    """The play of one card."""
    face = parse_card(card)
    return Play(seat, (face,), Reading(PlayType.SINGLE, RANK_OF[face], 1))


def same(seat: Seat, kind: PlayType, cards: str) -> Play:
    """The play of cards of one rank, none of them wild."""
    faces = parse_cards(cards)
    return Play(seat, faces, Reading(kind, RANK_OF[faces[0]], len(faces)))


def playing(*hands: str, level: str = "2", leader: Seat = 0, rules: Rules = NATIONAL_2017) -> Playing:
    """A trick about to begin with these four hands."""
    standing = replace(start(rules).standing, level=parse_rank(level), deal=1)
    return expect(Playing, lead(Opening(standing, tuple(map(parse_cards, hands)), None), leader))


def lead(state: Opening, leader: Seat) -> State:
    """The state in which ``leader`` leads the first trick."""
    return phases.evolve(state, LeadGiven(leader, LeadCause.FIRST_PLACE))


def board(*hands: str, first: Seat = 0, turned: int = 0, name: str = "made") -> Board:
    """A board that deals these cards to seats 0–3; what is not named is filled up in order."""
    dealt = [list(parse_cards(hand)) for hand in hands]
    rest = list(TWO_PACKS)
    for card in (card for hand in dealt for card in hand):
        rest.remove(card)
    for hand in dealt:
        missing = 27 - len(hand)
        hand.extend(rest[:missing])
        del rest[:missing]
    deck = tuple(dealt[(first + place) % 4][place // 4] for place in range(108))
    return Board(name, deck, first, turned)


def random_board(chance: Random, name: str = "random") -> Board:
    """A board that a seed gives."""
    return board_from(chance.randbytes(32), b"beacon", name)


def between(order: tuple[Seat, ...], rules: Rules = NATIONAL_2017, level: str = "2") -> BetweenDeals:
    """Between two deals, the first of which ended in this order; the next plays ``level``."""
    state = finished(after(start(rules), OpenDeal(board("", "", "", ""))), order)
    standing = replace(expect(BetweenDeals, state).standing, level=parse_rank(level))
    return BetweenDeals(standing)


def finished(state: State, order: tuple[Seat, ...]) -> State:
    """The state after the deal in play has ended in this order: four places, or two of one side."""
    while not isinstance(state, Playing):
        state = after(state, TimeOut(phases.open_decisions(state)[0].seat))
    ranks = [rank for rank in "345678" if parse_rank(rank) != state.standing.level]
    hands = [parse_cards("SK SK")] * 4
    for place, seat in enumerate(order):
        hands[seat] = parse_cards("S" + ranks[place])
    state = replace(state, hands=tuple(hands), turn=order[0], leader=order[0])
    for seat in order[:3]:
        while expect(Playing, state).turn != seat:
            state = after(state, Pass(expect(Playing, state).turn))
        card = expect(Playing, state).hands[seat][0]
        state = after(state, Play(seat, (card,), Reading(PlayType.SINGLE, RANK_OF[card], 1)))
    return state


def random_action(chance: Random, state: State) -> Action:
    """Something legal that a seat, or the authority between deals, may do now."""
    if phases.wants_board(state):
        return OpenDeal(random_board(chance))
    if isinstance(state, BetweenDeals):
        return NameLeader(chance.choice(SEATS))
    seat = chance.choice(phases.open_decisions(state)).seat
    match state:
        case Tribute():
            return PayTribute(seat, chance.choice(allowed(state, seat)))
        case GivingBack():
            return GiveBack(seat, chance.choice(allowed(state, seat)))
        case Playing():
            return random_turn(chance, state)
    raise AssertionError(f"nothing to do in {type(state).__name__}")


def random_turn(chance: Random, state: Playing) -> Play | Pass:
    """A legal play, longer ones rather than shorter, or now and then a pass."""
    to_beat = state.table.reading if state.table else None
    plays = legal_plays(state.hands[state.turn], state.standing.level, to_beat)
    if to_beat is not None and (not plays or chance.random() < 0.3):
        return Pass(state.turn)
    play = max(chance.choices(plays, k=2), key=lambda play: len(play.cards))
    return Play(state.turn, play.cards, play.reading)


def course(chance: Random, rules: Rules, limit: int = 10_000) -> Iterator[tuple[State, Action]]:
    """A random game: each state with the action taken in it, until it is over or ``limit`` came."""
    state: State = start(rules)
    for _ in range(limit):
        if phases.is_over(state):
            return
        action = random_action(chance, state)
        yield state, action
        state = after(state, action)


def standing_of(rules: Rules, **fields: object) -> Standing:
    """The standing at the start with some fields changed."""
    return replace(start(rules).standing, **fields)  # type: ignore[arg-type]
