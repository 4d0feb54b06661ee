"""Action to acknowledgement over the wire, beside raw echo and one commit in the same run.

64 tables with four seats each play over mosquitto with mutual TLS, about one action a second and
table. By turns the real authority answers (signature, session, rules, log, then the answer and
what the table is told), and a bare client that stores the same bytes in one durable commit and
sends an answer of the same size back. Same server, same connections, same payloads, same disk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import uvloop

from broker import config as configuration
from broker import mosquitto
from broker.config import Config, TableEntry
from broker.engine import shuffle
from broker.engine.guandan import phases
from broker.engine.orders import OpenDeal
from broker.mqtt import Connection, client_context
from broker.outcome import percentile
from broker.protocol import chain, codec, envelope, topics
from broker.protocol.messages import Action, Seen
from broker.sections import write_toml
from broker.server import last_server, stop_left_over
from broker.service import board_plan
from broker.tables.plan import Arrival
from provisioning.identity import DeviceIdentity, TlsIdentity

VENUE = "bench"
PACE = (0.8, 1.2)
"""Seconds from a decision to its act."""
GOAL = 3.0


class Line(asyncio.Protocol):
    """One device's MQTT connection, as light as it can be: CONNECT, SUBSCRIBE, PUBLISH at QoS 1."""

    def __init__(self, identity: DeviceIdentity, heard: Callable[[str, bytes, float], None]) -> None:
        self.identity = identity
        self.heard = heard
        self.ready = asyncio.get_running_loop().create_future()
        self._act_topic = topics.device_act(identity.venue, identity.device).encode()
        self._buffer = bytearray()
        self._packet = 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        device = self.identity.device.encode()
        head = b"\x00\x04MQTT\x04\x02" + (120).to_bytes(2, "big")
        self._send(0x10, head + len(device).to_bytes(2, "big") + device)
        wanted = (topics.engine_status(VENUE), topics.device_in(VENUE, self.identity.device))
        filters = b"".join(len(t).to_bytes(2, "big") + t.encode() + b"\x01" for t in wanted)
        self._send(0x82, self._next_packet() + filters)

    def publish(self, payload: bytes) -> None:
        topic = len(self._act_topic).to_bytes(2, "big") + self._act_topic
        self._send(0x32, topic + self._next_packet() + payload)

    def ping(self) -> None:
        self._transport.write(b"\xc0\x00")

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._buffer += data
        while (packet := self._taken()) is not None:
            self._take(packet[0], packet[1], now)

    def _take(self, kind: int, body: bytes, now: float) -> None:
        if kind >> 4 == 9:
            self.ready.set_result(None)
        elif kind >> 4 == 3:
            end = 2 + int.from_bytes(body[:2], "big")
            start = end + (2 if kind & 6 else 0)
            if kind & 6:
                self._transport.write(b"\x40\x02" + body[end:start])
            self.heard(body[2:end].decode(), body[start:], now)

    def _taken(self) -> tuple[int, bytes] | None:
        """The next whole packet out of the buffer."""
        length = shift = 0
        for place in range(1, min(5, len(self._buffer))):
            length |= (self._buffer[place] & 0x7F) << shift
            shift += 7
            if not self._buffer[place] & 0x80:
                start, end = place + 1, place + 1 + length
                if len(self._buffer) < end:
                    return None
                packet = self._buffer[0], bytes(self._buffer[start:end])
                del self._buffer[:end]
                return packet
        return None

    def _send(self, kind: int, body: bytes) -> None:
        length, size = len(body), bytearray()
        while True:
            length, low = divmod(length, 128)
            size.append(low | (0x80 if length else 0))
            if not length:
                break
        self._transport.write(bytes([kind]) + bytes(size) + body)

    def _next_packet(self) -> bytes:
        self._packet = self._packet % 65535 + 1
        return self._packet.to_bytes(2, "big")


