"""The checker's judge against the engine: two readings of the rule book that share no code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from broker.engine.game import Event
from broker.engine.guandan import phases
from broker.engine.guandan.actions import LoseDeal, OpenDeal, RingBell, StopTurn, TimeOut
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, AtBell, PassA, Rules
from broker.engine.guandan.state import Playing, State, start
from broker.engine.refusal import Refused
from broker.protocol.codec import encode_event, encode_rules
from broker.verify.deals import FACES, Board
from broker.verify.judge import Fault, Judge
from tests.engine.guandan.games import random_action

GAMES = int(os.environ.get("PAIZHUO_JUDGED_GAMES", "4"))
"""Random games for each set of rules; `make long` asks for more."""

LONG = replace(NATIONAL_2017, deals_per_game=None)
VARIANTS = {
    "national": NATIONAL_2017,
    "national to A": LONG,
    "huaian": HUAIAN,
    "double-down passes A": replace(LONG, pass_a=PassA.DOUBLE_DOWN),
    "demotion": replace(LONG, failed_a_limit=3),
    "bell drops": replace(HUAIAN, game_minutes=60, at_bell=AtBell.DROP),
    "bell finishes": replace(HUAIAN, game_minutes=60, at_bell=AtBell.FINISH),
    "A not played": replace(HUAIAN, must_play_a=False),
    "fixed level": replace(NATIONAL_2017, level_fixed=0, deals_per_game=6),
    "no tribute": replace(NATIONAL_2017, tribute=False),
}


def _action(chance: Random, state: State) -> Any:
    """Mostly play; now and then the clock, a ruling or the bell."""
    dice = chance.random()
    if isinstance(state, Playing):
        if dice < 0.01:
            return StopTurn(state.turn)
        if dice < 0.02:
            return TimeOut(state.turn)
        if dice < 0.0205:
            return LoseDeal(chance.randrange(2))
        if dice < 0.021:
            return RingBell()
    return random_action(chance, state)


def _course(rules: Rules, seed: int) -> Iterator[tuple[Event, dict[str, Board]]]:
    """Events of a random game, with the boards dealt so far."""
    chance = Random(seed)
    state: State = start(rules)
    boards: dict[str, Board] = {}
    while not phases.is_over(state):
        action = _action(chance, state)
        if isinstance(action, OpenDeal):
            told = replace(action.board, board=f"b{len(boards)}")
            action = OpenDeal(told)
            boards[told.board] = Board(tuple(FACES[card] for card in told.deck), told.first, told.turned)
        try:
            events = phases.decide(state, action)
        except Refused:
            continue
        for event in events:
            state = phases.evolve(state, event)
            yield event, boards


def _record(event: Event) -> tuple[str, dict[str, Any]]:
    kind, public, secret = encode_event(event)
    return kind, {**public, **(secret or {})}


@pytest.mark.parametrize("name", VARIANTS)
def test_judge_agrees_with_the_engine(name: str) -> None:
    """Whatever the engine lets happen, the judge finds right."""
    for seed in range(GAMES):
        judge = Judge(encode_rules(VARIANTS[name]))
        for event, boards in _course(VARIANTS[name], seed):
            judge.follow(*_record(event), boards)
        assert judge.over


_WRONG: dict[str, dict[str, Any]] = {
    "dealt": {"level": "7", "first": 3, "deal": 9},
    "deal_ended": {"rise": 3, "order": [1, 2, 3, 0]},
    "game_ended": {"score": [9, 9]},
}


def _changed(kind: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Records that say something else than happened."""
    if "seat" in body and kind not in ("warned", "infringed", "leader_named"):
        yield {**body, "seat": (body["seat"] + 1) % 4}
    if kind == "played":
        yield {**body, "reading": {**body["reading"], "type": "bomb"}}
    if kind == "count_announced":
        yield {**body, "count": body["count"] + 1}
    for field, wrong in _WRONG.get(kind, {}).items():
        yield {**body, field: wrong}
    if kind == "trick_ended":
        yield {**body, "leader": (body["leader"] + 1) % 4}
    if kind == "exchanged":
        told = body["exchanges"][0]
        yield {**body, "exchanges": [{**told, "paid": told["returned"], "returned": told["paid"]}]}


def test_judge_finds_every_record_that_was_changed() -> None:
    """A record that says something else than happened is a fault at once."""
    judged: set[str] = set()
    before: list[tuple[str, dict[str, Any]]] = []
    boards: dict[str, Board] = {}
    for event, boards in _course(NATIONAL_2017, 11):  # noqa: B007 (the last ones are all boards)
        before.append(_record(event))
    for place, (kind, body) in enumerate(before):
        if kind in judged and place % 40:
            continue
        for wrong in _changed(kind, body):
            if wrong == body:
                continue
            judge = Judge(encode_rules(NATIONAL_2017))
            for record in before[:place]:
                judge.follow(*record, boards)
            with pytest.raises(Fault):
                judge.follow(kind, wrong, boards)
            judged.add(kind)
    assert {"dealt", "played", "passed", "trick_ended", "went_out", "deal_ended", "game_ended"} <= judged
