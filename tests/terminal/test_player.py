"""The player: answers each decision once, and gives up what is refused again and again."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from broker.engine.game import DecisionKind
from broker.engine.guandan.events import EndCause, GameEnded
from broker.engine.guandan.views import Phase
from broker.players import POLICIES
from terminal.player import TRIES, Player
from tests.terminal.authority import Authority, public_view

HAND = "S3 H4 D4 SK HK SA"


class Bench:
    """A player at an authority; ``later`` holds what it wants to be called for."""

    def __init__(self, think: float = 0) -> None:
        self.authority = Authority()
        self.later: list[tuple[float, Callable[[], None]]] = []
        self.acted: list[str] = []
        self.player = Player(
            self.authority.session,
            POLICIES["careful"],
            random.Random(1),
            think,
            lambda seconds, call: self.later.append((seconds, call)),
            self.acted.append,
        )
        self.authority.connect()

    def kinds(self) -> list[str]:
        """What the player does when it looks now."""
        self.player.look()
        return [act.kind for act in self.authority.sent()]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_says_ready_once(bench: Bench) -> None:
    bench.player.look()
    (act,) = bench.authority.sent()
    assert act.kind == "ready" and bench.acted == [act.id]
    assert bench.kinds() == []
    bench.authority.ready = (0,)
    text = bench.authority.grow()
    bench.authority.answer(act)
    bench.authority.session.receive(bench.authority.update(text))
    assert bench.kinds() == []


def test_answers_a_decision_once(bench: Bench) -> None:
    bench.authority.turn(HAND)
    assert bench.kinds() == ["play"]
    assert bench.kinds() == []


def test_every_kind_of_decision(bench: Bench) -> None:
    bench.authority.turn("S3 H4", laid="SA")
    assert bench.kinds() == ["pass"]
    for kind, name in ((DecisionKind.TRIBUTE, "pay_tribute"), (DecisionKind.GIVE_BACK, "give_back")):
        bench = Bench()
        bench.authority.turn("ST CT S9", kind=kind, allowed="ST CT")
        assert bench.kinds() == [name]


def test_thinks_first(bench: Bench) -> None:
    bench = Bench(think=1.5)
    bench.authority.turn(HAND)
    assert bench.kinds() == []
    ((seconds, act),) = bench.later
    act()
    assert seconds == 1.5 and [act.kind for act in bench.authority.sent()] == ["play"]


def test_a_decision_that_has_gone_while_it_thought_is_left(bench: Bench) -> None:
    bench = Bench(think=1.5)
    bench.authority.turn(HAND)
    bench.player.look()
    bench.authority.others_turn(HAND)
    bench.later[0][1]()
    assert bench.authority.sent() == []


def test_a_pause_while_it_thought_only_delays(bench: Bench) -> None:
    bench = Bench(think=1.5)
    bench.authority.turn(HAND)
    bench.player.look()
    bench.authority.paused = "call"
    bench.authority.tell()
    bench.later[0][1]()
    assert bench.kinds() == []
    bench.authority.paused = ""
    bench.authority.tell()
    bench.player.look()
    bench.later[1][1]()
    assert [act.kind for act in bench.authority.sent()] == ["play"]


def test_what_is_refused_again_and_again_is_left_to_the_clock(bench: Bench) -> None:
    bench.authority.turn(HAND)
    for _ in range(TRIES):
        bench.player.look()
        (act,) = bench.authority.sent()
        bench.authority.answer(act, "not_your_turn")
    assert bench.kinds() == []
    bench.authority.turn("S3 SK")
    assert bench.kinds() == ["play"]


def test_is_done_when_the_game_is(bench: Bench) -> None:
    bench.authority.turn(HAND)
    assert not bench.player.is_done
    ended = GameEnded(EndCause.DEALS, levels=(4, 0), winner=0, score=(20, 6))
    bench.authority.public = public_view(phase=Phase.GAME_OVER, game=ended)
    bench.authority.tell()
    assert bench.player.is_done