@dataclass
class Measured:
    """Milliseconds, and the payloads that were seen. Times count only while ``recording``."""

    recording: bool = False
    ack: list[float] = field(default_factory=list)
    echo: list[float] = field(default_factory=list)
    acts: list[bytes] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def note(self, times: list[float], seconds: float) -> None:
        if self.recording:
            times.append(seconds * 1000)


class Seat:
    """What one device signs."""

    def __init__(self, table: Table, seat: int, identity: DeviceIdentity) -> None:
        self.table = table
        self.seat = seat
        self.line = Line(identity, self._heard)
        self._session = uuid.uuid4().hex[:16]
        self._seq = 0
        self._sent: dict[str, tuple[float, Any]] = {}
        self._boot = ""
        self._is_ready = False
        self.echoes: deque[float] = deque()

    def act(self, kind: str, args: dict[str, Any], answers: int = 0, action: Any = None) -> None:
        self._seq += 1
        table, identity = self.table, self.line.identity
        signed = Action(
            v=1,
            id=uuid.uuid4().hex,
            device=identity.device,
            session=self._session,
            seq=self._seq,
            event=table.entry.event,
            table=table.entry.id,
            deal=1 if answers else 0,
            answers=answers,
            seen=table.seen,
            kind=kind,
            args=args,
            shown=0,
            acted=0,
        )
        topic = topics.device_act(VENUE, identity.device)
        raw = envelope.sign(envelope.encode_action(signed), identity.signing_key, topic)
        self._sent[signed.id] = (time.perf_counter(), action)
        if action is not None:
            table.measured.acts.append(raw)
        self.line.publish(raw)

    def _heard(self, topic: str, payload: bytes, now: float) -> None:
        if not topic.endswith("/in"):
            self._greet(json.loads(payload))
        elif self.echoes:
            self.table.measured.note(self.table.measured.echo, now - self.echoes.popleft())
        elif b'"type":"answer"' in payload[:40]:
            self._answered(json.loads(payload), len(payload), now)
        elif b'"type":"update"' in payload[:40] and (self.seat == 0 or not self._is_ready):
            self._follow(json.loads(payload))

    def _greet(self, status: dict[str, Any]) -> None:
        """Every new authority is greeted."""
        if status["state"] == "ready" and status["boot"] != self._boot:
            self._boot = status["boot"]
            self.act("hello", {"boot": self._boot, "software": "bench"})

    def _follow(self, update: dict[str, Any]) -> None:
        """One seat follows for its table; the others only until they are ready."""
        if self.seat == 0 or not self.table.seen.n:
            self.table.update(update)
        if not self._is_ready:
            self._is_ready = True
            self.act("ready", {"nonce": self.table.nonces[self.seat].hex()})

    def _answered(self, answer: dict[str, Any], size: int, now: float) -> None:
        sent, action = self._sent.pop(answer["id"], (now, None))
        if answer["code"] != "ok":
            self.table.measured.refused.append(f"{answer['code']} {answer.get('article', '')}")
        elif action is not None:
            self.table.measured.note(self.table.measured.ack, now - sent)
            self.table.measured.answers.append(size)
            self.table.play(action)


