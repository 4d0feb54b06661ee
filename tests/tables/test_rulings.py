"""Orders of a referee at a table, and stoppages by command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.orders import Infringe, LoseDeal, NameLeader, RingBell, StopTurn, Warn
from broker.engine.refusal import Reason, Refused
from tests.tables.house import House, kinds, last_of


def test_a_ruling_is_logged_as_the_referees(playing: House) -> None:
    (seat,) = playing.owing()
    for order in (Warn(seat.place), StopTurn(seat.place)):
        done = playing.hub.order("t1", order)
        playing.settle()
        done.result(0)
    assert kinds(playing)[-4:] == ["warned", "turn_stopped", "lead_moved", "decision_opened"]
    assert last_of(playing, "turn_stopped").cause.by == "referee"
    assert last_of(playing, "decision_opened").cause.by == "authority"
    assert playing.ask(seat, seat.sign(seat.action("pass", {}, answers=seat.answered))).code == "stale"


def test_an_order_against_the_rules_is_refused_and_changes_nothing(playing: House) -> None:
    course = playing.table.course
    done = playing.hub.order("t1", NameLeader(0))
    playing.settle()
    refused = done.exception(0)
    assert isinstance(refused, Refused) and refused.reason is Reason.NOT_NOW
    assert playing.table.course is course


def test_a_lost_deal_waits_for_its_leader(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(NATIONAL_2017, deals_per_game=2))
    house.begin()
    house.hub.order("t1", LoseDeal(0))
    house.settle()
    assert kinds(house)[-2:] == ["deal_lost", "deal_ended"]
    house.moment.pass_by(60_000)
    house.settle()
    assert house.owing() == []
    house.hub.order("t1", NameLeader(3))
    house.settle()
    (seat,) = house.owing()
    assert seat.place == 3
    house.play()
    assert house.table.course.is_closed
    house.stop()


def test_an_infraction_of_a_seat_that_owes_nothing_leaves_the_clock_alone(playing: House) -> None:
    (seat,) = playing.owing()
    other = next(other for other in playing.seats if other is not seat)
    before = playing.table.course.clocks
    playing.hub.order("t1", Infringe(other.place))
    playing.settle()
    assert playing.table.course.clocks == before
    assert playing.ask(seat, seat.choose()).code == "ok"


def test_a_bell_rung_by_a_referee_is_not_rung_again(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(NATIONAL_2017, deals_per_game=None, game_minutes=1))
    house.begin()
    house.hub.order("t1", RingBell())
    house.settle()
    house.play(think=5_000)
    assert kinds(house).count("bell_rung") == 1
    house.stop()


def test_pausing_twice_and_going_on_twice_change_nothing(playing: House) -> None:
    for _ in range(2):
        playing.hub.pause("t1", "call")
        playing.settle()
    for _ in range(2):
        playing.hub.resume("t1")
        playing.settle()
    assert (kinds(playing).count("paused"), kinds(playing).count("resumed")) == (1, 1)


def test_nothing_is_added_to_a_closed_table(playing: House) -> None:
    playing.play()
    n = playing.table.chain.n
    playing.hub.pause("t1", "call")
    playing.greet()
    refused = playing.hub.order("t1", Warn(0))
    playing.settle()
    assert isinstance(refused.exception(0), Refused)
    playing.stop()
    playing.start()
    assert playing.table.chain.n == n


def test_an_unknown_table_is_told(playing: House) -> None:
    done = [playing.hub.pause("t7", "call"), playing.hub.close_table("t7"), playing.hub.order("t7", Warn(0))]
    playing.settle()
    assert all(isinstance(each.exception(0), LookupError) for each in done)


def test_a_game_in_play_cannot_be_closed(playing: House) -> None:
    done = playing.hub.close_table("t1")
    playing.settle()
    assert "not over" in str(done.exception(0))


def test_a_game_without_boards_left_stands_still(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(NATIONAL_2017, deals_per_game=3), boards=1)
    house.begin()
    while not house.table.course.paused:
        house.play(acts=1)
    assert house.table.course.paused == "no_board"
    house.stop()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"event": "Bad Event"}, "event is no id"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"rules": None}, "no rules of guandan"),
        ({"boards": ()}, "must be boards"),
        ({"seats": ()}, "4 seats"),
    ],
)
def test_a_faulty_plan_is_refused_at_once(house: House, changes: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        house.hub.open_table(replace(house.plan(), **changes))  # type: ignore[arg-type]


def test_a_decision_that_opens_in_a_pause_has_its_whole_time_afterwards(playing: House) -> None:
    (seat,) = playing.owing()
    playing.hub.pause("t1", "call")
    playing.settle()
    playing.hub.order("t1", StopTurn(seat.place))
    playing.settle()
    playing.moment.pass_by(300_000)
    playing.settle()
    (follower,) = playing.owing()
    assert follower is not seat
    playing.hub.resume("t1")
    playing.settle()
    assert follower.update is not None
    (clock,) = follower.update.clocks
    assert (clock.seat, clock.remaining, clock.running) == (follower.place, clock.limit, True)
