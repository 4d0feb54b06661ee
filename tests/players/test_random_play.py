"""Random play: every legal choice comes, and no other."""

from __future__ import annotations

import random
from collections import Counter

from broker.engine.cards import parse_cards
from broker.engine.game import DecisionKind
from broker.engine.guandan.actions import Pass, PayTribute, Play
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.rules import NATIONAL_2017
from broker.players import POLICIES
from tests.players.test_careful import view_of

RANDOM = POLICIES["random"]


def test_each_choice_is_as_likely_as_another() -> None:
    view = view_of("H2 S5 D5 SK", "D4")
    assert view.own is not None and view.public.table is not None
    legal = {Play(0, *play) for play in legal_plays(view.own.hand, 0, view.public.table.reading)}
    chance = random.Random(3)
    seen = Counter(RANDOM(view, NATIONAL_2017, chance) for _ in range(400 * (len(legal) + 1)))
    assert seen.keys() == {*legal, Pass(0)}
    assert all(300 < times < 500 for times in seen.values())


def test_leading_it_never_passes() -> None:
    view = view_of("H2 S5 D5 SK")
    moves = {RANDOM(view, NATIONAL_2017, random.Random(seed)) for seed in range(200)}
    assert all(isinstance(move, Play) for move in moves)


def test_tribute_is_one_of_the_allowed() -> None:
    allowed = parse_cards("SA DA")
    view = view_of("SA DA S5", kind=DecisionKind.TRIBUTE, allowed=allowed)
    moves = {RANDOM(view, NATIONAL_2017, random.Random(seed)) for seed in range(50)}
    assert moves == {PayTribute(0, card) for card in allowed}
