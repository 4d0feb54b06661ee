"""The link: one seat's MQTT connection. The only place where two threads meet.

paho's callbacks put what happened on a queue and do nothing else; ``pump`` takes it off on the
owner's thread, feeds the session, and publishes what the session hands out. A server's
acknowledgement proves nothing, so nothing here waits for one: the session asks again.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec
from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from broker.protocol import codec, topics
from broker.protocol.messages import VERSION, DeviceStatus, EngineStatus
from broker.protocol.verdict import Malformed
from provisioning.identity import DeviceIdentity, IdentityError
from terminal.faults import Fault, LinkError, fault_of
from terminal.session import Session
from terminal.state import ALIVE

KEEPALIVE: Final = 10
"""Seconds of silence after which paho asks the server for a sign of life."""
RETRY: Final = 1
"""Seconds between two attempts to connect."""
CONNECT_WAIT: Final = 5
"""Seconds that a connection may take to be made."""
FAREWELL: Final = 1
"""Seconds that the last message may take."""

QOS: Final = 1
KEEPALIVE_TIMEOUT: Final = 141
"""Reason code with which paho ends a connection that answers no ping."""

_log: Final = logging.getLogger(__name__)


class Subscribed(NamedTuple):
    """Connected, and the server has taken the subscriptions."""


class Failed(NamedTuple):
    """No connection, or no longer."""

    fault: Fault


class Message(NamedTuple):
    """Something was published; ``at`` is when it had been read, by ``time.perf_counter``."""

    topic: str
    payload: bytes
    at: float


Happened: TypeAlias = Subscribed | Failed | Message


class Watcher(Protocol):
    """Whoever drives the connection instead of a thread of paho's: see ``reactor``."""

    def opened(self, link: Link, sock: socket.socket) -> None:
        """A socket is there."""

    def closed(self, link: Link, sock: socket.socket) -> None:
        """The socket is about to be closed."""

    def wants_write(self, link: Link, wants: bool) -> None:
        """Whether bytes wait to be written."""


