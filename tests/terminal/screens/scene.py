"""A table in this process: a real session, fed with signed and sealed messages of real states."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from broker.engine.cards import Cards, parse_cards, parse_rank
from broker.engine.game import Board, DecisionKind
from broker.engine.guandan import phases
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.events import DealEnded, GameEnded, TributeDue
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import NATIONAL_2017, Rules
from broker.engine.guandan.state import BetweenDeals, Playing, Standing, State
from broker.engine.guandan.views import Laid, TributeView
from broker.engine.orders import OpenDeal
from broker.engine.refusal import Refused
from broker.engine.seats import SEATS, Seat
from broker.engine.shuffle import board_from
from broker.players import POLICIES
from broker.protocol import codec, envelope, sealing, topics
from broker.protocol.messages import Answer, ClockReading, EngineStatus, Seating, Update
from provisioning.identity import DeviceIdentity, public_hex
from terminal.session import Session

VENUE, EVENT, TABLE, DEVICE = "hall", "spring-open", "t12", "t12-south"
CHINESE_NAMES = ("周明德", "何志远", "林晓芸", "陈国强")
ENGLISH_NAMES = ("Zhou Mingde", "He Zhiyuan", "Lin Xiaoyun", "Chen Guoqiang")

LEVEL = parse_rank("T")
RULES = replace(NATIONAL_2017, deals_per_game=5)
"""Of a game that goes on after its third deal."""
WORST_HAND = parse_cards("BJ LJ ST HT SA DA SK HK CK HQ SJ CJ S9 D9 S8 C8 S7 H7 D6 H5 C5 C5 D5 H4 C3 D3 S2")
"""27 cards in 15 columns, one of them four high."""


class Scene:
    """One seat's session and the table that it sits at. Time stands still unless it is moved."""

    def __init__(self, rules: Rules = RULES, seat: Seat = 2, names: tuple[str, ...] = CHINESE_NAMES) -> None:
        self.rules, self.seat, self.names = rules, seat, names
        self.now = 100_000
        self.state: State = phases.start(rules)
        self.ready: tuple[Seat, ...] = ()
        self.paused = ""
        self.n = 0
        self.remaining: int | None = None
        self.running = True
        self.sent: list[str] = []
        """Kinds of the acts that the session has sent."""
        self._venue_key = Ed25519PrivateKey.generate()
        self._signing, self._sealing = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
        identity = DeviceIdentity(
            device=DEVICE,
            venue=VENUE,
            tls_certificate=Path("tls.crt"),
            tls_key=Path("tls.key"),
            ca_certificate=Path("ca.crt"),
            signing_key=self._signing,
            sealing_key=self._sealing,
            authority_key=self._venue_key.public_key(),
        )
        self.session = Session(identity, "test", lambda: self.now, random.Random(1))
        self._chance = random.Random(7)

    # --- the authority's side --------------------------------------------------------------------

    def connect(self) -> None:
        """Greets and is seated, and sees the table."""
        self.session.online("boot")
        self.serve()

    def beat(self) -> None:
        """The authority is alive."""
        self.session.engine_state(EngineStatus(v=1, boot="boot", state="ready", beat=1))

    def show(
        self, state: State, remaining: int | None = None, paused: str = "", running: bool = True
    ) -> None:
        """The table is in that state, told as a snapshot. ``remaining``: milliseconds on every open clock."""
        self.state, self.remaining, self.paused, self.running = state, remaining, paused, running
        self._tell()

    def serve(self) -> None:
        """Answers everything that the session has sent since the last time."""
        for raw in self.session.outgoing():
            topic = topics.device_act(VENUE, DEVICE)
            opened = envelope.open_envelope(raw)
            action = envelope.decode_action(envelope.verify(opened, self._signing.public_key(), topic))
            self.sent.append(action.kind)
            self._answer(action.id, action.kind, action.args)

    def act(self, action: object) -> None:
        """An order or an act of another seat."""
        self._apply(action)
        self._tell()

    def open_deal(self, seed: int) -> None:
        """Deals a board."""
        board: Board = board_from(seed.to_bytes(32, "big"), b"beacon", f"b{seed}")
        self.act(OpenDeal(board))

    def others_act(self) -> bool:
        """Lets a policy act for one other seat that owes something; whether there was one."""
        for decision in phases.open_decisions(self.state):
            if decision.seat != self.seat:
                view = phases.view(self.state, decision.seat)
                self.act(POLICIES["careful"](view, self.rules, self._chance))
                return True
        return False

    def owes(self) -> DecisionKind | None:
        """What the own seat owes at the table."""
        return next((d.kind for d in phases.open_decisions(self.state) if d.seat == self.seat), None)

    def _answer(self, act: str, kind: str, args: dict[str, object]) -> None:
        code, article = "ok", ""
        if kind == "hello":
            self._seat()
        elif kind == "ready":
            self.ready = tuple(sorted({*self.ready, self.seat}))
        else:
            try:
                self._apply(codec.decode_act("guandan", kind, args, self.seat))
            except Refused as refused:
                code, article = refused.reason.value, refused.article
        self.session.receive(Answer(id=act, code=code, article=article, table=TABLE, n=self.n))
        self._tell()

    def _apply(self, action: object) -> None:
        for event in phases.decide(self.state, action):
            self.state = phases.evolve(self.state, event)
        self.n += 1
        self.remaining = None

    def _seat(self) -> None:
        self.session.receive(
            Seating(
                venue=VENUE,
                event=EVENT,
                stage="main",
                round=3,
                table=TABLE,
                seat=self.seat,
                players=self.names,
                session=self.session.id,
                boot="boot",
                epoch=1,
                game="guandan",
                rules=codec.encode_rules(self.rules),
                authority_key=public_hex(self._venue_key.public_key()),
            )
        )

    def _tell(self) -> None:
        self.n += 1
        view = phases.view(self.state, self.seat)
        own = sealing.seal_own(
            codec.encode_own_view(view.own),
            self._sealing.public_key(),
            venue=VENUE,
            table=TABLE,
            epoch=1,
            n=self.n,
            device=DEVICE,
            signing_key=self._venue_key,
            topic=topics.device_in(VENUE, DEVICE),
        )
        self.session.receive(
            Update(
                table=TABLE,
                epoch=1,
                n=self.n,
                hash=f"{self.n:064x}",
                records=(),
                view=msgspec.Raw(codec.encode_public_view(view.public)),
                clocks=self._clocks(),
                ready=self.ready,
                paused=self.paused,
                own=own,
                snapshot=True,
            )
        )

    def _clocks(self) -> tuple[ClockReading, ...]:
        return tuple(
            ClockReading(
                seat=decision.seat,
                decision=decision.kind.value,
                answers=self.n,
                limit=phases.clock_plan(self.state, decision).limit,
                remaining=self._remaining(decision),
                running=self.running and not self.paused,
            )
            for decision in phases.open_decisions(self.state)
        )

    def _remaining(self, decision: object) -> int:
        limit = phases.clock_plan(self.state, decision).limit
        return limit if self.remaining is None else min(limit, self.remaining)


