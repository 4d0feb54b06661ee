"""Four sessions at a real table: the hub of the authority, its log on a disk, players at the seats."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.guandan.views import Phase
from broker.players import POLICIES
from broker.protocol import codec, topics
from broker.protocol.messages import EngineStatus, Record
from broker.tables.hub import Hub
from broker.tables.log import Log
from broker.tables.plan import Arrival, BoardPlan, SeatPlan, Settings, TablePlan, Time, VenueKeys
from provisioning.identity import public_hex
from terminal.player import Player
from terminal.session import Answered, Session
from tests.terminal.authority import EVENT, TABLE, VENUE, identity_of

START = 1_790_000_000_000


class Chair:
    """A session with its player, at the end of a connection."""

    def __init__(self, hall: Hall, number: int) -> None:
        self.identity = identity_of(hall.key, f"seat-{number}")
        self.heard: list[Answered] = []
        self.coming: list[bytes] = []
        self.session = Session(self.identity, "test", lambda: hall.now, heard=self.heard.append)
        self.player = Player(
            self.session,
            POLICIES["careful"],
            random.Random(number),
            think=0,
            later=lambda _seconds, call: call(),
            acted=lambda _act: None,
        )
        self.act = topics.device_act(VENUE, self.identity.device)

    def plan(self) -> SeatPlan:
        signing, sealing = self.identity.signing_key.public_key(), self.identity.sealing_key.public_key()
        return SeatPlan(self.identity.device, self.identity.device, public_hex(signing), public_hex(sealing))


class Hall:
    """One table. ``trouble`` is the chance of each message to be lost with its connection."""

    def __init__(self, folder: Path, deals: int, trouble: float = 0.0) -> None:
        self.now = 1_000
        self.key = Ed25519PrivateKey.generate()
        self.chance = random.Random(5)
        self.trouble = trouble
        self.url = f"sqlite:///{folder / 'log.db'}"
        self.boot = ""
        self.chairs = [Chair(self, number) for number in range(4)]
        self.by_topic = {topics.device_in(VENUE, chair.identity.device): chair for chair in self.chairs}
        self.keys = VenueKeys(self.key, bytes(32))
        self.start()
        boards = tuple(BoardPlan(f"b{number}", bytes([number]) * 32) for number in range(deals))
        seats = tuple(chair.plan() for chair in self.chairs)
        rules = replace(NATIONAL_2017, deals_per_game=deals)
        self.hub.open_table(TablePlan(EVENT, "final", 1, TABLE, "guandan", rules, seats, boards))

    def start(self) -> None:
        """The authority starts on its log; all connections are new."""
        self.log = Log.open(self.url, VENUE)
        time = Time(lambda: self.now, lambda: START + self.now)
        self.hub = Hub(VENUE, self.log, self.keys, self, time, Settings(deal_pause=0))
        self.hub.recover()
        self.hub.refresh()
        self.hub.step()

    def crash(self) -> None:
        """The authority dies between two messages, and starts again."""
        self.log.close()
        for chair in self.chairs:
            chair.coming.clear()
        self.start()

    def tell(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """The authority's outbox."""
        if topic == topics.engine_status(VENUE):
            status = msgspec.json.decode(payload, type=EngineStatus)
            self.boot = status.boot
            for chair in self.chairs:
                chair.session.engine_state(status)
        elif topic in self.by_topic:
            self.by_topic[topic].coming.append(payload)

    def connect(self) -> None:
        """Every seat connects."""
        for chair in self.chairs:
            chair.session.online(self.boot)

    def turn(self) -> None:
        """Everybody looks, what they do is decided, and what is decided reaches them."""
        self.now += 40
        for chair in self.chairs:
            chair.player.look()
            for raw in chair.session.outgoing():
                if self.lost(chair):
                    break
                self.hub.post(Arrival(chair.act, raw, self.now))
        while self.hub.step():
            pass
        for chair in self.chairs:
            while chair.coming and not self.lost(chair):
                chair.session.receive(codec.decode_told(chair.coming.pop(0)))

    def lost(self, chair: Chair) -> bool:
        """Whether the connection breaks now: all that is under way to the seat goes with it."""
        if self.chance.random() >= self.trouble:
            return False
        chair.coming.clear()
        chair.session.offline("lost")
        chair.session.online(self.boot)
        return True

    def play(self, turns: int = 4_000) -> None:
        """Turns until the game is over for all."""
        for _ in range(turns):
            if all(chair.player.is_done for chair in self.chairs):
                return
            self.turn()
        raise AssertionError("the game does not end")

    def acted(self) -> Counter[str]:
        """How many plays, passes and choices the log holds of each act."""
        kinds = {"played", "passed", "tribute_paid", "given_back", "seat_ready"}
        rows = self.log.records((EVENT, TABLE))
        records = [msgspec.json.decode(row.public, type=Record) for row in rows]
        return Counter(record.cause.id for record in records if record.kind in kinds and record.cause.id)


def check_nothing_lost_nothing_twice(hall: Hall) -> None:
    """Every act that was answered with ok is in the log, and none is twice."""
    acted = hall.acted()
    assert set(acted.values()) == {1}
    confirmed = {answer.id for chair in hall.chairs for answer in chair.heard if answer.code == "ok"}
    assert confirmed <= acted.keys()


def test_a_game_without_trouble(tmp_path: Path) -> None:
    hall = Hall(tmp_path, deals=3)
    hall.connect()
    hall.play()
    views = [chair.session.view for chair in hall.chairs]
    assert len({view.public for view in views if view}) == 1
    assert all(view and view.public.phase is Phase.GAME_OVER for view in views)
    answers = [answer for chair in hall.chairs for answer in chair.heard]
    assert {answer.code for answer in answers} == {"ok"}
    assert not any(answer.resent for answer in answers)
    assert {answer.id for answer in answers} == hall.acted().keys()


@pytest.mark.parametrize("trouble", [0.02, 0.2])
def test_a_game_over_connections_that_break(tmp_path: Path, trouble: float) -> None:
    hall = Hall(tmp_path, deals=1, trouble=trouble)
    hall.connect()
    hall.play()
    check_nothing_lost_nothing_twice(hall)
    assert any(answer.resent for chair in hall.chairs for answer in chair.heard)


def test_a_game_with_an_authority_that_dies(tmp_path: Path) -> None:
    hall = Hall(tmp_path, deals=1, trouble=0.02)
    hall.connect()
    for _ in range(8):
        for _ in range(hall.chance.randrange(3, 20)):
            hall.turn()
        hall.crash()
    hall.play()
    check_nothing_lost_nothing_twice(hall)
