"""The codec over whole games: what really happens goes through it, and no card leaks."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from broker.engine.cards import format_card
from broker.engine.guandan import phases
from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Rules
from broker.engine.seats import SEATS
from broker.protocol import codec
from tests.engine.guandan.games import course


@pytest.mark.parametrize("rules", [NATIONAL_2017, HUAIAN], ids=lambda rules: rules.name)
@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_comes_back(rules: Rules, seed: int) -> None:
    seen = set()
    for state, action in course(Random(seed), rules, limit=700):
        _check_views(state)
        if isinstance(action, Play | Pass | PayTribute | GiveBack):
            kind, args = codec.encode_act(action)
            assert codec.decode_act("guandan", kind, json.loads(json.dumps(args)), action.seat) == action
        for event in phases.decide(state, action):
            kind, public, secret = codec.encode_event(event)
            parts = json.loads(json.dumps([public, secret]))
            assert codec.decode_event("guandan", kind, *parts) == event
            seen.add(kind)
    assert {"dealt", "lead_given", "played", "passed", "went_out", "trick_ended", "deal_ended"} <= seen


def _check_views(state: Any) -> None:
    public = phases.view(state, None).public
    assert codec.decode_public_view("guandan", codec.encode_public_view(public)) == public
    for seat in SEATS:
        own = phases.view(state, seat).own
        assert codec.decode_own_view("guandan", codec.encode_own_view(own)) == own


def test_the_public_part_of_a_deal_names_no_card_but_the_one_turned() -> None:
    for rules in (NATIONAL_2017, HUAIAN):
        state, action = next(course(Random(1), rules))
        dealt = phases.decide(state, action)[0]
        kind, public, secret = codec.encode_event(dealt)
        assert kind == "dealt"
        assert secret is not None
        assert sum(len(hand.split()) for hand in secret["hands"]) == 108
        public.pop("turned")
        named = [format_card(card) for card in range(54) if format_card(card) in json.dumps(public)]
        assert not named