class Table:
    """One table: its four seats, and the game as far as it has come."""

    def __init__(self, config: Config, entry: TableEntry, measured: Measured) -> None:
        self.entry = entry
        self.measured = measured
        self.seats = [
            Seat(self, n, DeviceIdentity.load(config.devices / seat.device))
            for n, seat in enumerate(entry.seats)
        ]
        self.seen = Seen(epoch=0, n=0, hash="")
        self.running = False
        nonces = [bytes([n]) * 16 for n in range(4)]
        board = board_plan(config, entry, 1)
        dealt = shuffle.board_from(board.seed, chain.beacon_of(nonces), board.board)
        self.nonces = nonces
        self._state: Any = phases.start(entry.rules)
        self.play(OpenDeal(dealt))
        self._asked: set[int] = set()
        self._open: dict[int, int] = {}

    def update(self, update: dict[str, Any]) -> None:
        self.seen = Seen(epoch=update["epoch"], n=update["n"], hash=update["hash"])
        self._open = {clock["seat"]: clock["answers"] for clock in update["clocks"]}
        self.go_on()

    def go_on(self) -> None:
        """An act for every decision that is open and has none yet."""
        for seat, answers in self._open.items():
            if self.running and answers not in self._asked:
                self._asked.add(answers)
                asyncio.get_running_loop().call_later(random.uniform(*PACE), self._act, seat, answers)

    def play(self, action: Any) -> None:
        for event in phases.decide(self._state, action):
            self._state = phases.evolve(self._state, event)

    def echo(self) -> None:
        if self.running:
            seat = random.choice(self.seats)
            seat.echoes.append(time.perf_counter())
            seat.line.publish(random.choice(self.measured.acts))
            asyncio.get_running_loop().call_later(random.uniform(*PACE), self.echo)

    def is_dealt(self) -> bool:
        return bool(self._open)

    def is_quiet(self) -> bool:
        return not any(seat._sent or seat.echoes for seat in self.seats)

    def _act(self, seat: int, answers: int) -> None:
        if not self.running:
            self._asked.discard(answers)
            return
        action = phases.default_action(self._state, seat)
        self.seats[seat].act(*codec.encode_act(action), answers=answers, action=action)


