"""Every way in which an act is refused: a code to that device alone, and nothing else changes."""

from __future__ import annotations

import random
from pathlib import Path

import cbor2
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.protocol import envelope, topics
from broker.protocol.messages import Seen
from broker.tables.plan import Arrival
from tests.tables.house import VENUE, House, Seat


def leader(house: House) -> Seat:
    (seat,) = house.owing()
    return seat


def follower(house: House) -> Seat:
    return next(seat for seat in house.seats if not seat.owed)


class Untouched:
    """Whatever happens inside leaves the table as it is, and is told to one device only."""

    def __init__(self, house: House, to: Seat) -> None:
        self.house = house
        self.to = to

    def __enter__(self) -> None:
        self.course = self.house.table.course
        self.n = self.house.table.chain.n
        self.told = len(self.house.outbox.told)

    def __exit__(self, *_: object) -> None:
        assert self.house.table.course is self.course
        assert self.house.table.chain.n == self.n
        statuses = topics.engine_status(VENUE)
        told = {told.topic for told in self.house.outbox.told[self.told :]} - {statuses}
        assert told <= {self.to.in_topic}


def refuse(house: House, seat: Seat, raw: bytes, code: str) -> None:
    with Untouched(house, seat):
        assert house.ask(seat, raw).code == code


def test_forged_by_another_key(playing: House) -> None:
    seat = leader(playing)
    forger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    payload = envelope.encode_action(seat.action("pass", {}))
    refuse(playing, seat, envelope.sign(payload, forger, seat.act_topic), "bad_signature")


def test_forged_with_the_right_key_id(playing: House) -> None:
    seat = leader(playing)
    parts = cbor2.loads(seat.choose()).value
    broken = [*parts[:3], bytes(64)]
    refuse(playing, seat, cbor2.dumps(cbor2.CBORTag(18, broken)), "bad_signature")


def test_signed_for_another_topic(playing: House) -> None:
    seat, other = leader(playing), follower(playing)
    act = seat.sign(seat.action("pass", {}), topic=other.act_topic)
    refuse(playing, seat, act, "bad_signature")


def test_sent_by_another_device(playing: House) -> None:
    seat, other = leader(playing), follower(playing)
    with Untouched(playing, other):
        playing.hub.post(Arrival(other.act_topic, seat.choose(), playing.moment.monotonic))
        playing.settle()
        assert other.last_code == "bad_signature"


def test_naming_another_device(playing: House) -> None:
    seat, other = leader(playing), follower(playing)
    action = msgspec.structs.replace(seat.action("pass", {}), device=other.device)
    refuse(playing, seat, seat.sign(action), "bad_signature")


@pytest.mark.parametrize("raw", [b"", b"\x00", b"hello", b"\xd2\x84\x40\xa0\x40\x40", bytes(9_000)])
def test_no_envelope_at_all(playing: House, raw: bytes) -> None:
    refuse(playing, leader(playing), raw, "malformed")


def test_random_bytes_never_do_harm(playing: House) -> None:
    seat, chance = leader(playing), random.Random(5)
    with Untouched(playing, seat):
        for _ in range(300):
            playing.post(seat, chance.randbytes(chance.randrange(200)))
            playing.moment.pass_by(10)
            playing.hub.step()
    good = seat.choose()
    with Untouched(playing, seat):
        for _ in range(200):
            raw = bytearray(good)
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
            playing.post(seat, bytes(raw))
            playing.moment.pass_by(10)
            playing.hub.step()
    assert playing.ask(seat, good).code == "ok"


