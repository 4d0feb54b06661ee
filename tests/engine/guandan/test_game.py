"""Whole games by random legal actions: what must hold at every step, whatever is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.engine.cards import TWO_PACKS, Cards
from broker.engine.game import Event, Game
from broker.engine.guandan import phases
from broker.engine.guandan.actions import (
    Action,
    GiveBack,
    Infringe,
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
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.events import CountAnnounced, DealEnded, Exchanged, GameEnded, Played, TrickEnded
from broker.engine.guandan.levels import PAST_A
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, AtBell, Rules
from broker.engine.guandan.state import (
    BetweenDeals,
    GameOver,
    GivingBack,
    Opening,
    Playing,
    State,
    Tribute,
    Waiting,
    start,
)
from broker.engine.refusal import Reason, Refused
from broker.engine.seats import SEATS
from tests.engine.guandan.games import after, course, expect, random_action, random_board

GAME: Game[State] = phases
"""The module is a game as the table uses it."""

PRESETS = [NATIONAL_2017, replace(HUAIAN, deals_per_game=3)]
PLAYED_OUT = [
    *PRESETS,
    replace(HUAIAN, game_minutes=60, at_bell=AtBell.FINISH, deals_per_game=3),
    replace(NATIONAL_2017, tribute=False, level_fixed=0, deals_per_game=2),
]
games = settings(max_examples=8)
seeds = given(seed=st.integers(0, 2**32))
by_name = pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.name)


def in_hands(state: State) -> Cards:
    return tuple(card for hand in getattr(state, "hands", ()) for card in hand)


def steps(rules: Rules, seed: int) -> Iterator[tuple[State, Action, tuple[Event, ...]]]:
    for state, action in course(Random(seed), rules):
        yield state, action, phases.decide(state, action)


@by_name
@games
@seeds
def test_no_card_is_lost_or_made(rules: Rules, seed: int) -> None:
    played: list[int] = []
    for state, _, events in steps(rules, seed):
        for event in events:
            state = phases.evolve(state, event)
            if isinstance(state, Opening):
                played = []
            if isinstance(event, Played):
                played += event.cards
            if isinstance(state, Opening | Tribute | GivingBack | Playing):
                assert tuple(sorted((*in_hands(state), *played))) == TWO_PACKS
                assert all(hand == tuple(sorted(hand)) for hand in state.hands)


@pytest.mark.parametrize("rules", PLAYED_OUT, ids=["national", "huaian", "bell", "fixed"])
@games
@seeds
def test_the_log_replayed_gives_the_live_state(rules: Rules, seed: int) -> None:
    live: State = start(rules)
    log: list[Event] = []
    for state, action, events in steps(rules, seed):
        assert state == live
        assert phases.decide(live, action) == events
        log += events
        for event in events:
            live = phases.evolve(live, event)
    replayed: State = start(rules)
    for event in log:
        replayed = phases.evolve(replayed, event)
    assert isinstance(live, GameOver)
    assert replayed == live
    assert phases.result(replayed) == phases.result(live)


@by_name
@games
@seeds
def test_somebody_owes_something_as_long_as_a_deal_is_in_play(rules: Rules, seed: int) -> None:
    for state, _, _ in steps(rules, seed):
        owed = phases.open_decisions(state)
        assert bool(owed) is isinstance(state, Tribute | GivingBack | Playing)
        assert len({decision.seat for decision in owed}) == len(owed)
        assert phases.wants_board(state) is not bool(owed)


@by_name
@games
@seeds
def test_what_the_clock_does_is_always_legal(rules: Rules, seed: int) -> None:
    for state, _, _ in steps(rules, seed):
        for seat in {decision.seat for decision in phases.open_decisions(state)}:
            action = phases.default_action(state, seat)
            assert phases.decide(state, action)
            assert phases.decide(state, TimeOut(seat))


def wrong_actions(state: State, chance: Random) -> Iterator[tuple[Action, set[Reason]]]:
    """Actions that this state must refuse, each with the reasons that it may give."""
    owing = {decision.seat for decision in phases.open_decisions(state)}
    idle = chance.choice([seat for seat in SEATS if seat not in owing] or [0])
    short = replace(random_board(chance), deck=TWO_PACKS[1:])
    match state:
        case Waiting() | BetweenDeals():
            yield Pass(idle), {Reason.NOT_NOW}
            yield TimeOut(idle), {Reason.NOT_NOW}
            yield NameLeader(idle), {Reason.NOT_NOW}
            yield OpenDeal(short), {Reason.BAD_BOARD}
        case Tribute():
            yield PayTribute(idle, 0), {Reason.NOT_YOUR_TURN}
            yield PayTribute(min(owing), 0), {Reason.WRONG_TRIBUTE}
            yield GiveBack(min(owing), 0), {Reason.NOT_NOW}
        case GivingBack():
            yield GiveBack(idle, 0), {Reason.NOT_YOUR_TURN}
            missing = next(card for card in TWO_PACKS if card not in state.hands[min(owing)])
            yield GiveBack(min(owing), missing), {Reason.WRONG_RETURN}
            yield StopTurn(min(owing)), {Reason.NOT_NOW}
        case Playing():
            turn = state.turn
            held = state.hands[turn]
            missing = next(card for card in TWO_PACKS if card not in held)
            single = Reading(PlayType.SINGLE, 0, 1)
            yield Play(idle, held[:1], single), {Reason.NOT_YOUR_TURN}
            yield Play(turn, (missing,), single), {Reason.CARDS_NOT_HELD}
            yield Play(turn, (held[0],) * 3, single), {Reason.CARDS_NOT_HELD}
            yield Play(turn, (), single), {Reason.NOT_A_PLAY}
            yield Play(turn, held[:1], Reading(PlayType.PAIR, 0, 2)), {Reason.READING_NOT_POSSIBLE}
            yield OpenDeal(random_board(chance)), {Reason.NOT_NOW}
            if state.table is None:
                yield Pass(turn), {Reason.LEADER_MUST_PLAY}
            elif state.table.reading.type is not PlayType.SINGLE:
                low = Reading(PlayType.SINGLE, held[0] % 13 if held[0] < 52 else held[0] - 39, 1)
                yield Play(turn, held[:1], low), {Reason.DOES_NOT_BEAT}
    yield RingBell(), {Reason.NOT_NOW}


@by_name
@games
@seeds
def test_a_refused_action_changes_nothing(rules: Rules, seed: int) -> None:
    chance = Random(seed)
    for state, _, _ in steps(rules, seed):
        before = repr(state)
        for action, reasons in wrong_actions(state, chance):
            with pytest.raises(Refused) as refusal:
                phases.decide(state, action)
            assert refusal.value.reason in reasons, action
        assert repr(state) == before


@by_name
@games
@seeds
def test_the_announced_number_is_true_and_never_too_early(rules: Rules, seed: int) -> None:
    for state, _, events in steps(rules, seed):
        for event in events:
            state = phases.evolve(state, event)
            if isinstance(event, CountAnnounced):
                assert event.count == len(expect(Playing, state).hands[event.seat])
                assert 0 < event.count < rules.announce_below
        if isinstance(state, Playing):
            shown = phases.view(state, None).public.counts
            assert all(count in (None, len(hand)) for count, hand in zip(shown, state.hands, strict=True))


@by_name
@games
@seeds
def test_results_are_whole(rules: Rules, seed: int) -> None:
    ends = [event for _, _, events in steps(rules, seed) for event in events if isinstance(event, DealEnded)]
    for before, end in zip((None, *ends), ends, strict=False):
        assert end.levels_before == (before.levels_after if before else (0, 0))
        moved = zip(end.levels_before, end.levels_after, strict=True)
        assert all(0 <= one <= two <= PAST_A for one, two in moved)
        assert sorted(end.order) in ([0, 1, 2, 3], [0, 2], [1, 3])
        assert end.winner == end.order[0] % 2
    assert [end.deal for end in ends] == list(range(1, len(ends) + 1))
    assert all(end.next_level is not None for end in ends[:-1])
    assert ends[-1].next_level is None


@by_name
@games
@seeds
def test_who_knows_only_the_public_parts_can_follow(rules: Rules, seed: int) -> None:
    """Turn, table, places and announced counts, from public fields alone, agree with the view."""
    state: State = start(rules)
    follower = Follower()
    for _, _, events in steps(rules, seed):
        for event in events:
            state = phases.evolve(state, event)
            follower.hear(type(event).__name__, public_part(event))
        shown = phases.view(state, None).public
        if isinstance(state, Playing):
            assert (follower.turn, follower.out) == (shown.turn, list(shown.out))
            assert follower.table == (shown.table and (shown.table.seat, shown.table.cards))


class Follower:
    """Somebody at another place who hears every public part."""

    def __init__(self) -> None:
        self.turn: int | None = None
        self.table: tuple[int, Cards] | None = None
        self.out: list[int] = []

    def hear(self, kind: str, told: dict[str, Any]) -> None:
        if kind in ("LeadGiven", "LeadMoved"):
            self.turn = told["seat"]
        elif kind == "Dealt":
            self.out, self.table = [], None
        elif kind == "Played":
            self.table = (told["seat"], told["cards"])
        elif kind == "WentOut":
            self.out.append(told["seat"])
        if kind in ("Played", "Passed", "TurnStopped", "WentOut"):
            following = [(told["seat"] + step) % 4 for step in (1, 2, 3)]
            self.turn = next(seat for seat in following if seat not in self.out)
        if kind == "TrickEnded":
            self.turn, self.table = told["leader"], None


def public_part(event: Event) -> dict[str, Any]:
    return {
        field.name: getattr(event, field.name)
        for field in fields(event)  # type: ignore[arg-type]
        if field.name not in event.SECRET
    }


def test_public_parts_do_not_depend_on_cards_that_nobody_saw() -> None:
    """Two deals that differ only in cards never played look the same from outside, event by event."""
    compared = 0
    for seed in range(400):
        chance = Random(seed)
        actions = [action for _, action in course(chance, replace(HUAIAN, deals_per_game=1))]
        last = expect(Playing, states_of(actions)[-2])
        losers = [seat for seat in SEATS if seat % 2 != last.turn % 2]
        left = [last.hands[seat] for seat in losers]
        if len(last.out) != 1 or not all(left) or left[0][0] == left[1][0]:
            continue
        opening = actions[0]
        assert isinstance(opening, OpenDeal)
        swapped = swap(opening, losers, left[0][0], left[1][0])
        told = [list(map(public_part, events)) for events in events_of(actions)]
        other = [list(map(public_part, events)) for events in events_of([swapped, *actions[1:]])]
        assert told == other
        compared += 1
        if compared == 10:
            return
    pytest.fail("too few deals ended with two hands unplayed")


def states_of(actions: list[Action]) -> list[State]:
    states: list[State] = [start(replace(HUAIAN, deals_per_game=1))]
    for action in actions:
        states.append(after(states[-1], action))
    return states


def events_of(actions: list[Action]) -> list[tuple[Event, ...]]:
    return [phases.decide(state, action) for state, action in zip(states_of(actions), actions, strict=False)]


def swap(opening: OpenDeal, losers: list[int], one: int, two: int) -> OpenDeal:
    """The board with a card of each loser in the other's hand; the turned-up card stays."""
    dealt = opening.board
    deck = list(dealt.deck)
    places = []
    for seat, card in zip(losers, (one, two), strict=True):
        mine = [place for place in range(108) if (dealt.first + place) % 4 == seat and deck[place] == card]
        places.append(next((place for place in mine if place != dealt.turned), mine[0]))
    first, second = places
    deck[first], deck[second] = deck[second], deck[first]
    return OpenDeal(replace(dealt, deck=tuple(deck)))