class Bench:
    """The whole run in one folder."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self._folder, self._seconds, self._rounds = folder, options.seconds, options.rounds
        self._config = _configure(folder, options.tables, options.mqtt_server)
        self.measured = Measured()

    async def run(self) -> None:
        tables: list[Table] = []
        for _round in range(self._rounds):
            async with self._started("serve") as authority:
                if not tables:
                    tables = [Table(self._config, entry, self.measured) for entry in self._config.tables]
                    await self._connect(tables)
                await self._until(partial(_are_ready, tables), "greetings")
                await self._measure(tables, Table.go_on)
                authority.kill()  # not asked to end: the MQTT server and all connections stay
            size = sorted(self.measured.answers)[len(self.measured.answers) // 2]
            async with self._started("echo", str(size)):
                await self._measure(tables, Table.echo)

    def close(self) -> None:
        stop_left_over(self._config.runtime)

    async def _connect(self, tables: list[Table]) -> None:
        loop, address = asyncio.get_running_loop(), last_server(self._config.runtime)
        for seat in (seat for table in tables for seat in table.seats):
            context = _context(seat.line.identity)
            line = seat.line
            await loop.create_connection(lambda line=line: line, "127.0.0.1", address.port, ssl=context)
            await line.ready

    async def _measure(self, tables: list[Table], begin: Callable[[Table], None]) -> None:
        for table in tables:
            table.running = True
            for seat in table.seats:
                seat.line.ping()
            asyncio.get_running_loop().call_later(random.uniform(0, 1), begin, table)
        await asyncio.sleep(1.5)
        self.measured.recording = True
        await asyncio.sleep(self._seconds)
        self.measured.recording = False
        for table in tables:
            table.running = False
        await asyncio.sleep(PACE[1])  # until nothing that was put off is left for the next phase
        await self._until(lambda: all(table.is_quiet() for table in tables), "the last answers")

    async def _until(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + 30
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what} did not come; refused: {self.measured.refused[:3]}")
            await asyncio.sleep(0.05)

    @asynccontextmanager
    async def _started(self, what: str, *words: str) -> AsyncIterator[subprocess.Popen[bytes]]:
        file = str(self._folder / "venue.toml")
        command = ["-m", "broker", what, "--config"] if what == "serve" else [__file__, "--echo"]
        out = self._folder / f"{what}.out"
        with out.open("wb") as output:
            process = subprocess.Popen([sys.executable, *command, file, *words], stdout=output, stderr=output)
        try:
            await self._until(lambda: b"Ready" in out.read_bytes() or process.poll() is not None, what)
            if process.poll() is not None:
                raise RuntimeError(out.read_text())
            yield process
        finally:
            process.terminate()
            process.wait()


def _are_ready(tables: list[Table]) -> bool:
    return all(table.is_dealt() and table.is_quiet() for table in tables)


def _configure(folder: Path, tables: int, server: str) -> Config:
    entries = [
        {
            "id": f"t{n}",
            "seats": [{"device": f"d{n}-{seat}", "player": f"P{seat}"} for seat in range(4)],
        }
        for n in range(1, tables + 1)
    ]
    mqtt = {"server": server, "port": 0}
    contents = {"venue": {"id": VENUE}, "mqtt": mqtt, "rehearsal": {"seed": 1}, "table": entries}
    write_toml(folder / "venue.toml", contents)
    return configuration.load(folder / "venue.toml")


def _context(device: DeviceIdentity) -> ssl.SSLContext:
    return client_context(
        TlsIdentity(
            device.device, device.venue, device.tls_certificate, device.tls_key, device.ca_certificate
        )
    )


def echo(file: Path, size: int) -> None:
    """Stores each act in one durable commit and answers with that many bytes, until SIGTERM."""
    config = configuration.load(file)
    connection = Connection(TlsIdentity.load(config.data / "services" / "authority"))
    database = sqlite3.connect(config.data / "echo.sqlite", check_same_thread=False, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE IF NOT EXISTS acts (payload BLOB)")
    answer = bytes(size)

    def post(arrival: Arrival) -> None:
        if arrival.topic.endswith("/act"):
            database.execute("INSERT INTO acts VALUES (?)", (arrival.payload,))
            connection.tell(arrival.topic.removesuffix("act") + "in", answer)

    server = last_server(config.runtime)
    connection.start(
        ("127.0.0.1", server.port), b'{"state":"lost"}', post, lambda: print("Ready", flush=True)
    )
    signal.sigwait({signal.SIGTERM})
    connection.stop()


def report(measured: Measured, tables: int) -> dict[str, Any]:
    """p50 and p99 of both in milliseconds, and the ratios."""
    times = {"ack": measured.ack, "echo": measured.echo}
    found: dict[str, Any] = {
        name: {
            share: round(percentile(values, part) or 0, 3) for share, part in (("p50", 0.5), ("p99", 0.99))
        }
        for name, values in times.items()
    }
    ratio = {share: round(found["ack"][share] / found["echo"][share], 2) for share in ("p50", "p99")}
    counts = {name: len(values) for name, values in times.items()}
    return {"tables": tables, **found, "ratio": ratio, "samples": counts, "refused": len(measured.refused)}


def describe(found: dict[str, Any], server: str) -> str:
    """The report as text."""
    lines = [f"{found['tables']} tables x 4 seats, {server}, mutual TLS, one action a second and table"]
    for name, text in (("ack", "action to acknowledgement"), ("echo", "raw echo and one commit")):
        lines.append(f"{text:27} p50 {found[name]['p50']:7.2f} ms   p99 {found[name]['p99']:7.2f} ms")
    ratio = found["ratio"]
    return "\n".join([*lines, f"{'ratio, at most 3':27} {ratio['p50']:11.2f} {ratio['p99']:16.2f}"])


def main() -> int:
    """0 if the ratios are within the goal and nothing was refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4, help="of each phase")
    parser.add_argument("--rounds", type=int, default=5, help="of both phases")
    parser.add_argument("--mqtt-server", choices=("mosquitto", "embedded"), default="mosquitto")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--echo", nargs=2, metavar=("FILE", "BYTES"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.echo:
        echo(Path(options.echo[0]), int(options.echo[1]))
        return 0
    if options.mqtt_server == "mosquitto" and mosquitto.find() is None:
        print("mosquitto is not installed: apt install mosquitto", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="paizhuo-bench-") as name:
        bench = Bench(Path(name), options)
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(bench.run())
        finally:
            bench.close()
    found = report(bench.measured, options.tables)
    print(json.dumps(found) if options.json else describe(found, options.mqtt_server))
    return 0 if max(found["ratio"].values()) <= GOAL and not bench.measured.refused else 1


if __name__ == "__main__":
    sys.exit(main())