def test_signed_but_not_an_act(playing: House) -> None:
    seat = leader(playing)
    raw = envelope.sign(cbor2.dumps({"id": "x"}), seat.signing, seat.act_topic)
    refuse(playing, seat, raw, "malformed")


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("play", {}),
        ("play", {"cards": "S7 Q9", "type": "pair", "rank": "7"}),
        ("play", {"cards": "S7", "type": "single", "rank": "7", "seat": 2}),
        ("play", {"cards": 7, "type": "single", "rank": "7"}),
        ("open_deal", {"board": "b1"}),
        ("lose_deal", {"side": 1}),
        ("ready", {"nonce": "short"}),
        ("ready", {"nonce": "G" * 32}),
        ("hello", {"boot": 3}),
    ],
)
def test_arguments_that_cannot_be_read(playing: House, kind: str, args: dict[str, object]) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.sign(seat.action(kind, args)), "malformed")
    assert playing.ask(seat, seat.choose()).code == "ok", "its number was used, and play goes on"


def test_replayed_gets_the_same_answer_and_counts_once(playing: House) -> None:
    seat = leader(playing)
    act = seat.choose()
    first = playing.ask(seat, act)
    answer = seat.answer_bytes[first.id]
    for _ in range(3):
        with Untouched(playing, seat):
            playing.post(seat, act)
            playing.settle()
            assert playing.outbox.told[-1].payload == answer


def test_refused_replayed_gets_the_same_refusal(playing: House) -> None:
    seat = follower(playing)
    act = seat.sign(seat.action("pass", {}))
    first = playing.ask(seat, act)
    leading = leader(playing)
    assert playing.ask(leading, leading.choose()).code == "ok"
    playing.post(seat, act)
    playing.settle()
    assert seat.answers[-1] == first


def test_an_id_used_again_gets_the_old_answer(playing: House) -> None:
    seat = leader(playing)
    assert playing.ask(seat, seat.choose()).code == "ok"
    old = seat.answers[-1]
    with Untouched(playing, seat):
        again = msgspec.structs.replace(seat.action("pass", {}), id=old.id)
        assert playing.ask(seat, seat.sign(again)) == old


def test_the_id_of_another_device_is_its_own(playing: House) -> None:
    seat = leader(playing)
    assert playing.ask(seat, seat.choose()).code == "ok"
    other = leader(playing)
    stolen = other.choose(id=seat.answers[-1].id)
    assert playing.ask(other, stolen).code == "ok"


def test_out_of_sequence(playing: House) -> None:
    seat = leader(playing)
    seat.seq += 1
    refuse(playing, seat, seat.choose(), "out_of_sequence")
    seat.seq -= 2
    assert playing.ask(seat, seat.choose()).code == "ok", "a gap uses nothing up"


def test_a_number_that_was_used(playing: House) -> None:
    seat = leader(playing)
    assert playing.ask(seat, seat.choose()).code == "ok"
    seat.seq -= 1
    refuse(playing, seat, seat.sign(seat.action("pass", {})), "out_of_sequence")


def test_another_session(playing: House) -> None:
    seat = leader(playing)
    seat.new_session()
    refuse(playing, seat, seat.choose(), "wrong_session")


@pytest.mark.parametrize("place", [{"table": "t2"}, {"event": "other"}, {"table": "", "event": ""}])
def test_another_table_or_event(playing: House, place: dict[str, str]) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.choose(**place), "wrong_table")


@pytest.mark.parametrize("epoch", [0, 2])
def test_a_past_of_another_epoch(playing: House, epoch: int) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.choose(seen=Seen(epoch=epoch, n=seat.n, hash=seat.hash)), "unknown_past")


def test_a_past_with_another_hash(playing: House) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.choose(seen=Seen(epoch=1, n=seat.n, hash="0" * 64)), "unknown_past")


def test_a_past_that_has_not_come(playing: House) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.choose(seen=Seen(epoch=1, n=seat.n + 1, hash=seat.hash)), "unknown_past")


def test_a_past_before_the_decision_was_opened(playing: House) -> None:
    seat = leader(playing)
    hashes = playing.log.records(playing.table.id.key)
    early = next(row for row in hashes if row.n == seat.owed - 1)
    refuse(playing, seat, seat.choose(seen=Seen(epoch=1, n=early.n, hash=early.hash.hex())), "unknown_past")


