"""The door of the embedded MQTT server: mutual TLS, and nobody in who may not be in.

amqtt asks its plugins only after it has already dropped an older session of the same client id,
publishes a will without asking, sends retained messages of other clients' subscriptions to a new
connection, and never closes a connection that has gone silent. So the connection is judged here
first, from its certificate and its CONNECT packet; and what amqtt reads and writes afterwards
goes through ``GuardedReader`` and ``GuardedWriter``. The plugin ``VenueAccess`` holds the access
list inside amqtt; without it amqtt lets nobody in.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from amqtt.adapters import BufferReader, ReaderAdapter, WriterAdapter
from amqtt.broker import Broker
from amqtt.contexts import Action
from amqtt.mqtt.connect import ConnectPacket
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from broker.access import AUTHORITY, AccessList

LISTENER: Final = "default"
LARGEST_PACKET: Final = 128 * 1024
"""Bytes after the fixed header; a larger packet ends the connection."""

_CONNECT: Final = 1
_PUBLISH: Final = 3
_MQTT_3_1_1: Final = 4
_WRONG_VERSION: Final = bytes((0x20, 2, 0, 1))
_NOT_AUTHORIZED: Final = bytes((0x20, 2, 0, 5))
_PATIENCE: Final = 10.0
"""Seconds in which a new connection has to say who it is."""
PACKETS_PER_SECOND: Final = 500
"""Most packets a second of one client, in bursts of as many; more wait in its own connection."""
_BACKLOG: Final = 4 * 1024 * 1024
"""Bytes that may wait for a client that does not read them."""

_log = logging.getLogger(__name__)


def server_context(ca: str, certificate: str, key: str, crl: str = "") -> ssl.SSLContext:
    """TLS of the server: at least 1.3, and only with a certificate that ``ca`` issued.

    All are paths of PEM files; ``crl`` lists revoked certificates, if there is one.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_cert_chain(certificate, key)
    context.load_verify_locations(ca)
    context.verify_mode = ssl.CERT_REQUIRED
    if crl:
        context.load_verify_locations(crl)
        context.verify_flags |= ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF
    return context


def common_name(tls: ssl.SSLObject | None) -> str:
    """The name in the client's certificate; empty if there is none."""
    certificate: dict[str, Any] = (tls.getpeercert() if tls else None) or {}
    pairs = [pair for part in certificate.get("subject", ()) for pair in part]
    names = [str(value) for key, value in pairs if key == "commonName"]
    return names[0] if len(names) == 1 else ""


class Subscriptions(dict[str, list[tuple[Session, int]]]):
    """amqtt's subscribers by filter, so that they may come and go while it walks through them.

    amqtt waits between one subscriber and the next. With a plain dict a client that connects or
    leaves in that moment ends the walk, and a message to somebody else is lost.
    """

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(super().keys()))

    def items(self) -> Any:
        """Filters with their subscribers, as they are now."""
        return [(topic_filter, tuple(those)) for topic_filter, those in super().items()]


class Refusal(Exception):
    """A connection is refused; ``answer`` are the bytes to say so, if any."""

    def __init__(self, why: str, answer: bytes = b"") -> None:
        super().__init__(why)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class _Guest:
    """A connection that is in, by its certificate's name."""

    writer: StreamWriter
    task: asyncio.Task[None]


