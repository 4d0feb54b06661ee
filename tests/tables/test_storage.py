"""Storage that fails: nothing happens that is not stored, and play goes on by command (design 11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from broker.tables.log import LogError, LogLost
from tests.tables.house import House, kinds


def failing() -> LogError:
    return LogError("写入失败", "writing failed")


def test_what_could_not_be_stored_has_not_happened(playing: House) -> None:
    (seat,) = playing.owing()
    course, n, answers = playing.table.course, playing.table.chain.n, len(seat.answers)
    told = len(playing.outbox.told)
    playing.log.failures.append(failing())
    playing.post(seat, seat.choose())
    playing.settle()
    assert playing.table.course is course and playing.table.chain.n == n
    assert len(seat.answers) == answers
    assert [told.topic.rsplit("/", 2)[-2:] for told in playing.outbox.told[told:]] == [["engine", "status"]]
    assert playing.outbox.statuses()[-1].state == "storage"
    assert playing.hub.status().state == "storage"


def test_nothing_moves_until_the_order_to_go_on(playing: House) -> None:
    (seat,) = playing.owing()
    playing.moment.pass_by(10_000)
    playing.log.failures.append(failing())
    act = seat.choose()
    playing.post(seat, act)
    playing.settle()
    playing.moment.pass_by(120_000)
    playing.post(seat, act)
    playing.settle()
    assert kinds(playing)[-1] == "decision_opened", "no time-out in the stoppage"
    assert playing.outbox.statuses()[-1].state == "storage"
    done = playing.hub.resume_storage()
    playing.settle()
    done.result(0)
    assert playing.outbox.statuses()[-1].state == "ready"
    assert kinds(playing)[-4:] == ["paused", "resumed", "played", "decision_opened"]
    paused, resumed, played, _ = playing.seats[0].records[-4:]
    assert (paused.body, resumed.body) == ({"cause": "storage"}, {"stopped": 120_000})
    assert resumed.at - paused.at == 120_000
    assert played.cause.used == 10_000
    assert [answer.code for answer in seat.answers[-2:]] == ["ok", "ok"]
    assert kinds(playing).count("played") == 1


def test_going_on_is_refused_while_it_still_fails(playing: House) -> None:
    (seat,) = playing.owing()
    playing.log.failures += [failing(), failing()]
    playing.post(seat, seat.choose())
    playing.settle()
    done = playing.hub.resume_storage()
    playing.settle()
    assert isinstance(done.exception(0), LogError)
    assert playing.hub.status().state == "storage"
    playing.hub.resume_storage()
    playing.settle()
    assert seat.last_code == "ok"
    playing.play()
    assert playing.table.course.is_closed


def test_a_table_that_stands_still_anyway_stays_so(playing: House) -> None:
    playing.hub.pause("t1", "call")
    playing.settle()
    (seat,) = playing.owing()
    playing.log.failures.append(failing())
    playing.post(seat, seat.choose())
    playing.settle()
    playing.hub.resume_storage()
    playing.settle()
    assert playing.table.course.paused == "call"
    assert seat.last_code == "paused"


def test_a_real_full_disk(playing: House) -> None:
    log = playing.log
    pages = int(log._connection.exec_driver_sql("PRAGMA page_count").scalar() or 0)
    log._connection.rollback()
    log._connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 4}")
    log._connection.rollback()
    while playing.hub.status().state == "ready":
        (seat,) = playing.owing()
        act = seat.choose()
        playing.post(seat, act)
        playing.settle()
    before = playing.table.course
    log._connection.exec_driver_sql("PRAGMA max_page_count=1000000")
    log._connection.rollback()
    playing.hub.resume_storage()
    playing.settle()
    assert playing.table.course is not before
    assert seat.last_code == "ok"
    playing.play()
    assert playing.table.course.is_closed


def test_after_a_failed_sync_the_process_ends_and_recovers(playing: House) -> None:
    (seat,) = playing.owing()
    act = seat.choose()
    playing.log.failures.append(LogLost("fsync"))
    playing.post(seat, act)
    with pytest.raises(LogLost):
        playing.settle()
    playing.stop()
    playing.start()
    assert playing.ask(seat, act).code == "ok"


def test_a_failed_sync_while_going_on_ends_the_process_too(playing: House) -> None:
    (seat,) = playing.owing()
    playing.log.failures += [failing(), LogLost("fsync")]
    playing.post(seat, seat.choose())
    playing.settle()
    playing.hub.resume_storage()
    with pytest.raises(LogLost):
        playing.settle()


def test_with_little_room_no_new_deal_is_opened(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.open()
    house.greet()
    for seat in house.seats[:3]:
        house.ask(seat, seat.ready())
    house.log._min_free = 2**62
    house.moment.pass_by(2_000)
    house.settle()
    house.ask(house.seats[3], house.seats[3].ready())
    house.moment.pass_by(60_000)
    house.settle()
    assert kinds(house)[-1] == "beacon_drawn"
    assert not house.hub.status().has_room
    house.log._min_free = 0
    house.moment.pass_by(2_000)
    house.settle()
    assert kinds(house)[-1] == "decision_opened"
    house.stop()


def test_a_deal_in_play_goes_on_with_little_room(playing: House) -> None:
    playing.log._min_free = 2**62
    playing.moment.pass_by(2_000)
    playing.settle()
    playing.play()
    assert playing.table.course.is_closed
