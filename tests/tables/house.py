"""A venue in one process for the tests: a hub, an outbox that remembers, time that obeys, four seats.

The seats are independent of ``terminal``: they sign real envelopes, open real hands, and choose
with the policies of ``broker.players``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from broker.engine.guandan.rules import NATIONAL_2017, Rules
from broker.engine.guandan.views import View
from broker.players import POLICIES
from broker.protocol import codec, envelope, topics
from broker.protocol.messages import (
    Action,
    Announcement,
    Answer,
    DeviceStatus,
    EngineStatus,
    Record,
    Seating,
    Seen,
    Update,
)
from broker.protocol.sealing import open_own
from broker.tables.hub import Hub
from broker.tables.log import Log
from broker.tables.plan import Arrival, BoardPlan, SeatPlan, Settings, TablePlan, Time, VenueKeys
from broker.tables.rows import Batch
from broker.tables.table import Table

VENUE = "hall"
EVENT = "spring-cup"
EPOCH_MS = 1_790_000_000_000

ONE_DEAL = replace(NATIONAL_2017, deals_per_game=1)
FAST = Settings(network_grace=500, lost_grace=30_000, deal_pause=0, heartbeat=2_000)


@dataclass
class Moment:
    """Time as a test wants it."""

    monotonic: int = 5_000
    unix: int = EPOCH_MS

    def pass_by(self, ms: int) -> None:
        self.monotonic += ms
        self.unix += ms

    @property
    def time(self) -> Time:
        return Time(lambda: self.monotonic, lambda: self.unix)


@dataclass
class Told:
    """One message as it went out."""

    topic: str
    payload: bytes
    retain: bool


class Recorder:
    """An outbox that keeps everything, and hands what is for a device to its seat."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.failed: list[Exception] = []
        self.seats: dict[str, Seat] = {}

    def tell(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self.told.append(Told(topic, payload, retain))
        if topic in self.seats:
            try:
                self.seats[topic].hear(payload)
            except Exception as error:
                self.failed.append(error)

    def to(self, topic: str) -> list[bytes]:
        return [told.payload for told in self.told if told.topic == topic]

    def statuses(self) -> list[EngineStatus]:
        return [msgspec.json.decode(raw, type=EngineStatus) for raw in self.to(topics.engine_status(VENUE))]


class FlakyLog(Log):
    """A real log whose next commits fail, as a disk does."""

    failures: list[Exception]
    appended: list[Batch]
    on_commit: Callable[[], None] | None

    @classmethod
    def at(cls, path: Path) -> FlakyLog:
        log = cls.open(f"sqlite:///{path}", VENUE)
        assert isinstance(log, FlakyLog)
        log._connection.exec_driver_sql("PRAGMA synchronous=OFF")  # files are copied here, no power is cut
        log._connection.rollback()
        log.failures, log.appended, log.on_commit = [], [], None
        return log

    def append(self, batch: Batch) -> None:
        if self.failures:
            raise self.failures.pop(0)
        super().append(batch)
        self.appended.append(batch)
        if self.on_commit:
            self.on_commit()


@dataclass
class Seat:
    """A seat as its device sees the world."""

    device: str
    player: str
    signing: Ed25519PrivateKey
    sealing: X25519PrivateKey
    chance: random.Random
    policy: str = "random"
    session: str = ""
    seq: int = 0
    seating: Seating | None = None
    rules: Rules | None = None
    view: View | None = None
    n: int = 0
    hash: str = ""
    epoch: int = 0
    update: Update | None = None
    answers: list[Answer] = field(default_factory=list)
    answer_bytes: dict[str, bytes] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    own_seen: list[bytes] = field(default_factory=list)
    last_code: str = ""

    def __post_init__(self) -> None:
        self.session = self.session or self.new_session()

    def new_session(self) -> str:
        self.seq = 0
        self.session = self.chance.randbytes(8).hex()
        return self.session

    @property
    def act_topic(self) -> str:
        return topics.device_act(VENUE, self.device)

    @property
    def in_topic(self) -> str:
        return topics.device_in(VENUE, self.device)

    @property
    def plan(self) -> SeatPlan:
        return SeatPlan(
            self.device,
            self.player,
            self.signing.public_key().public_bytes_raw().hex(),
            self.sealing.public_key().public_bytes_raw().hex(),
        )

    # --- hearing ---

    def hear(self, payload: bytes) -> None:
        told = codec.decode_told(payload)
        match told:
            case Seating():
                self.seating = told
                self.rules = codec.decode_rules(told.game, told.rules)
            case Answer():
                self.answers.append(told)
                self.answer_bytes[told.id] = payload
                self.last_code = told.code
            case Update():
                self._follow(told)
            case Announcement():
                pass

    def _follow(self, update: Update) -> None:
        assert self.seating is not None
        if not update.snapshot:
            assert update.n == self.n + len(update.records), "a gap in the stream"
        self.n, self.hash, self.epoch = update.n, update.hash, update.epoch
        self.records += [msgspec.json.decode(text, type=Record) for text in update.records]
        own = self.view.own if self.view else None
        if update.own:
            raw = open_own(
                update.own,
                self.sealing,
                venue=VENUE,
                table=update.table,
                epoch=update.epoch,
                n=update.n,
                device=self.device,
                authority_public=authority_key(self.seating),
                topic=self.in_topic,
            )
            self.own_seen.append(raw)
            own = codec.decode_own_view("guandan", raw)
        public = codec.decode_public_view("guandan", bytes(update.view))
        self.view = View(self.seating.seat, public, own)
        self.update = update

    @property
    def owed(self) -> int:
        """The number of the decision that is owed; 0 if none is."""
        if self.update is None or self.seating is None:
            return 0
        return next((clock.answers for clock in self.update.clocks if clock.seat == self.seating.seat), 0)

    @property
    def place(self) -> int:
        """The number of the seat."""
        assert self.seating is not None
        return self.seating.seat

    @property
    def answered(self) -> int:
        """The number of the last decision that this seat owed."""
        opened = [record for record in self.records if record.kind == "decision_opened"]
        return next(record.n for record in reversed(opened) if record.body["seat"] == self.place)

    # --- signing ---

    def action(self, kind: str, args: dict[str, Any], **changes: Any) -> Action:
        self.seq += 1
        seated = self.seating
        action = Action(
            v=1,
            id=self.chance.randbytes(16).hex(),
            device=self.device,
            session=self.session,
            seq=self.seq,
            event=seated.event if seated else "",
            table=seated.table if seated else "",
            deal=self.view.public.deal if self.view else 0,
            answers=0 if kind in ("hello", "ready") else self.owed,
            seen=Seen(epoch=self.epoch, n=self.n, hash=self.hash),
            kind=kind,
            args=args,
            shown=0,
            acted=0,
        )
        return msgspec.structs.replace(action, **changes)

    def sign(self, action: Action, topic: str = "") -> bytes:
        return envelope.sign(envelope.encode_action(action), self.signing, topic or self.act_topic)

    def hello(self, boot: str, **changes: Any) -> bytes:
        return self.sign(self.action("hello", {"boot": boot, "software": "test/1"}, **changes))

    def ready(self, **changes: Any) -> bytes:
        return self.sign(self.action("ready", {"nonce": self.chance.randbytes(16).hex()}, **changes))

    def choose(self, **changes: Any) -> bytes:
        """What the policy does with the decision that is owed."""
        assert self.view is not None and self.rules is not None
        move = POLICIES[self.policy](self.view, self.rules, self.chance)
        return self.sign(self.action(*codec.encode_act(move), **changes))


def last_of(house: House, kind: str, seat: Seat | None = None) -> Record:
    """The last record of that kind, as a seat was told."""
    return next(record for record in reversed((seat or house.seats[0]).records) if record.kind == kind)


def kinds(house: House) -> list[str]:
    """Kinds of all records that seat 0 was told."""
    return [record.kind for record in house.seats[0].records]


def authority_key(seating: Seating) -> Ed25519PublicKey:
    """The key that the seating names."""
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(seating.authority_key))


