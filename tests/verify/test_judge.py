"""The checker's judge against the engine: two readings of the rule book that share no code."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from broker.engine.cards import parse_rank
from broker.engine.game import Event
from broker.engine.games import GUANDAN
from broker.engine.guandan import phases
from broker.engine.guandan.actions import Infringe, LoseDeal, OpenDeal, RingBell, StopTurn, TimeOut, Warn
from broker.engine.guandan.rules import (
    HUAIAN,
    NATIONAL_2017,
    Announce,
    AtBell,
    Overtime,
    PassA,
    ReturnLimit,
    Rules,
)
from broker.engine.guandan.state import Playing, State, start
from broker.engine.refusal import Refused
from broker.protocol.codec import encode_event, encode_rules
from broker.verify.boards import FACES, Board
from broker.verify.judge import Judge
from broker.verify.transcript import Fault
from tests.engine.guandan.games import random_action

GAMES = int(os.environ.get("PAIZHUO_JUDGED_GAMES", "4"))
"""Random games for each set of rules; `make long` asks for more."""

LONG = replace(NATIONAL_2017, deals_per_game=None)
VARIANTS = {
    "national": NATIONAL_2017,
    "national to A": LONG,
    "huaian": HUAIAN,
    "double-down passes A": replace(LONG, pass_a=PassA.DOUBLE_DOWN),
    "demotion": replace(LONG, failed_a_limit=2),
    "bell drops": replace(HUAIAN, game_minutes=60, at_bell=AtBell.DROP),
    "bell finishes": replace(HUAIAN, game_minutes=60, at_bell=AtBell.FINISH, deals_per_game=9),
    "A not played": replace(HUAIAN, must_play_a=False),
    "fixed level": replace(NATIONAL_2017, level_fixed=parse_rank("7"), deals_per_game=6),
    "fixed at A": replace(NATIONAL_2017, level_fixed=parse_rank("A"), deals_per_game=4),
    "no tribute": replace(NATIONAL_2017, tribute=False),
    "low returns": replace(
        LONG,
        return_to_partner=ReturnLimit.TEN_OR_LOWER,
        return_to_opponent=ReturnLimit.TEN_OR_LOWER,
        announce=Announce.ONCE,
        announce_below=7,
    ),
}


def _action(chance: Random, state: State) -> Any:
    """Mostly play; now and then the clock, a ruling or the bell."""
    dice = chance.random()
    if dice < 0.002:
        return RingBell()
    if dice < 0.02:
        return Warn(chance.randrange(4)) if dice < 0.006 else Infringe(chance.randrange(4))
    if owed := phases.open_decisions(state):
        automatic = state.standing.rules.clock.overtime is Overtime.AUTOMATIC
        if dice < 0.06 and automatic:
            return TimeOut(chance.choice(owed).seat)
        if dice < 0.08 and isinstance(state, Playing):
            return StopTurn(state.turn)
        if dice < 0.081:
            return LoseDeal(chance.randrange(2))
    return random_action(chance, state)


def _course(rules: Rules, seed: int) -> Iterator[tuple[Event, Board | None, State]]:
    """Events of a random game, each with the board that was just dealt, and the state after it."""
    chance = Random(seed)
    state: State = start(rules)
    board: Board | None = None
    while not phases.is_over(state):
        action = _action(chance, state)
        if isinstance(action, OpenDeal):
            deck = tuple(FACES[card] for card in action.board.deck)
            board = Board(deck, action.board.first, action.board.turned)
        try:
            events = phases.decide(state, action)
        except Refused:
            continue
        for event in events:
            state = phases.evolve(state, event)
            yield event, board, state


def _record(event: Event) -> tuple[str, dict[str, Any]]:
    kind, public, secret = encode_event(event)
    return kind, {**public, **(secret or {})}


def _owed(state: State) -> dict[int, str]:
    return {seat: str(kind) for seat, kind in phases.open_decisions(state)}


@pytest.mark.parametrize("name", VARIANTS)
def test_judge_agrees_with_the_engine(name: str) -> None:
    """Whatever the engine lets happen the judge finds right, and it knows who owes what for how long."""
    for seed in range(GAMES):
        judge = Judge(encode_rules(VARIANTS[name]))
        for event, board, state in _course(VARIANTS[name], seed):
            judge.follow(*_record(event), board)
            if judge.due:
                continue
            assert judge.owed == _owed(state)
            for decision in phases.open_decisions(state):
                assert judge.limit(str(decision.kind)) == phases.clock_plan(state, decision).limit
        assert judge.over and not judge.due


def test_random_games_hold_every_kind_of_record() -> None:
    kinds: Counter[str] = Counter()
    for rules in VARIANTS.values():
        for seed in range(2):
            kinds.update(_record(event)[0] for event, _, _ in _course(rules, seed))
    assert set(kinds) == set(GUANDAN.events)


# --- what did not happen -------------------------------------------------------------------------------

FREE = {
    ("warned", "seat"),
    ("infringed", "seat"),
    ("leader_named", "seat"),
    ("deal_lost", "side"),
    ("dealt", "board"),
    ("tribute_paid", "card"),
    ("given_back", "card"),
    *((kind, "automatic") for kind in ("tribute_paid", "given_back", "played", "passed")),
}
"""Fields that may say something else as far as this record goes."""


def _others(value: Any) -> Iterator[Any]:
    """Values of the same kind that are not this one."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, max(0, value - 1), (value + 2) % 4)
        case str() if " " in value:
            words = value.split(" ")
            yield from (" ".join(words[1:]), " ".join(words + words[:1]), " ".join(["SK", *words[1:]]))
        case str():
            yield from ("A", "A+", "S2", "HA", "BJ", "bomb", "time", "first_place")
        case list():
            yield from (value[1:], [*value, *value[:1]], value[::-1])
            for place, item in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in _others(item))
        case dict():
            for name, item in value.items():
                yield from ({**value, name: other} for other in _others(item))
        case None:
            yield from (0, "2")


