"""Nothing of a hand goes to anybody but its seat, and nothing secret to the disk or to a shared topic."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from broker.engine.cards import format_cards
from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.guandan.state import GivingBack, Tribute
from tests.tables.house import House


def three_in_hand(cards: tuple[int, ...]) -> list[bytes]:
    """Pieces of a hand's text that no play shows by chance."""
    text = format_cards(cards)
    return [text[place : place + 29].encode() for place in range(0, max(1, len(text) - 29), 6)]


def test_hands_are_told_to_their_seats_only(tmp_path: Path) -> None:
    house = House(tmp_path, rules=replace(NATIONAL_2017, deals_per_game=2))
    house.begin()
    hands: dict[str, set[bytes]] = {seat.device: set() for seat in house.seats}
    while not house.table.course.is_closed:
        for seat in house.seats:
            if seat.view and seat.view.own and len(seat.view.own.hand) > 12:
                hands[seat.device] |= set(three_in_hand(seat.view.own.hand))
        house.play(acts=1)
    for seat in house.seats:
        pieces = hands[seat.device]
        assert len(pieces) > 20
        own = b"".join(seat.own_seen)
        assert any(piece in own for piece in pieces), "the search finds what is told"
        others = b"".join(told.payload for told in house.outbox.told)
        assert not any(piece in others for piece in pieces)
        for other in house.seats:
            if other is not seat:
                assert not any(piece in b"".join(other.own_seen) for piece in pieces)
    house.stop()


def test_seeds_are_told_only_when_the_game_is_over(playing: House) -> None:
    seeds = [board.seed.hex().encode() for board in playing.plan().boards]
    playing.play(acts=30)
    told = b"".join(told.payload for told in playing.outbox.told)
    assert not any(seed in told for seed in seeds)
    playing.play()
    told = b"".join(told.payload for told in playing.outbox.told)
    assert all(seed in told for seed in seeds)


def test_the_disk_holds_no_hand_and_no_seed(playing: House) -> None:
    playing.play(acts=10)
    raw = b"".join(path.read_bytes() for path in playing.folder.iterdir() if path.is_file())
    assert playing.seats[0].device.encode() in raw
    for board in playing.plan().boards:
        assert board.seed not in raw and board.seed.hex().encode() not in raw
    for hand in playing.table.course.play.hands:
        assert format_cards(hand[:9]).encode() not in raw


def test_the_disk_tells_nothing_of_what_seats_asked_for(playing: House) -> None:
    (seat,) = playing.owing()
    hand = playing.table.course.play.hands[seat.place]
    asked = {"cards": format_cards(hand[:9]), "type": "straight", "rank": "A"}
    assert playing.ask(seat, seat.sign(seat.action("play", asked))).code != "ok"
    raw = b"".join(path.read_bytes() for path in playing.folder.iterdir() if path.is_file())
    assert seat.answers[-1].id.encode() in raw
    assert asked["cards"].encode() not in raw and b"straight" not in raw


def test_a_tribute_is_hidden_until_all_have_returned(tmp_path: Path) -> None:
    house = tribute_in_progress(tmp_path)
    state = house.table.course.play
    if isinstance(state, Tribute):
        seat = house.owing()[0]
        house.ask(seat, seat.choose())
    records = [record for record in house.seats[0].records if record.kind in ("tribute_paid", "given_back")]
    assert records
    assert all("card" not in record.body and record.commit for record in records)
    house.stop()


def tribute_in_progress(folder: Path) -> House:
    """A house in which a tribute is owed: the first of some seeds whose second deal has one."""
    for seed in itertools.count():
        (folder / str(seed)).mkdir()
        house = House(folder / str(seed), seed=seed, rules=replace(NATIONAL_2017, deals_per_game=2))
        house.begin()
        while house.table.course.dealt < 2:
            house.play(acts=1)
        if isinstance(house.table.course.play, Tribute | GivingBack):
            return house
        house.stop()
    raise AssertionError


def test_what_is_retained_is_public(playing: House) -> None:
    playing.play(acts=5)
    retained = {told.topic for told in playing.outbox.told if told.retain}
    assert retained == {"pz/1/hall/engine/status", "pz/1/hall/tbl/t1/state"}
    shared = {told.topic for told in playing.outbox.told if "/dev/" not in told.topic}
    assert shared == retained | {"pz/1/hall/tbl/t1/ev"}


def test_a_fault_is_logged_without_cards(
    playing: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (seat,) = playing.owing()
    hand = playing.table.course.play.hands[seat.place]

    def broken(state: object, action: object) -> None:
        raise RuntimeError("a fault of the engine")

    monkeypatch.setattr("broker.engine.guandan.phases.decide", broken)
    playing.post(seat, seat.choose())
    playing.settle()
    assert playing.table.course.paused == "fault"
    assert "a fault of the engine" in caplog.text
    seeds = [board.seed.hex() for board in playing.plan().boards]
    assert not any(secret in caplog.text for secret in (format_cards(hand[:4]), str(hand[:4]), *seeds))
    assert not any(seed in repr(playing.table.course) for seed in seeds)