class Door:
    """Listens for one venue and passes what it lets in to amqtt; one connection a certificate."""

    def __init__(self, broker: Broker, access: AccessList) -> None:
        broker._subscriptions = Subscriptions()
        self._broker = broker
        self._access = access
        self._guests: dict[str, _Guest] = {}

    async def open(self, host: str, port: int, context: ssl.SSLContext) -> asyncio.Server:
        """Listens; ``OSError`` if the address cannot be had. TCP_NODELAY is asyncio's default."""
        return await asyncio.start_server(
            self._enter, host, port, ssl=context, backlog=1024, ssl_handshake_timeout=_PATIENCE
        )

    async def _enter(self, reader: StreamReader, writer: StreamWriter) -> None:
        name = common_name(writer.get_extra_info("ssl_object"))
        try:
            async with asyncio.timeout(_PATIENCE):
                first = await read_packet(reader)
            silence = await self._check(name, first)
        except (Refusal, OSError, EOFError, TimeoutError) as refusal:
            await self._turn_away(name, writer, refusal)
            return
        pace = None if name == AUTHORITY else Pace(PACKETS_PER_SECOND)
        await self._host(name, GuardedReader(reader, writer, first, silence, pace), writer)

    async def _check(self, name: str, first: bytes) -> float:
        """Seconds that the connection may be silent; ``Refusal`` if it may not come in."""
        if first[0] >> 4 != _CONNECT:
            raise Refusal("first packet is not CONNECT")
        try:
            connect = await ConnectPacket.from_stream(BufferReader(first))
        except Exception as error:  # amqtt raises all kinds of errors on odd bytes
            raise Refusal(f"CONNECT cannot be read: {error!r}") from None
        if connect.proto_level != _MQTT_3_1_1:
            raise Refusal("not MQTT 3.1.1", _WRONG_VERSION)
        if reason := self._objection(name, connect):
            raise Refusal(reason, _NOT_AUTHORIZED)
        return float(connect.keep_alive) * 1.5 or float("inf")

    def _objection(self, name: str, connect: Any) -> str:
        """Why the access list does not let the client in; empty if it does."""
        if not name or connect.client_id != name:
            return "client id is not the certificate's name"
        if connect.username_flag and connect.username != name:
            return "user name is not the certificate's name"
        if not connect.clean_session_flag:
            return "asks for a kept session"
        if connect.will_flag and not self._access.may_will(name, connect.will_topic):
            return f"will on {connect.will_topic!r}"
        return ""

    async def _turn_away(self, name: str, writer: StreamWriter, refusal: Exception) -> None:
        _log.warning("refused %s: %s", name or "a client without a name", refusal or type(refusal).__name__)
        with contextlib.suppress(OSError, TimeoutError):
            writer.write(getattr(refusal, "answer", b""))
            writer.close()
            async with asyncio.timeout(_PATIENCE):
                await writer.wait_closed()

    async def _host(self, name: str, reader: GuardedReader, writer: StreamWriter) -> None:
        """Serves the connection to its end, after an older one of the same name has ended."""
        task = asyncio.current_task()
        assert task is not None
        older = self._guests.get(name)
        self._guests[name] = guest = _Guest(writer, task)
        if older:
            older.writer.transport.abort()
            await asyncio.wait({older.task}, timeout=_PATIENCE)
        try:
            await self._broker.external_connected(reader, GuardedWriter(writer, name, self._access), LISTENER)
        finally:
            writer.transport.abort()
            if self._guests.get(name) is guest:
                del self._guests[name]


async def read_packet(reader: StreamReader) -> bytes:
    """The bytes of one MQTT packet; ``Refusal`` if it is too large, ``EOFError`` at the end."""
    head = bytearray(await reader.readexactly(2))
    while head[-1] & 0x80:
        if len(head) == 5:
            raise Refusal("malformed length")
        head += await reader.readexactly(1)
    length = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(head[1:]))
    if length > LARGEST_PACKET:
        raise Refusal(f"a packet of {length} bytes")
    return bytes(head) + await reader.readexactly(length)