class House:
    """A hub with its log in ``folder``, and four seats at table ``t1``."""

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        rules: Rules = ONE_DEAL,
        settings: Settings = FAST,
        boards: int = 4,
    ) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.moment = Moment()
        self.settings = settings
        self.rules = rules
        self.boards = boards
        self.keys = VenueKeys(
            Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32)), self.chance.randbytes(32)
        )
        self.seats = self.make_seats("")
        self.start()

    def make_seats(self, prefix: str) -> list[Seat]:
        return [
            Seat(
                f"{prefix}tab-{n}",
                f"{prefix}player-{n}",
                Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32)),
                X25519PrivateKey.from_private_bytes(self.chance.randbytes(32)),
                random.Random(self.chance.randrange(2**32)),
            )
            for n in range(4)
        ]

    def start(self, path: Path | None = None) -> None:
        """Opens the log and a hub on it, as a start of the process does."""
        self.path = path or self.folder / "log.db"
        self.log = FlakyLog.at(self.path)
        self.outbox = Recorder()
        self.outbox.seats = {seat.in_topic: seat for seat in self.seats}
        self.hub = Hub(
            VENUE, self.log, self.keys, self.outbox, self.moment.time, self.settings, self.chance.randbytes
        )
        self.hub.recover()
        self.hub.refresh()
        self.settle()

    @property
    def boot(self) -> str:
        return self.hub.status().boot

    @property
    def table(self) -> Table:
        lane = self.hub._roster.lane("t1")
        assert lane is not None and lane.table is not None
        return lane.table

    def plan(self, table: str = "t1", seats: list[Seat] | None = None, **changes: Any) -> TablePlan:
        plan = TablePlan(
            event=EVENT,
            stage="final",
            round=1,
            table=table,
            game="guandan",
            rules=self.rules,
            seats=tuple(seat.plan for seat in seats or self.seats),
            boards=tuple(
                BoardPlan(f"b{n}", sha256(f"{table} {n}".encode()).digest())
                for n in range(1, self.boards + 1)
            ),
        )
        return replace(plan, **changes)

    def open(self) -> None:
        done = self.hub.open_table(self.plan())
        self.settle()
        done.result(0)

    def post(self, seat: Seat, raw: bytes, late: int = 0) -> None:
        """Sends an act, stamped ``late`` milliseconds before now."""
        self.hub.post(Arrival(seat.act_topic, raw, self.moment.monotonic - late))

    def say(self, seat: Seat, state: str, session: str = "") -> None:
        """A status of the device."""
        told = DeviceStatus(v=1, session=session or seat.session, state=state)  # type: ignore[arg-type]
        topic = topics.device_status(VENUE, seat.device)
        self.hub.post(Arrival(topic, msgspec.json.encode(told), self.moment.monotonic))

    def settle(self) -> None:
        """Rounds of the hub until there is nothing more to do at this moment."""
        self.hub.step()
        while self.hub.step():
            pass
        if self.outbox.failed:
            raise self.outbox.failed.pop(0)

    def ask(self, seat: Seat, raw: bytes) -> Answer:
        """Sends an act and gives the answer that came."""
        before = len(seat.answers)
        self.post(seat, raw)
        self.settle()
        assert len(seat.answers) == before + 1
        return seat.answers[-1]

    def greet(self, *seats: Seat) -> None:
        for seat in seats or self.seats:
            assert self.ask(seat, seat.hello(self.boot)).code == "ok"

    def begin(self) -> None:
        """A table, greeted and ready: the first deal is dealt."""
        self.open()
        self.greet()
        for seat in self.seats:
            assert self.ask(seat, seat.ready()).code == "ok"

    def owing(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.owed]

    def play(self, acts: int | None = None, think: int = 900) -> int:
        """Plays on until the game is over or so many acts were made; the number made."""
        made = 0
        while not self.table.course.is_closed and (acts is None or made < acts):
            seat = self.owing()[0]
            self.moment.pass_by(think)
            answer = self.ask(seat, seat.choose())
            assert answer.code == "ok", answer
            made += 1
        return made

    def stop(self) -> None:
        self.log.close()