def test_hidden_cards_are_told_in_secret_fields_only() -> None:
    """The types of event that name cards in public are those that show them to all."""
    fields_with_cards = {"card", "cards", "hands", "exchanges", "jokers", "turned"}
    named: Counter[str] = Counter()
    for seed in range(6):
        for _, _, events in steps(NATIONAL_2017, seed):
            for event in events:
                for name in public_part(event).keys() & fields_with_cards:
                    named[f"{type(event).__name__}.{name}"] += 1
    assert set(named) <= {"Played.cards", "Exchanged.exchanges", "Resisted.jokers", "Dealt.turned"}
    assert named["Exchanged.exchanges"] and named["Played.cards"]


def test_a_game_of_every_length_comes_to_its_end() -> None:
    """Until A is passed, with no other limit: both sides get there, and the game then stops."""
    winners = Counter[int | None]()
    for seed in range(6):
        *_, (state, _, events) = steps(HUAIAN, seed)
        ended = events[-1]
        assert isinstance(ended, GameEnded)
        assert PAST_A in ended.levels
        winners[ended.winner] += 1
        assert sum(ended.score) == 26
        assert expect(Playing, state).standing.levels != ended.levels
    assert None not in winners


def test_a_trick_that_ends_gives_the_lead_to_a_seat_with_cards() -> None:
    for seed in range(6):
        for state, _, events in steps(NATIONAL_2017, seed):
            for event in events:
                if isinstance(event, TrickEnded):
                    assert expect(Playing, state).hands[event.leader]


def test_ladder_and_rulings_may_come_at_any_moment() -> None:
    """Warnings, infractions and stopped turns between the plays: the deal still comes to its end."""
    stopped = 0
    for seed in range(10):
        chance = Random(seed)
        state: State = start(replace(HUAIAN, deals_per_game=2))
        for _ in range(3000):
            if isinstance(state, GameOver):
                break
            owed = phases.open_decisions(state)
            if owed and chance.random() < 0.15:
                before, seat = state, chance.choice(SEATS)
                state = after(state, Warn(seat) if chance.random() < 0.5 else Infringe(seat))
                stopped += state is not before
                continue
            state = after(state, random_action(chance, state))
        assert isinstance(state, GameOver)
    assert stopped > 20


def test_exchanges_leave_everybody_with_27_cards() -> None:
    found = 0
    for seed in range(6):
        for state, _, events in steps(NATIONAL_2017, seed):
            for event in events:
                state = phases.evolve(state, event)
                if isinstance(event, Exchanged):
                    found += 1
                    assert [len(hand) for hand in expect(Opening, state).hands] == [27] * 4
    assert found