def tls_context(identity: DeviceIdentity) -> ssl.SSLContext:
    """Mutual TLS, 1.2 or later, trusting this venue's authority alone; ``IdentityError`` if it cannot be."""
    try:
        context = ssl.create_default_context(cafile=str(identity.ca_certificate))
        context.load_cert_chain(identity.tls_certificate, identity.tls_key)
    except OSError as wrong:
        raise IdentityError(
            f"TLS 用不了 {identity.tls_certificate}：请重新签发（{wrong}）。",
            f"TLS cannot use {identity.tls_certificate}: issue it again ({wrong}).",
        ) from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class Link:
    """A session's connection to the MQTT server at ``host``, ``port``.

    ``wake`` is called, on any thread, when ``pump`` has something to do. ``fault`` tells why there
    is no connection; None while there is one, and before the first attempt. ``read_at`` is when the
    message that the session is told now, or was told last, had been read.
    """

    def __init__(
        self,
        identity: DeviceIdentity,
        host: str,
        port: int,
        session: Session,
        wake: Callable[[], None] = lambda: None,
        watcher: Watcher | None = None,
    ) -> None:
        self.session = session
        self.fault: LinkError | None = None
        self.read_at = 0.0
        self._host, self._port = host, port
        self._wake = wake
        self._watcher = watcher
        self._happened: SimpleQueue[Happened] = SimpleQueue()
        self._in = topics.device_in(identity.venue, identity.device)
        self._act = topics.device_act(identity.venue, identity.device)
        self._own_status = topics.device_status(identity.venue, identity.device)
        self._engine_status = topics.engine_status(identity.venue)
        self._subscribed = False
        self._greeted = False
        self._authority: EngineStatus | None = None
        self._accepted = False
        self.client = self._make_client(identity)
        self._arm()

    # --- the owner's thread --------------------------------------------------------------------

    def start(self) -> None:
        """Connects, and again whenever the connection is lost, on a thread of paho's."""
        self.client.loop_start()

    def stop(self) -> None:
        """Says goodbye, waiting at most ``FAREWELL`` seconds for it to go out, and disconnects."""
        if self.client.is_connected():
            farewell = self.client.publish(self._own_status, self._status("offline"), QOS, retain=True)
            if self._watcher is None:
                with suppress(ValueError, RuntimeError):
                    farewell.wait_for_publish(FAREWELL)
        self._hang_up()

    def failed(self, fault: Fault) -> None:
        """An attempt to connect has failed; for a watcher, which makes the attempts."""
        self._put(Failed(fault))

    def pump(self) -> None:
        """Moves messages both ways: what came in to the session, what it hands out to the server."""
        with suppress(Empty):
            while True:
                self._take(self._happened.get_nowait())
        if self._armed_for != self.session.id:
            self._rearm()
        for envelope in self.session.outgoing():
            self.client.publish(self._act, envelope, QOS)

    def _take(self, happened: Happened) -> None:
        match happened:
            case Subscribed():
                self._subscribed, self.fault = True, None
                self.client.publish(self._own_status, self._status("ready"), QOS, retain=True)
                self._greet()
            case Failed(fault):
                self._lose(fault)
            case Message(topic, payload, at):
                self.read_at = at
                self._read(topic, payload)

    def _lose(self, fault: Fault) -> None:
        """A connection that was lost keeps its fault until the next attempt has one of its own."""
        self._subscribed = self._greeted = False
        self._authority = None
        self.fault = LinkError(fault, f"{self._host}:{self._port}")
        self.session.offline(fault.value)

    def _read(self, topic: str, payload: bytes) -> None:
        """What cannot be read is dropped: the authority's next word, or its beat, sets things right."""
        try:
            if topic == self._engine_status:
                self._authority = msgspec.json.decode(payload, type=EngineStatus)
                self._greet()
            elif topic == self._in:
                self.session.receive(codec.decode_told(payload))
        except (Malformed, msgspec.MsgspecError, UnicodeDecodeError) as wrong:
            _log.warning("dropped a message on %s: %s", topic, wrong)

    def _greet(self) -> None:
        """Tells the session of the authority, once subscriptions stand, so that no answer is missed."""
        if not self._subscribed:
            return
        if self._authority is None:
            self.session.offline(Fault.ABSENT.value)
        elif self._greeted or self._authority.state not in ALIVE:
            self.session.engine_state(self._authority)
        else:
            self._greeted = True
            self.session.online(self._authority.boot)

    # --- connecting ----------------------------------------------------------------------------

    def _make_client(self, identity: DeviceIdentity) -> Client:
        client = Client(CallbackAPIVersion.VERSION2, identity.device, clean_session=True, protocol=MQTTv311)
        client.tls_set_context(tls_context(identity))
        client.connect_timeout = CONNECT_WAIT
        client.reconnect_delay_set(RETRY, RETRY)
        client.on_socket_open = _guarded(self._on_socket_open)
        client.on_connect = _guarded(self._on_connect)
        client.on_connect_fail = _guarded(self._on_connect_fail)
        client.on_subscribe = _guarded(self._on_subscribe)
        client.on_message = _guarded(self._on_message)
        client.on_disconnect = _guarded(self._on_disconnect)
        if self._watcher is not None:
            client.on_socket_close = _guarded(self._on_socket_close)
            client.on_socket_register_write = _guarded(partial(self._on_wants_write, True))
            client.on_socket_unregister_write = _guarded(partial(self._on_wants_write, False))
        return client

    def _arm(self) -> None:
        """Names the present session in the will, so that a late one cannot end a newer session."""
        self._armed_for = self.session.id
        self.client.will_set(self._own_status, self._status("lost"), QOS, retain=True)
        self.client.connect_async(self._host, self._port, KEEPALIVE)

    def _rearm(self) -> None:
        """A will holds for a connection: a new session needs a new one."""
        self._lose(Fault.LOST)
        self._hang_up()
        self._arm()
        if self._watcher is None:
            self.client.loop_start()

    def _hang_up(self) -> None:
        self.client.disconnect()
        if self._watcher is None:
            self.client.loop_stop()
        else:
            self.client.loop_write()

    def _status(self, state: Literal["ready", "offline", "lost"]) -> bytes:
        return msgspec.json.encode(DeviceStatus(v=VERSION, session=self.session.id, state=state))

    # --- paho's thread -------------------------------------------------------------------------

    def _put(self, happened: Happened) -> None:
        self._happened.put(happened)
        self._wake()

    def _on_socket_open(self, _client: Client, _data: Any, sock: Any) -> None:
        """Without TCP_NODELAY an act takes 43 ms instead of half a millisecond."""
        self._accepted = False
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._watcher is not None:
            self._watcher.opened(self, sock)

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._put(Failed(Fault.REFUSED))
            return
        self._accepted = True
        client.subscribe([(self._in, QOS), (self._engine_status, QOS)])

    def _on_connect_fail(self, _client: Client, _data: Any) -> None:
        """paho calls this while it handles the error, and does not hand it over."""
        self._put(Failed(fault_of(sys.exc_info()[1])))

    def _on_subscribe(self, _client: Client, _data: Any, _mid: int, reasons: Any, _properties: Any) -> None:
        refused = any(reason.is_failure for reason in reasons)
        self._put(Failed(Fault.NOT_ALLOWED) if refused else Subscribed())

    def _on_message(self, _client: Client, _data: Any, message: Any) -> None:
        self._put(Message(message.topic, message.payload, time.perf_counter()))

    def _on_disconnect(self, _client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        """With TLS 1.3 a server refuses a certificate only after the handshake, by hanging up."""
        silent = reason.value == KEEPALIVE_TIMEOUT
        fault = Fault.LOST if self._accepted else Fault.UNREACHABLE if silent else Fault.REFUSED
        self._put(Failed(fault))

    def _on_socket_close(self, _client: Client, _data: Any, sock: Any) -> None:
        if self._watcher is not None:
            self._watcher.closed(self, sock)

    def _on_wants_write(self, wants: bool, _client: Client, _data: Any, _sock: Any) -> None:
        if self._watcher is not None:
            self._watcher.wants_write(self, wants)


def _guarded(callback: Callable[..., None]) -> Callable[..., None]:
    """The callback, made unable to end paho's thread by an error of its own."""

    def guarded(*arguments: Any) -> None:
        try:
            callback(*arguments)
        except Exception:
            _log.exception("an MQTT callback failed")

    return guarded
