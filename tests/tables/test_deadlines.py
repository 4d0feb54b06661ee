"""Deadlines at a table: what was stamped before one wins, what comes after is late (design 5)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017
from tests.tables.house import FAST, House, Seat, kinds, last_of

FIRST_LEAD = 40_000
GRACE = FAST.network_grace


def leader(house: House) -> Seat:
    (seat,) = house.owing()
    return seat


def test_an_act_stamped_just_before_the_deadline_wins_though_it_is_handled_later(playing: House) -> None:
    seat = leader(playing)
    act = seat.choose()
    playing.moment.pass_by(FIRST_LEAD + GRACE + 5_000)
    playing.post(seat, act, late=5_001)
    playing.settle()
    assert seat.last_code == "ok"
    played = last_of(playing, "played")
    assert (played.cause.by, played.cause.used) == ("seat", FIRST_LEAD)


def test_an_act_stamped_at_the_deadline_is_late(playing: House) -> None:
    seat = leader(playing)
    act = seat.choose()
    playing.moment.pass_by(FIRST_LEAD + GRACE + 5_000)
    playing.post(seat, act, late=5_000)
    playing.settle()
    assert seat.last_code == "timed_out"
    played = last_of(playing, "played")
    assert (played.cause.by, played.body["automatic"]) == ("clock", True)
    assert played.cause.used == FIRST_LEAD


def test_another_seat_cannot_make_the_clock_overtake_an_earlier_act(playing: House) -> None:
    seat = leader(playing)
    other = next(other for other in playing.seats if other is not seat)
    playing.moment.pass_by(FIRST_LEAD + GRACE + 100)
    playing.post(other, other.sign(other.action("pass", {}, answers=seat.owed)), late=0)
    playing.post(seat, seat.choose(), late=101)
    playing.settle()
    assert seat.last_code == "ok"


def test_time_runs_out_without_any_act(playing: House) -> None:
    seat = leader(playing)
    playing.moment.pass_by(FIRST_LEAD + GRACE)
    playing.settle()
    assert leader(playing) is seat, "the way from the stamp to the inbox is waited for"
    playing.moment.pass_by(10)
    playing.settle()
    assert leader(playing) is not seat
    assert playing.ask(seat, seat.sign(seat.action("pass", {}, answers=seat.answered))).code == "timed_out"


@given(st.integers(0, 60_000))
@settings(max_examples=25, deadline=None)
def test_the_stamp_alone_decides(tmp_path_factory: pytest.TempPathFactory, after: int) -> None:
    house = House(tmp_path_factory.mktemp("house"), seed=after)
    house.begin()
    seat = leader(house)
    act = seat.choose()
    house.moment.pass_by(60_001)
    house.post(seat, act, late=60_001 - after)
    house.settle()
    assert seat.last_code == ("ok" if after < FIRST_LEAD + GRACE else "timed_out")
    house.stop()


def test_the_deadline_counts_from_the_moment_of_storing(playing: House) -> None:
    playing.log.on_commit = lambda: playing.moment.pass_by(2_000)
    seat = leader(playing)
    playing.ask(seat, seat.choose())
    playing.log.on_commit = None
    opened = playing.moment.monotonic
    late = leader(playing)
    playing.moment.pass_by(25_000 + GRACE + 1_000)
    playing.post(late, late.choose(), late=1_001)
    playing.settle()
    assert opened and late.last_code == "ok"


def test_a_pause_gives_the_remaining_time_back(playing: House) -> None:
    seat = leader(playing)
    playing.moment.pass_by(30_000)
    playing.hub.pause("t1", "call").add_done_callback(lambda done: done.result())
    playing.settle()
    assert seat.update is not None
    assert (seat.update.paused, seat.update.clocks[0].running) == ("call", False)
    assert playing.ask(seat, seat.choose()).code == "paused"
    playing.moment.pass_by(600_000)
    playing.settle()
    playing.hub.resume("t1")
    playing.settle()
    assert last_of(playing, "resumed").body == {"stopped": 600_000}
    assert seat.update.clocks[0].remaining == 10_000
    playing.moment.pass_by(10_000)
    assert playing.ask(seat, seat.choose()).code == "ok"
    assert last_of(playing, "played").cause.used == FIRST_LEAD


def test_a_lost_seat_stops_its_own_clock_once_a_deal(playing: House) -> None:
    seat = leader(playing)
    playing.moment.pass_by(30_000)
    playing.say(seat, "lost")
    playing.settle()
    assert kinds(playing)[-1] == "seat_lost"
    playing.moment.pass_by(20_000)
    playing.say(seat, "ready")
    playing.settle()
    assert last_of(playing, "seat_found").body == {"seat": seat.place, "stopped": 20_000}
    assert seat.update is not None
    assert seat.update.clocks[0].remaining == 10_000
    playing.say(seat, "lost")
    playing.moment.pass_by(10_000 + GRACE + 10)
    playing.settle()
    assert kinds(playing).count("seat_lost") == 1
    assert last_of(playing, "played").cause.by == "clock"


def test_the_grace_of_a_lost_seat_ends(playing: House) -> None:
    seat = leader(playing)
    playing.say(seat, "lost")
    playing.settle()
    playing.moment.pass_by(FAST.lost_grace + FIRST_LEAD + GRACE + 9)
    playing.settle()
    assert last_of(playing, "seat_found").body == {"seat": seat.place, "stopped": FAST.lost_grace}
    assert leader(playing) is seat
    playing.moment.pass_by(1)
    playing.settle()
    assert leader(playing) is not seat


def test_a_lost_seat_that_owes_nothing_stops_nothing(playing: House) -> None:
    other = next(other for other in playing.seats if not other.owed)
    playing.say(other, "offline")
    playing.settle()
    assert "seat_lost" not in kinds(playing)


def test_the_late_will_of_an_old_session_is_ignored(playing: House) -> None:
    seat = leader(playing)
    playing.say(seat, "lost", session="0123456789abcdef")
    playing.settle()
    assert "seat_lost" not in kinds(playing)


def test_the_ladder_warns_then_takes_the_turn(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(HUAIAN, deals_per_game=1))
    house.begin()
    seat = leader(house)
    house.moment.pass_by(20_010)
    house.settle()
    warned = last_of(house, "warned")
    assert (warned.cause.by, warned.cause.used) == ("clock", 20_000)
    assert seat.owed, "a warning leaves the decision open"
    house.moment.pass_by(10_000 + GRACE)
    house.settle()
    assert kinds(house)[-4:] == ["infringed", "turn_stopped", "lead_moved", "decision_opened"]
    assert not seat.owed
    assert house.ask(seat, seat.sign(seat.action("pass", {}, answers=seat.answered))).code == "timed_out"
    house.stop()


def test_a_warning_leaves_the_rest_of_the_time(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(HUAIAN, deals_per_game=1))
    house.begin()
    seat = leader(house)
    house.moment.pass_by(20_010)
    house.settle()
    house.moment.pass_by(9_000)
    assert house.ask(seat, seat.choose()).code == "ok"
    assert last_of(house, "played").cause.used == 29_010
    house.stop()


def test_the_bell_rings_by_the_game_clock(tmp_path: Path) -> None:
    rules = replace(NATIONAL_2017, deals_per_game=None, game_minutes=1)
    house = House(tmp_path, rules=rules)
    house.begin()
    house.moment.pass_by(20_000)
    house.hub.pause("t1", "call")
    house.settle()
    house.moment.pass_by(500_000)
    house.hub.resume("t1")
    house.settle()
    assert "bell_rung" not in kinds(house)
    for _ in range(2):
        seat = leader(house)
        house.moment.pass_by(15_000)
        assert house.ask(seat, seat.choose()).code == "ok"
    house.moment.pass_by(10_010)
    house.settle()
    assert "bell_rung" in kinds(house)
    assert last_of(house, "bell_rung").cause.used == 60_010
    house.play()
    assert kinds(house).count("bell_rung") == 1
    ended = last_of(house, "game_ended")
    assert ended.body["cause"] == "time"
    house.stop()
