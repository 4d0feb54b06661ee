"""The loop: batches, order of what is told, beats, and its own thread."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path

import msgspec

from broker.protocol import codec, topics
from broker.protocol.messages import Answer, TableEvents, TableState, Update
from broker.tables.plan import SYSTEM_TIME
from tests.tables.house import VENUE, House, kinds


def test_a_game_runs_from_opening_to_checkpoint(playing: House) -> None:
    assert kinds(playing)[-3:] == ["dealt", "lead_given", "decision_opened"]
    playing.play()
    assert kinds(playing)[-5:] == ["game_ended", *["board_opened"] * 4]
    (checkpoint,) = playing.outbox.to(topics.checkpoint(VENUE))
    (stored,) = playing.log.checkpoints(playing.table.id.key)
    assert (stored.envelope, stored.n) == (checkpoint, playing.table.chain.n)


def test_every_seat_hears_the_same_records(playing: House) -> None:
    playing.play()
    streams = [[record for record in seat.records if record.n > 12] for seat in playing.seats]
    assert streams[0] and all(stream == streams[0] for stream in streams)


def test_the_actor_is_answered_first_then_the_seats_then_the_referees(playing: House) -> None:
    (seat,) = playing.owing()
    before = len(playing.outbox.told)
    playing.ask(seat, seat.choose())
    told = playing.outbox.told[before:]
    assert told[0].topic == seat.in_topic
    assert isinstance(codec.decode_told(told[0].payload), Answer)
    assert {message.topic for message in told[1:5]} == {seat.in_topic for seat in playing.seats}
    assert all(isinstance(codec.decode_told(message.payload), Update) for message in told[1:5])
    assert [message.topic for message in told[5:]] == [
        topics.table_events(VENUE, "t1"),
        topics.table_state(VENUE, "t1"),
    ]
    events = msgspec.json.decode(told[5].payload, type=TableEvents)
    state = msgspec.json.decode(told[6].payload, type=TableState)
    assert events.n == state.n == playing.table.chain.n
    assert events.hash == state.hash == playing.table.chain.head.hex()
    assert state.online == (True,) * 4


def test_an_answer_names_the_record_that_it_led_to(playing: House) -> None:
    (seat,) = playing.owing()
    answer = playing.ask(seat, seat.choose())
    assert (answer.table, answer.n, answer.hash) == ("t1", seat.n, seat.hash)


def test_only_the_hand_that_changed_is_sealed_again(playing: House) -> None:
    (seat,) = playing.owing()
    before = [len(other.own_seen) for other in playing.seats]
    playing.ask(seat, seat.choose())
    after = [len(other.own_seen) for other in playing.seats]
    assert [two - one for one, two in zip(before, after, strict=True)] == [
        int(other is seat) for other in playing.seats
    ]


def test_tables_share_one_transaction_with_one_decision_each(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.begin()
    others = house.make_seats("x-")
    house.outbox.seats |= {seat.in_topic: seat for seat in others}
    house.hub.open_table(house.plan("t2", others))
    house.settle()
    house.greet(*others)
    for seat in others:
        house.ask(seat, seat.ready())
    one = house.owing()[0]
    two = next(seat for seat in others if seat.owed)
    follower = next(seat for seat in house.seats if seat is not one)
    house.post(one, one.choose())
    house.post(follower, follower.sign(follower.action("pass", {})))
    house.post(two, two.choose())
    batches = len(house.log.appended)
    house.hub.step()
    assert len(house.log.appended) == batches + 1
    acts = house.log.appended[-1].acts
    assert sorted(act.table for act in acts) == ["t1", "t2"]
    assert follower.answers[-1].id not in {act.id for act in acts}
    house.hub.step()
    assert [act.device for act in house.log.appended[-1].acts] == [follower.device]
    house.stop()


def test_nobody_is_told_before_the_batch_is_stored(playing: House) -> None:
    (seat,) = playing.owing()
    told_at_commit: list[int] = []
    playing.log.on_commit = lambda: told_at_commit.append(len(playing.outbox.told))
    before = len(playing.outbox.told)
    playing.ask(seat, seat.choose())
    playing.log.on_commit = None
    assert told_at_commit == [before]


def test_beats_are_retained_and_regular(house: House) -> None:
    before = len(house.outbox.statuses())
    for _ in range(10):
        house.moment.pass_by(1_000)
        house.hub.step()
    beats = house.outbox.statuses()[before:]
    assert len(beats) == 5
    assert [two.beat - one.beat for one, two in pairwise(beats)] == [1] * 4
    assert {beat.boot for beat in beats} == {house.boot}
    assert all(told.retain for told in house.outbox.told if told.topic == topics.engine_status(VENUE))


def test_retained_state_is_published_again_on_demand(playing: House) -> None:
    playing.outbox.told.clear()
    playing.hub.refresh()
    playing.settle()
    assert {told.topic for told in playing.outbox.told if told.retain} == {
        topics.engine_status(VENUE),
        topics.table_state(VENUE, "t1"),
    }


def test_every_start_has_a_boot_of_its_own(playing: House) -> None:
    boot = playing.boot
    playing.stop()
    playing.start()
    assert playing.boot != boot


def test_a_fault_stops_one_table_and_no_other(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.begin()
    others = house.make_seats("x-")
    house.outbox.seats |= {seat.in_topic: seat for seat in others}
    house.hub.open_table(house.plan("t2", others))
    house.settle()
    house.greet(*others)
    house.table.order = None  # type: ignore[assignment, method-assign]
    house.table.answer_act = None  # type: ignore[assignment, method-assign]
    (seat,) = house.owing()
    house.post(seat, seat.choose())
    house.settle()
    assert house.hub.status().paused == {"t1": "fault"}
    for seat in others:
        assert house.ask(seat, seat.ready()).code == "ok"
    assert kinds_of_table(house, "t2")[-1] == "decision_opened"
    house.stop()


def kinds_of_table(house: House, table: str) -> list[str]:
    lane = house.hub._roster.lane(table)
    assert lane is not None and lane.table is not None
    return [msgspec.json.decode(row.public)["kind"] for row in house.log.records(lane.table.id.key)]


def test_it_sleeps_until_something_comes(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.moment = type(house.moment)()
    house.hub._time = SYSTEM_TIME
    house.hub._anchor = SYSTEM_TIME.unix_ms() - SYSTEM_TIME.monotonic_ms()
    rounds = 0
    step = house.hub.step

    def counted(wait: bool = False) -> bool:
        nonlocal rounds
        rounds += 1
        return step(wait)

    house.hub.step = counted  # type: ignore[method-assign]
    house.hub._next_beat = house.hub._now() + 60_000
    thread = threading.Thread(target=house.hub.run)
    thread.start()
    done = house.hub.open_table(house.plan())
    done.result(5)
    house.hub.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert rounds < 10
    assert house.outbox.statuses()[-1].state == "stopping"
    house.stop()
