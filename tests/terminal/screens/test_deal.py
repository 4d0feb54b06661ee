"""Whole deals, played at one seat by touches alone; policies play the other three."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.guandan.views import Phase
from broker.players import POLICIES
from tests.terminal.screens import states
from tests.terminal.screens.conftest import SIZES
from tests.terminal.screens.conftest import Play as PutOn
from tests.terminal.screens.scene import Scene

if TYPE_CHECKING:
    from tests.terminal.screens.stand import Stand

MOST_STEPS = 600


def touch_move(stand: Stand, chance: random.Random) -> None:
    """Does by touches what a policy would."""
    scene, page = stand.scene, stand.page
    view, rules = scene.session.view, scene.session.rules
    move = POLICIES["careful"](view, rules, chance)
    match move:
        case Pass():
            stand.press(page.controls.passing)
        case PayTribute() | GiveBack():
            if scene.session.selected != (move.card,):
                stand.tap(stand.card(stand.slots(move.card)[0]))
            stand.press(page.controls.commit)
        case Play():
            for slot in stand.slots(*move.cards):
                stand.tap(stand.card(slot))
            options = scene.session.options()
            stand.press(page.controls.commit)
            if len(options) > 1:
                stand.press(page.choice.tiles[options.index(move.reading)])


def play_deal(stand: Stand, chance: random.Random) -> None:
    """Goes on until the deal has its result."""
    scene = stand.scene
    for _ in range(MOST_STEPS):
        if scene.session.view.public.phase in (Phase.BETWEEN_DEALS, Phase.GAME_OVER):
            return
        if scene.owes() is not None:
            before = len(scene.sent)
            touch_move(stand, chance)
            stand.serve()
            assert len(scene.sent) == before + 1, "the touches made no act"
        else:
            assert scene.others_act()
            stand.redraw()
    raise AssertionError("the deal does not end")


def test_a_game_of_one_deal_is_played_by_touch(play: PutOn) -> None:
    scene = Scene(replace(NATIONAL_2017, deals_per_game=1))
    scene.connect()
    scene.show(scene.state)
    stand = play(scene)
    stand.press(stand.page.ready)
    stand.serve()
    scene.open_deal(1)
    stand.redraw()
    assert stand.page.name == "table"
    play_deal(stand, random.Random(5))
    stand.redraw()
    assert stand.page.name == "game"
    assert sum(scene.session.view.public.game.score) == 26
    assert scene.sent.count("ready") == 1 and scene.sent.count("play") >= 5


@pytest.mark.parametrize(("order", "act"), [((3, 0, 1, 2), "pay_tribute"), ((2, 3, 0, 1), "give_back")])
def test_a_deal_with_a_tribute_is_played_by_touch(play: PutOn, order: tuple[int, ...], act: str) -> None:
    rules = replace(NATIONAL_2017, deals_per_game=9)
    scene = Scene(rules)
    scene.connect()
    scene.show(states.between(states.ended(order, 1, (3, 4), (3, 5)), rules))
    stand = play(scene, SIZES[1])
    assert stand.page.name == "deal"
    scene.open_deal(4)
    stand.redraw()
    play_deal(stand, random.Random(6))
    stand.redraw()
    assert stand.page.name == "deal"
    assert scene.sent.count(act) == 1
