"""Hello and sessions: who may speak, what a hello brings, what a restored log means (design 4)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from broker.protocol import codec
from broker.protocol.messages import Answer, Seating, Seen, Told, Update
from tests.tables.house import EVENT, House, Seat, kinds, last_of


def told_to(house: House, seat: Seat, since: int) -> list[Told]:
    told = [message for message in house.outbox.told[since:] if message.topic == seat.in_topic]
    return [codec.decode_told(message.payload) for message in told]


def test_a_hello_is_answered_with_seating_and_snapshot(house: House) -> None:
    house.open()
    seat = house.seats[2]
    before = len(house.outbox.told)
    house.post(seat, seat.hello(house.boot))
    house.settle()
    answer, seating, update = told_to(house, seat, before)
    assert isinstance(answer, Answer) and isinstance(seating, Seating) and isinstance(update, Update)
    assert answer.code == "ok"
    assert (seating.seat, seating.table, seating.event, seating.epoch) == (2, "t1", EVENT, 1)
    assert seating.session == seat.session and seating.boot == house.boot
    assert seating.players == tuple(other.player for other in house.seats)
    assert codec.decode_rules("guandan", seating.rules) == house.rules
    assert update.snapshot and update.records == () and update.own
    assert (update.n, update.hash) == (house.table.chain.n, house.table.chain.head.hex())


def test_nobody_else_hears_of_a_hello(house: House) -> None:
    house.open()
    before = len(house.outbox.told)
    house.greet(house.seats[0])
    topics = {told.topic for told in house.outbox.told[before:]}
    assert not topics & {seat.in_topic for seat in house.seats[1:]}


def test_a_hello_recorded_in_an_earlier_run_begins_nothing(playing: House) -> None:
    seat = playing.seats[0]
    seat.new_session()
    assert playing.ask(seat, seat.hello("0123456789abcdef")).code == "wrong_session"
    assert playing.ask(seat, seat.hello(playing.boot)).code == "ok"


def test_a_new_session_ends_the_old_one_for_good(playing: House) -> None:
    seat = playing.seats[0]
    old, old_seq = seat.session, seat.seq
    seat.new_session()
    playing.greet(seat)
    seat.session, seat.seq = old, old_seq
    assert playing.ask(seat, seat.hello(playing.boot)).code == "wrong_session"
    assert playing.ask(seat, seat.sign(seat.action("pass", {}))).code == "wrong_session"


def test_acts_of_an_ended_session_still_have_their_answer(playing: House) -> None:
    seat = playing.owing()[0]
    act = seat.choose()
    answer = playing.ask(seat, act)
    seat.new_session()
    playing.greet(seat)
    playing.post(seat, act)
    playing.settle()
    assert playing.outbox.told[-1].payload == seat.answer_bytes[answer.id]


def test_a_hello_may_overtake_what_was_signed_before_it(playing: House) -> None:
    (seat,) = playing.owing()
    act = seat.choose()
    playing.greet(seat)
    assert playing.ask(seat, act).code == "ok"
    assert playing.ask(seat, act).code == "ok", "known by now"
    assert kinds(playing).count("played") == 1


def test_a_hello_that_waits_since_an_earlier_run_is_good_in_its_own_session(playing: House) -> None:
    seat = playing.seats[1]
    waiting = seat.hello(playing.boot)
    playing.stop()
    playing.start()
    assert playing.ask(seat, waiting).code == "ok"


def test_a_repeated_hello_brings_everything_again(playing: House) -> None:
    seat = playing.seats[1]
    hello = seat.hello(playing.boot)
    playing.ask(seat, hello)
    before = len(playing.outbox.told)
    playing.post(seat, hello)
    playing.settle()
    assert [type(told) for told in told_to(playing, seat, before)] == [Answer, Seating, Update]


def test_a_seat_that_greets_before_its_table_is_opened_is_heard_then(tmp_path: Path) -> None:
    house = House(tmp_path)
    for seat in house.seats:
        house.post(seat, seat.hello(house.boot))
    house.settle()
    house.open()
    assert [seat.last_code for seat in house.seats] == ["ok"] * 4
    assert all(seat.seating for seat in house.seats)
    house.stop()


def test_a_device_whose_game_is_over_can_be_seated_anew(playing: House) -> None:
    playing.play()
    playing.hub.open_table(playing.plan("t2")).add_done_callback(lambda done: done.result())
    playing.settle()
    assert all(seat.seating and seat.seating.table == "t2" for seat in playing.seats)
    assert all(seat.view and seat.view.public.deal == 0 for seat in playing.seats)
    for seat in playing.seats:
        assert playing.ask(seat, seat.ready()).code == "ok"
    (seat,) = playing.owing()
    assert playing.ask(seat, seat.choose()).code == "ok"


def test_a_device_in_a_game_cannot_be_seated_elsewhere(playing: House) -> None:
    done = playing.hub.open_table(playing.plan("t2"))
    playing.settle()
    assert "another table" in str(done.exception(0))
    again = playing.hub.open_table(playing.plan("t1", playing.make_seats("x-")))
    playing.settle()
    assert "before" in str(again.exception(0))


def test_two_tables_opened_at_once_cannot_share_a_device(house: House) -> None:
    others = house.make_seats("x-")
    done = [
        house.hub.open_table(house.plan("t1")),
        house.hub.open_table(house.plan("t2", [*others[:3], house.seats[0]])),
    ]
    house.settle()
    assert done[0].exception(0) is None
    assert "tab-0" in str(done[1].exception(0))


def test_what_waits_at_the_old_table_is_asked_at_the_new_one(playing: House) -> None:
    playing.play()
    seat = playing.seats[0]
    old = playing.table
    playing.hub.open_table(playing.plan("t2"))
    for _ in range(3):
        playing.post(seat, seat.sign(seat.action("pass", {})))
    playing.settle()
    assert [answer.code for answer in seat.answers[-3:]] == ["stale", "wrong_table", "wrong_table"]
    assert [answer.table for answer in seat.answers[-3:]] == ["t1", "t2", "t2"]
    assert old.course.is_closed


# --- a seat that knows more than the log ---------------------------------------------------------------


def forget(house: House, acts: int) -> None:
    """The house goes on from a backup that lacks the last acts."""
    cut = [record.n for record in house.seats[0].records if record.kind in ("played", "passed")][-acts]
    house.stop()
    with sqlite3.connect(house.path) as connection:
        connection.execute("DELETE FROM records WHERE n >= ?", (cut,))
        connection.execute("DELETE FROM secrets WHERE n >= ?", (cut,))
    connection.close()
    house.start()


def test_a_seat_ahead_of_a_restored_log_pauses_the_table(playing: House) -> None:
    playing.play(acts=6)
    forget(playing, 3)
    seat = playing.seats[0]
    ahead = seat.n
    playing.greet(seat)
    paused = playing.table.course
    assert paused.paused == "seat_ahead"
    assert seat.update is not None and seat.update.paused == "seat_ahead" and seat.n < ahead
    playing.greet(playing.seats[1])
    assert playing.table.course.paused == "seat_ahead"
    record = next(reversed(list(playing.log.records(playing.table.id.key))))
    assert b'"cause":"seat_ahead"' in record.public and seat.device.encode() in record.public


def test_to_go_on_from_a_restored_log_begins_a_new_epoch(playing: House) -> None:
    playing.play(acts=6)
    forget(playing, 3)
    late = playing.seats[3]
    for seat in playing.seats[:3]:
        playing.greet(seat)
    playing.hub.resume("t1")
    playing.settle()
    assert [seat.epoch for seat in playing.seats[:3]] == [2, 2, 2]
    assert all(seat.seating and seat.seating.epoch == 2 for seat in playing.seats[:3])
    playing.greet(late)
    assert playing.table.course.paused == "", "what it has seen beyond was given up"
    assert late.epoch == 2
    playing.play(acts=3)
    playing.stop()
    playing.start()
    assert playing.table.chain.epoch == 2
    playing.greet()
    playing.play()
    assert playing.table.course.is_closed


def test_a_forked_past_pauses_too(playing: House) -> None:
    seat = playing.seats[0]
    seen = Seen(epoch=1, n=seat.n - 1, hash="ab" * 32)
    assert playing.ask(seat, seat.hello(playing.boot, seen=seen)).code == "ok"
    assert playing.table.course.paused == "seat_ahead"
    assert last_of(playing, "paused", playing.seats[1]).cause.device == seat.device


def test_a_seat_that_is_behind_or_knows_nothing_pauses_nothing(playing: House) -> None:
    seat = playing.seats[0]
    playing.ask(seat, seat.hello(playing.boot, seen=Seen(epoch=0, n=0, hash=""), event="", table=""))
    early = next(playing.log.records(playing.table.id.key))
    playing.ask(seat, seat.hello(playing.boot, seen=Seen(epoch=1, n=early.n, hash=early.hash.hex())))
    assert playing.table.course.paused == ""