def _changed(kind: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in body.items():
        if (kind, name) not in FREE:
            yield from ({**body, name: other} for other in _others(value) if other != value)


@pytest.mark.parametrize("name", ["national", "huaian", "bell finishes", "bell drops", "fixed level"])
def test_judge_finds_every_field_that_was_changed(name: str) -> None:
    rules = VARIANTS[name]
    judged: Counter[str] = Counter()
    judge = Judge(encode_rules(rules))
    for event, board, _ in _course(rules, 11):
        kind, body = _record(event)
        if judged[kind] < 60:
            for wrong in _changed(kind, body):
                if wrong.get("seat") != body.get("seat") and wrong["seat"] in judge.owed:
                    continue  # two may owe the same
                with pytest.raises(Fault):
                    deepcopy(judge).follow(kind, wrong, board)
                judged[kind] += 1
        judge.follow(kind, body, board)
    assert {"dealt", "played", "passed", "trick_ended", "went_out", "deal_ended", "game_ended"} <= set(judged)


@pytest.mark.parametrize("name", ["national", "huaian", "bell finishes", "fixed level"])
def test_judge_finds_every_record_that_is_left_out_or_told_twice(name: str) -> None:
    """At the next record that changes anything; what comes right before the end of a deal by ruling,
    and warnings, leave no trace in the game."""
    rules = VARIANTS[name]
    judge = Judge(encode_rules(rules))
    records = [(*_record(event), board) for event, board, _ in _course(rules, 5)]
    for place, (kind, body, board) in enumerate(records[:-1]):
        if not {kind, records[place + 1][0]} & {"warned", "infringed", "bell_rung", "deal_lost"}:
            left_out, twice = deepcopy(judge), deepcopy(judge)
            with pytest.raises(Fault):
                _follow(left_out, records[place + 1 : place + 20])
            with pytest.raises(Fault):
                _follow(twice, [records[place], records[place]])
        judge.follow(kind, body, board)
    judge.follow(*records[-1])
    with pytest.raises(Fault, match="over"):
        judge.follow(*records[-1])


def _follow(judge: Judge, records: list[tuple[str, dict[str, Any], Board | None]]) -> None:
    for record in records:
        judge.follow(*record)


def test_nothing_is_played_before_a_deal_or_after_the_game() -> None:
    judge = Judge(encode_rules(NATIONAL_2017))
    for kind in ("played", "passed", "turn_stopped", "tribute_paid", "given_back"):
        body = {"seat": 0, "cards": "S2", "card": "S2", "automatic": False}
        body["reading"] = {"type": "single", "rank": "2", "size": 1}
        with pytest.raises(Fault):
            judge.follow(kind, body)
    for kind in ("trick_ended", "went_out", "deal_ended", "game_ended", "lead_given"):
        with pytest.raises(Fault, match="nothing has brought it about"):
            judge.follow(kind, {})


def test_a_deal_of_a_board_that_is_not_known_is_a_fault() -> None:
    judge = Judge(encode_rules(NATIONAL_2017))
    event, _, _ = next(_course(NATIONAL_2017, 1))
    with pytest.raises(Fault, match="never opened"):
        judge.follow(*_record(event), None)
