"""What one device can do by sending much: neither the log, nor the stream, nor anybody else suffers."""

from __future__ import annotations

import msgspec
import pytest

from broker.protocol import topics
from broker.protocol.envelope import MAX_BYTES
from broker.protocol.messages import DeviceStatus
from broker.tables.desk import IDLE_PER_SECOND
from broker.tables.inbox import LARGEST, WAITING
from broker.tables.plan import Arrival
from tests.tables.house import VENUE, House, Seat


def leader(house: House) -> Seat:
    (seat,) = house.owing()
    return seat


def follower(house: House) -> Seat:
    return next(seat for seat in house.seats if not seat.owed)


def status(house: House, seat: Seat, payload: bytes) -> Arrival:
    return Arrival(topics.device_status(VENUE, seat.device), payload, house.moment.monotonic)


def test_junk_of_one_device_keeps_no_other_out(playing: House) -> None:
    seat, other = leader(playing), follower(playing)
    for _ in range(LARGEST + 10):
        playing.post(other, b"junk")
        playing.hub.post(status(playing, other, b"junk"))
    playing.post(seat, seat.choose())
    playing.settle()
    assert seat.last_code == "ok"
    assert playing.hub.status().dropped["overflow"] == 2 * (LARGEST + 10 - WAITING)


def test_who_floods_is_named_once_a_beat(playing: House, caplog: pytest.LogCaptureFixture) -> None:
    seat, other = leader(playing), follower(playing)
    for _ in range(5):
        for _ in range(200):
            playing.post(other, b"junk")
        playing.settle()
    playing.post(seat, b"junk")
    assert caplog.text == ""
    playing.moment.pass_by(playing.settings.heartbeat)
    playing.settle()
    assert caplog.text.count("a flood on ") == 1
    assert f"{other.act_topic}: {5 * (200 - WAITING)} messages" in caplog.text


def test_an_act_in_time_wins_though_a_flood_and_a_jump_of_the_clock_lie_before_it(playing: House) -> None:
    seat = leader(playing)
    playing.moment.unix -= 3_600_000
    playing.moment.pass_by(playing.table.course.clocks[0].plan.limit + playing.settings.network_grace + 900)
    for other in playing.seats:
        for _ in range(100):
            playing.post(other, b"junk") if other is not seat else None
            playing.hub.post(status(playing, other, b"junk"))
    playing.post(seat, seat.choose(), late=901)
    playing.settle()
    assert seat.last_code == "ok"


def test_after_a_flood_its_sender_is_heard_again(playing: House) -> None:
    seat = leader(playing)
    for _ in range(500):
        playing.post(seat, b"junk")
    playing.settle()
    assert playing.ask(seat, seat.choose()).code == "ok"


def test_a_hello_sent_again_and_again_brings_so_many_snapshots_only(playing: House) -> None:
    seat = follower(playing)
    hello = seat.hello(playing.boot)
    before = len(playing.outbox.to(seat.in_topic))
    for _ in range(500):
        playing.post(seat, hello)
        playing.hub.step()
    assert len(playing.outbox.to(seat.in_topic)) - before <= 3 * IDLE_PER_SECOND
    playing.moment.pass_by(1_000)
    playing.post(seat, hello)
    playing.settle()
    assert seat.answers[-1].code == "ok" and seat.update is not None and seat.update.snapshot


@pytest.mark.parametrize("kind", ["new sessions", "refused"])
def test_acts_that_move_nothing_do_not_fill_the_disk(playing: House, kind: str) -> None:
    seat = follower(playing)
    stored = len(playing.log.acts(playing.table.id.key))
    for _ in range(500):
        if kind == "new sessions":
            seat.new_session()
            raw = seat.hello(playing.boot)
        else:
            raw = seat.sign(seat.action("pass", {}))
        playing.post(seat, raw)
        playing.hub.step()
    assert len(playing.log.acts(playing.table.id.key)) - stored <= IDLE_PER_SECOND
    assert len(seat.answers) <= IDLE_PER_SECOND + 1


def test_what_was_dropped_can_be_sent_again(playing: House) -> None:
    seat = leader(playing)
    hello = seat.hello(playing.boot)
    for _ in range(IDLE_PER_SECOND):
        playing.post(seat, hello)
        playing.settle()
    refused = seat.sign(seat.action("pass", {}))
    playing.post(seat, refused)
    playing.settle()
    assert seat.answers[-1].id not in refused.decode("latin-1")
    playing.moment.pass_by(1_000)
    assert playing.ask(seat, refused).code == "leader_must_play"
    assert playing.ask(seat, seat.choose()).code == "ok"


def test_coming_and_going_is_told_once_a_round(playing: House) -> None:
    seat = leader(playing)
    state = topics.table_state(VENUE, "t1")
    before = len(playing.outbox.to(state))
    for word in ["offline", "ready"] * 3 + ["offline"]:
        playing.say(seat, word)
    playing.settle()
    told = playing.outbox.to(state)[before:]
    assert len(told) == 2  # that it has gone, and that its clock stands still
    assert msgspec.json.decode(told[-1])["online"].count(False) == 1
    assert [record.kind for record in seat.records].count("seat_lost") == 1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b'{"v":1,"session":"aa","state":"won"}',
        b'{"v":1,"session":"\xff","state":"offline"}',
        b'{"v":1,"session":"A \\u001b[2J","state":"offline"}',
        b'{"v":1,"session":"' + b"a" * 100 + b'","state":"offline"}',
        b'{"v":1,"session":"aa","state":"offline","more":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    ],
)
def test_an_odd_status_is_let_go_without_a_word(
    playing: House, payload: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    seat = leader(playing)
    playing.hub.post(status(playing, seat, payload))
    playing.settle()
    assert playing.hub.status().dropped["malformed"] == 1
    assert caplog.text == ""
    assert playing.table.course.clocks[0].held is None


def test_a_status_of_a_newer_version_is_understood(playing: House) -> None:
    seat = leader(playing)
    told = DeviceStatus(v=1, session=seat.session, state="offline")
    payload = msgspec.json.encode({**msgspec.to_builtins(told), "battery": 40})
    assert len(payload) < MAX_BYTES
    playing.hub.post(status(playing, seat, payload))
    playing.settle()
    assert playing.table.course.clocks[0].held is not None


def test_a_table_that_was_given_up_stays_so_whatever_its_devices_say(playing: House) -> None:
    playing.play()
    closed = playing.hub.close_table("t1")
    for seat in playing.seats:
        playing.say(seat, "offline")
    playing.settle()
    closed.result(0)
    assert playing.outbox.to(topics.table_state(VENUE, "t1"))[-1] == b""
