"""An authority for one seat, as a test wants it: real signatures, seals and chain, and free to lie."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from broker.engine.cards import Cards, parse_cards
from broker.engine.game import Decision, DecisionKind
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.guandan.views import Laid, OwnView, Phase, PublicView
from broker.protocol import chain, codec, envelope, topics
from broker.protocol.messages import (
    Action,
    Answer,
    Cause,
    ClockReading,
    EngineStatus,
    Record,
    Seating,
    Update,
)
from broker.protocol.sealing import seal_own
from provisioning.identity import DeviceIdentity, public_hex
from terminal.session import Answered, Session

VENUE, EVENT, TABLE, DEVICE = "hall", "spring-cup", "t1", "seat-1"
NOBODY = (None, None, None, None)


def identity_of(authority: Ed25519PrivateKey, device: str = DEVICE) -> DeviceIdentity:
    """A device that trusts that authority; nothing of it lies on a disk."""
    return DeviceIdentity(
        device=device,
        venue=VENUE,
        tls_certificate=Path("tls.crt"),
        tls_key=Path("tls.key"),
        ca_certificate=Path("ca.crt"),
        signing_key=Ed25519PrivateKey.generate(),
        sealing_key=X25519PrivateKey.generate(),
        authority_key=authority.public_key(),
    )


def public_view(**changes: Any) -> PublicView:
    """A deal in play in which nothing lies on the table and nobody owes anything."""
    waiting = PublicView(
        phase=Phase.PLAYING,
        deal=1,
        deals_per_game=3,
        level=0,
        level_side=None,
        levels=(0, 0),
        failed_a=(0, 0),
        rises=(0, 0),
        open=(),
        turn=None,
        leader=None,
        table=None,
        laid=NOBODY,
        acts=NOBODY,
        counts=NOBODY,
        out=(),
        tribute=None,
        result=None,
        game=None,
    )
    return replace(waiting, **changes)


class Authority:
    """One seat's session at seat 0, and the authority that it talks to. Time moves by ``wait`` alone."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self.now = 10_000
        self.boot = "b1"
        self.epoch = 1
        self.key = Ed25519PrivateKey.generate()
        self.identity = identity_of(self.key)
        self.heard: list[Answered] = []
        self.session = Session(self.identity, "test", lambda: self.now, chance, self.heard.append)
        self.public = public_view(phase=Phase.WAITING, deal=0)
        self.own = OwnView(hand=(), allowed=(), chosen=None, received=None)
        self.clocks: tuple[ClockReading, ...] = ()
        self.ready: tuple[int, ...] = ()
        self.paused = ""
        self.begin_chain()

    def begin_chain(self) -> None:
        """The log is empty."""
        self.n, self.hash = 0, chain.genesis(VENUE, EVENT, TABLE, self.epoch)

    def wait(self, ms: int) -> None:
        """Time passes."""
        self.now += ms

    # --- what comes from the session -----------------------------------------------------------

    def sent(self) -> list[Action]:
        """Acts that the session hands out now, each proven to be its own."""
        return [self.read(raw) for raw in self.session.outgoing()]

    def read(self, raw: bytes) -> Action:
        """The act in an envelope of the session."""
        topic = topics.device_act(VENUE, DEVICE)
        key = self.identity.signing_key.public_key()
        return envelope.decode_action(envelope.verify(envelope.open_envelope(raw), key, topic))

    # --- what is told to it --------------------------------------------------------------------

    def connect(self) -> None:
        """The session is greeted back, seated, and brought up to date."""
        self.session.online(self.boot)
        for action in self.sent():
            self.answer(action)
        self.welcome()

    def welcome(self) -> None:
        """Seating and snapshot."""
        self.session.receive(self.seating())
        self.session.receive(self.update(snapshot=True))

    def beat(self, state: str = "ready", boot: str = "") -> None:
        """A beat of the authority."""
        told = {"v": 1, "boot": boot or self.boot, "state": state, "beat": 1}
        self.session.engine_state(msgspec.convert(told, EngineStatus))

    def answer(self, action: Action, code: str = "ok", article: str = "") -> None:
        """The word on an act."""
        told = Answer(id=action.id, code=code, article=article, table=TABLE, n=self.n, hash=self.hash.hex())
        self.session.receive(told)

    def seating(self, **changes: Any) -> Seating:
        """A seat at the table."""
        seating = Seating(
            venue=VENUE,
            event=EVENT,
            stage="final",
            round=1,
            table=TABLE,
            seat=0,
            players=("p1", "p2", "p3", "p4"),
            session=self.session.id,
            boot=self.boot,
            epoch=self.epoch,
            game="guandan",
            rules=codec.encode_rules(NATIONAL_2017),
            authority_key=public_hex(self.key.public_key()),
        )
        return msgspec.structs.replace(seating, **changes)

    def record(self, **changes: Any) -> str:
        """The next record, as the text that is hashed."""
        record = Record(
            v=1,
            venue=VENUE,
            event=EVENT,
            stage="final",
            round=1,
            table=TABLE,
            epoch=self.epoch,
            n=self.n + 1,
            at=0,
            kind="seat_ready",
            body={"seat": 1, "nonce": "00" * 16},
            cause=Cause(by="authority"),
        )
        return json.dumps(msgspec.to_builtins(msgspec.structs.replace(record, **changes)))

    def grow(self, **changes: Any) -> str:
        """One record more; its text."""
        text = self.record(**changes)
        self.n, self.hash = self.n + 1, chain.link(self.hash, text.encode())
        return text

    def update(self, *records: str, snapshot: bool = False, own: bool | str = True, **changes: Any) -> Update:
        """The present state after these records; ``own`` false: the own view has not changed."""
        update = Update(
            table=TABLE,
            epoch=self.epoch,
            n=self.n,
            hash=self.hash.hex(),
            records=records,
            view=msgspec.Raw(codec.encode_public_view(self.public)),
            clocks=self.clocks,
            ready=self.ready,
            paused=self.paused,
            own=own if isinstance(own, str) else self.sealed() if own else "",
            snapshot=snapshot,
        )
        return msgspec.structs.replace(update, **changes)

    def sealed(self, key: Ed25519PrivateKey | None = None, n: int | None = None) -> str:
        """The own view, signed and sealed."""
        return seal_own(
            codec.encode_own_view(self.own),
            self.identity.sealing_key.public_key(),
            venue=VENUE,
            table=TABLE,
            epoch=self.epoch,
            n=self.n if n is None else n,
            device=DEVICE,
            signing_key=key or self.key,
            topic=topics.device_in(VENUE, DEVICE),
        )

    def tell(self, *, own: bool = True) -> None:
        """One record more, and the state after it."""
        self.session.receive(self.update(self.grow(), own=own))

    # --- situations ----------------------------------------------------------------------------

    def turn(self, hand: str, laid: str = "", kind: DecisionKind | None = None, allowed: str = "") -> None:
        """The seat owes a decision; ``laid`` was played by seat 3."""
        cards: Cards = parse_cards(laid)
        table = Laid(3, cards, readings(cards, 0)[-1]) if laid else None
        owed = kind or (DecisionKind.FOLLOW if laid else DecisionKind.LEAD)
        self.own = OwnView(parse_cards(hand), parse_cards(allowed), None, None)
        self.public = public_view(open=(Decision(0, owed),), turn=0, table=table)
        text = self.grow()
        clock = ClockReading(
            seat=0, decision=owed.value, answers=self.n, limit=25_000, remaining=25_000, running=True
        )
        self.clocks = (clock,)
        self.session.receive(self.update(text))

    def others_turn(self, hand: str) -> None:
        """The turn has gone on; the hand is that."""
        self.own = OwnView(parse_cards(hand), (), None, None)
        self.public = public_view(open=(Decision(1, DecisionKind.FOLLOW),), turn=1)
        self.clocks = ()
        self.session.receive(self.update(self.grow()))