class Pace:
    """Lets so many things a second through, in bursts of as many, and makes more wait."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._due = time.monotonic()

    async def wait(self) -> None:
        """Returns when one more may go."""
        now = time.monotonic()
        self._due = max(self._due, now - 1) + 1 / self._rate
        if self._due > now:
            await asyncio.sleep(self._due - now)


class GuardedReader(ReaderAdapter):  # type: ignore[misc]
    """What amqtt reads: whole packets only, none too large, not too many, and an end after too long a
    silence."""

    def __init__(
        self, reader: StreamReader, writer: StreamWriter, first: bytes, silence: float, pace: Pace | None
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._rest = memoryview(first)
        self._silence = silence
        self._pace = pace

    async def read(self, n: int = -1) -> bytes:
        """The next ``n`` bytes of a packet; ``ConnectionResetError`` when there are no more."""
        if not self._rest:
            self._rest = memoryview(await self._next())
        taken = bytes(self._rest[:n] if n >= 0 else self._rest)
        self._rest = self._rest[len(taken) :]
        return taken

    def feed_eof(self) -> None:
        """Ends the stream."""
        self._reader.feed_eof()

    async def _next(self) -> bytes:
        # amqtt handles a packet in a task of its own: let it run before the end of the stream is
        # found, or a DISCONNECT is overtaken by it and the will goes out.
        await asyncio.sleep(0)
        if self._pace:
            await self._pace.wait()
        try:
            async with asyncio.timeout(self._silence if self._silence != float("inf") else None):
                return await read_packet(self._reader)
        except (Refusal, TimeoutError) as error:
            _log.warning("connection ended: %s", error or "silent for too long")
        except (OSError, EOFError):
            pass
        self._writer.transport.abort()
        raise ConnectionResetError


class GuardedWriter(WriterAdapter):  # type: ignore[misc]
    """What amqtt writes: no message that the access list does not let the client read."""

    def __init__(self, writer: StreamWriter, name: str, access: AccessList) -> None:
        self._writer = writer
        self._name = name
        self._access = access

    def write(self, data: bytes) -> None:
        """Sends one packet, if it may be sent; ends a connection that does not read."""
        if data[0] >> 4 == _PUBLISH and not self._access.may_receive(self._name, published_topic(data)):
            return
        if self._writer.transport.get_write_buffer_size() > _BACKLOG:
            _log.warning("connection ended: %s does not read", self._name)
            self._writer.transport.abort()
        else:
            self._writer.write(data)

    async def drain(self) -> None:
        """Nothing: a slow client must not hold up amqtt; ``write`` limits what may wait."""

    def get_peer_info(self) -> tuple[str, int] | None:
        """Address and port of the client."""
        peer = self._writer.get_extra_info("peername")
        return (peer[0], peer[1]) if peer else None

    def get_ssl_info(self) -> ssl.SSLObject | None:
        """The TLS connection, for the plugin."""
        tls: ssl.SSLObject | None = self._writer.get_extra_info("ssl_object")
        return tls

    async def close(self) -> None:
        """Ends the connection once everything is sent."""
        self._writer.close()


def published_topic(packet: bytes) -> str:
    """Topic of a PUBLISH packet."""
    start = next(place for place in range(1, 5) if not packet[place] & 0x80) + 1
    length = int.from_bytes(packet[start : start + 2], "big")
    return packet[start + 2 : start + 2 + length].decode()


class VenueAccess(BaseAuthPlugin, BaseTopicPlugin):  # type: ignore[misc]
    """amqtt's plugin: who a client is, and what it may publish, subscribe to and receive."""

    @dataclass
    class Config:
        """Settings of the plugin: the venue and its consoles."""

        venue: str
        consoles: tuple[str, ...]

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._access = AccessList(self.config.venue, frozenset(self.config.consoles))

    async def authenticate(self, *, session: Session) -> bool:
        """Whether the client id is the certificate's name; the user name becomes that name."""
        name = common_name(session.ssl_object)
        session.username = name
        return bool(name) and session.client_id == name

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool:
        """Whether the access list grants the action."""
        if session is None or not topic or not session.username:
            return False
        if action is Action.PUBLISH:
            return self._access.may_publish(session.username, topic)
        if action is Action.SUBSCRIBE:
            return self._access.may_subscribe(session.username, topic)
        return self._access.may_receive(session.username, topic)