def test_other_records_in_between_do_not_make_it_stale(playing: House) -> None:
    seat = leader(playing)
    act = seat.choose()
    playing.hub.pause("t1", "call")
    playing.settle()
    playing.hub.resume("t1")
    playing.settle()
    assert playing.ask(seat, act).code == "ok"


def test_out_of_turn(playing: House) -> None:
    seat = follower(playing)
    refuse(playing, seat, seat.sign(seat.action("pass", {}, answers=leader(playing).owed)), "stale")
    refuse(playing, seat, seat.sign(seat.action("pass", {}, answers=0)), "stale")


def test_a_decision_that_was_answered(playing: House) -> None:
    seat = leader(playing)
    answered = seat.owed
    assert playing.ask(seat, seat.choose()).code == "ok"
    refuse(playing, seat, seat.sign(seat.action("pass", {}, answers=answered)), "stale")


def test_another_deal(playing: House) -> None:
    seat = leader(playing)
    refuse(playing, seat, seat.choose(deal=2), "stale")


def test_against_the_rules(playing: House) -> None:
    seat = leader(playing)
    with Untouched(playing, seat):
        answer = playing.ask(seat, seat.sign(seat.action("pass", {})))
        assert (answer.code, answer.article) == ("leader_must_play", "6")
    assert seat.view is not None and seat.view.own is not None
    held = set(seat.view.own.hand)
    missing = next(card for card in range(13) if card not in held)
    args = {"cards": f"S{'23456789TJQKA'[missing]}", "type": "single", "rank": "23456789TJQKA"[missing]}
    refuse(playing, seat, seat.sign(seat.action("play", args)), "cards_not_held")


def test_while_paused(playing: House) -> None:
    seat = leader(playing)
    playing.hub.pause("t1", "call")
    playing.settle()
    refuse(playing, seat, seat.choose(), "paused")


def test_ready_twice(house: House) -> None:
    house.open()
    house.greet()
    seat = house.seats[0]
    assert house.ask(seat, seat.ready()).code == "ok"
    refuse(house, seat, seat.ready(), "stale")


def test_without_a_seat(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.begin()
    house.play()
    done = house.hub.close_table("t1")
    house.settle()
    done.result(0)
    seat = house.seats[0]
    assert house.ask(seat, seat.ready()).code == "not_seated"
    assert house.ask(seat, seat.hello(house.boot)).code == "not_seated"
    house.stop()


def test_a_stranger_is_not_answered(playing: House) -> None:
    (stranger, *_) = playing.make_seats("x-")
    playing.outbox.seats[stranger.in_topic] = stranger
    with Untouched(playing, stranger):
        playing.post(stranger, stranger.hello(playing.boot))
        playing.settle()
    assert stranger.answers == []
    assert playing.hub.status().dropped["unknown_device"] == 1


def test_foreign_topics_and_statuses_are_let_go(playing: House) -> None:
    seat = leader(playing)
    with Untouched(playing, seat):
        for topic in ("pz/1/club/dev/tab-0/act", "pz/1/hall/dev/tab-0/in", "pz/1/hall/dev/TAB/act", "", "x"):
            playing.hub.post(Arrival(topic, seat.choose(), playing.moment.monotonic))
        playing.hub.post(
            Arrival(topics.device_status(VENUE, seat.device), b"\xff{", playing.moment.monotonic)
        )
        playing.settle()
    assert playing.hub.status().dropped["foreign"] == 5


def test_unreadable_acts_are_answered_so_often_only(playing: House) -> None:
    seat = leader(playing)
    before = len(seat.answers)
    for _ in range(100):
        playing.post(seat, b"junk")
        playing.hub.step()
    assert len(seat.answers) == before + 5
    playing.moment.pass_by(1_000)
    playing.post(seat, b"junk")
    playing.settle()
    assert len(seat.answers) == before + 6


def test_what_a_device_signed_itself_is_answered_more_often(playing: House) -> None:
    seat = leader(playing)
    seat.seq += 1
    for _ in range(15):
        assert playing.ask(seat, seat.sign(seat.action("pass", {}))).code == "out_of_sequence"