# --- states ------------------------------------------------------------------------------------


def standing(
    level: int = LEVEL, deal: int = 3, levels: tuple[int, int] = (LEVEL, 6), rules: Rules = RULES
) -> Standing:
    """A deal of a game that is under way."""
    return Standing(rules, deal=deal, level=level, level_side=0, levels=levels)


def reading(cards: Cards, level: int, want: str | None = None) -> Reading:
    """The reading of cards; of several that whose type is ``want``, the highest."""
    found = readings(cards, level)
    named = [one for one in found if want is None or one.type.name == want]
    return named[-1]


def laid(seat: Seat, text: str, level: int = LEVEL, want: str | None = None) -> Laid:
    """A play on the table."""
    cards = parse_cards(text)
    return Laid(seat, cards, reading(cards, level, want))


def playing(
    hand: Cards,
    laid_by: tuple[Laid | None, ...] = (None,) * 4,
    table: Laid | None = None,
    turn: Seat = 2,
    **changes: object,
) -> Playing:
    """A deal in play as seat 2 sees it; the other hands are of no concern."""
    filler = parse_cards("S3 S4 S5 S6 S6 C4 C6 C9")
    state = Playing(
        standing=standing(),
        hands=tuple(hand if seat == 2 else filler for seat in SEATS),
        turn=turn,
        leader=table.seat if table else turn,
        table=table,
        laid=laid_by,
        acts=(None,) * 4,
        counts=(None,) * 4,
        out=(),
        first_lead=False,
        tribute=None,
    )
    return replace(state, **changes)


__all__ = ["BetweenDeals", "DealEnded", "GameEnded", "Scene", "TributeDue", "TributeView"]
