"""Transcripts to be tampered with: made by a real table, taken apart, changed, put together again.

A forger may hold no key (``text``: the lines as they are, some of them changed), the venue's
(``reseal``: chain, commitments and checkpoint are right again), or the seats' too (``resign``).
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import cbor2
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine.guandan.rules import Rules
from broker.engine.orders import LoseDeal
from broker.protocol import chain, envelope
from broker.protocol.checkpoint import sign_checkpoint
from broker.tables.export import transcript
from broker.tables.rows import TableKey
from broker.verify.audit import Report, check
from broker.verify.transcript import Unreadable
from tests.tables.house import EVENT, House


@dataclass
class Told:
    """One record taken apart; ``act`` is the payload of its envelope, ``device`` who signed it."""

    public: dict[str, Any]
    secret: dict[str, Any] | None
    salt: str
    act: dict[str, Any] | None

    @property
    def kind(self) -> str:
        return str(self.public["kind"])

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = self.public["body"]
        return body


@dataclass
class Forger:
    """A table's transcript with every key that made it."""

    header: dict[str, Any]
    told: list[Told]
    checkpoint: str
    venue: Ed25519PrivateKey
    seats: dict[str, Ed25519PrivateKey]
    lines: list[dict[str, Any]]
    """As they were exported."""

    def copy(self) -> Forger:
        """Another one, to be changed."""
        copied = [deepcopy(told) for told in self.told]
        return replace(self, header=dict(self.header), told=copied, lines=deepcopy(self.lines))

    def of(self, kind: str, place: int = 0) -> Told:
        """A record of that kind; ``place`` counts them."""
        return [told for told in self.told if told.kind == kind][place]

    def last_act(self) -> int:
        """Place of the last record that a seat's act brought about."""
        return max(place for place, told in enumerate(self.told) if told.act)

    def reseal(self, resign: bool = False) -> list[dict[str, Any]]:
        """The lines with numbers, commitments, hash chain and checkpoint made right again.

        With ``resign`` every act too: it names the new past, and is signed again.
        """
        head = chain.genesis(*(self.header[name] for name in ("venue", "event", "table", "epoch")))
        moved = {0: (0, head)}
        lines = [self.header]
        acts: dict[str, bytes] = {}
        for n, told in enumerate(self.told, start=1):
            moved.setdefault(told.public["n"], (n, head))
            line = self._line(told, n, moved, acts, resign)
            head = chain.link(head, line["public"].encode())
            moved[told.public["n"]] = (n, head)
            lines.append({**line, "hash": head.hex()})
        place = {name: self.header[name] for name in ("venue", "event", "table")}
        epoch = self.told[-1].public["epoch"]
        signed = sign_checkpoint(self.venue, **place, epoch=epoch, n=len(self.told), head=head)
        return [*lines, {"checkpoint": b64encode(signed).decode()}]

    def _line(
        self,
        told: Told,
        n: int,
        moved: dict[int, tuple[int, bytes]],
        acts: dict[str, bytes],
        resign: bool,
    ) -> dict[str, Any]:
        public = deepcopy(told.public) | {"n": n}
        line: dict[str, Any] = {"n": n}
        if told.secret is not None:
            secret = _compact(told.secret)
            line |= {"secret": secret, "salt": told.salt}
            public["commit"] = chain.secret_commit(bytes.fromhex(told.salt), secret.encode())
        if told.act is not None:
            device, act = public["cause"]["device"], dict(told.act)
            topic = f"pz/1/{self.header['venue']}/dev/{device}/act"
            raw = acts.get(act["id"]) or self._signed(act, device, topic, moved, resign)
            acts[act["id"]] = raw
            line |= {"envelope": b64encode(raw).decode(), "topic": topic}
            if resign:
                public["cause"] |= {"id": act["id"], "digest": sha256(raw).hexdigest()}
        line["public"] = _compact(public)
        return line

    def _signed(
        self,
        act: dict[str, Any],
        device: str,
        topic: str,
        moved: dict[int, tuple[int, bytes]],
        resign: bool,
    ) -> bytes:
        if resign:
            n, head = moved.get(act["seen"]["n"], moved[0])
            act["seen"] = {**act["seen"], "n": n, "hash": head.hex()}
            act["answers"] = moved.get(act["answers"], (0, b""))[0]
        return envelope.sign(cbor2.dumps(act, canonical=True), self.seats[device], topic)


def played(folder: Path, rules: Rules, acts: int, late: int = 0) -> Forger:
    """A game by those rules; after so many acts in its last deal, that is lost by ruling.

    ``late``: how often a seat lets its time run out before.
    """
    house = House(folder, rules=rules, boards=2)
    for seat in house.seats:
        seat.policy = "careful"
    house.begin()
    while house.table.course.dealt < (rules.deals_per_game or 1):
        house.play(1)
        house.moment.pass_by(house.settings.deal_pause)
        house.settle()
    for _ in range(late):
        house.moment.pass_by(60_000)
        house.settle()
    house.play(acts)
    return lost(house)


def lost(house: House) -> Forger:
    """The transcript of a house whose deal in play, the last, is then lost by ruling."""
    house.hub.order("t1", LoseDeal(1))
    house.settle()
    lines = json.loads(json.dumps(list(transcript(house.log, TableKey(EVENT, "t1"), house.keys))))
    house.stop()
    return Forger(
        header=lines[0],
        told=[_apart(line) for line in lines[1:-1]],
        checkpoint=lines[-1]["checkpoint"],
        venue=house.keys.signing,
        seats={seat.device: seat.signing for seat in house.seats},
        lines=lines,
    )


def _apart(line: dict[str, Any]) -> Told:
    act = None
    if "envelope" in line:
        payload = envelope.open_envelope(b64decode(line["envelope"])).payload
        act = msgspec.to_builtins(envelope.decode_action(payload))
    secret = json.loads(line["secret"]) if "secret" in line else None
    return Told(json.loads(line["public"]), secret, line.get("salt", ""), act)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text(lines: list[dict[str, Any]]) -> str:
    """The lines as a file."""
    return "".join(_compact(line) + "\n" for line in lines)


def found(folder: Path, raw: str | bytes) -> list[str]:
    """What the checker says against a file; empty if it is verified."""
    path = folder / "forged.jsonl"
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    try:
        report: Report = check(path)
    except Unreadable as error:
        return [f"unreadable: {error}"]
    problems = [f"#{number}: {told}" for number, told in report.problems]
    assert report.verified == (not problems and not report.sealed)
    return problems + ["closed"] * bool(report.sealed)


def others(value: Any) -> Iterator[Any]:
    """Values of the same type that are not this one."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            yield (value + 2) % 4
        case str():
            yield value[:-1] + ("0" if value[-1:] != "0" else "1")
            yield "K"
            if len(value) > 1:
                yield value[1:] + value[:1]
        case list():
            yield value[1:]
            yield [*value, *value[:1]]
            for place, item in enumerate(value[:2]):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in others(item))
        case dict():
            for name, item in value.items():
                yield {other: held for other, held in value.items() if other != name}
                yield from ({**value, name: other} for other in others(item))
        case None:
            yield 1
