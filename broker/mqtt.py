"""The authority's connection to the MQTT server.

paho's thread only stamps what comes in and hands it on; what goes out comes from the hub's
thread. An MQTT acknowledgement proves nothing, so nothing here waits for one, except for that of
the subscriptions: the authority is there only once it hears.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from broker.access import GRANTS, Role
from broker.protocol.messages import VERSION
from broker.protocol.topics import engine_status
from broker.tables.plan import SYSTEM_TIME, Arrival
from provisioning.identity import TlsIdentity

KEEPALIVE: Final = 15
"""Seconds."""
_RECONNECT: Final = (1, 5)
_IN_FLIGHT: Final = 1000
_QUEUED: Final = 20_000

_log = logging.getLogger(__name__)


def client_context(identity: TlsIdentity) -> ssl.SSLContext:
    """TLS of a client: at least 1.3, its own certificate, and the venue's servers only."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.load_verify_locations(identity.ca_certificate)
    context.load_cert_chain(identity.tls_certificate, identity.tls_key)
    return context


def new_client(identity: TlsIdentity) -> paho.Client:
    """A paho client under the certificate's name: MQTT 3.1.1, clean session, TCP_NODELAY."""
    client = paho.Client(
        CallbackAPIVersion.VERSION2, client_id=identity.name, protocol=paho.MQTTv311, clean_session=True
    )
    client.tls_set_context(client_context(identity))
    client.on_socket_open = _no_delay
    client.reconnect_delay_set(*_RECONNECT)
    client.suppress_exceptions = False
    return client


class Connection:
    """The authority's client: an ``Outbox`` for the hub, and the source of its arrivals."""

    def __init__(self, identity: TlsIdentity) -> None:
        self._venue = identity.venue
        self._ready = threading.Event()
        self._stopping = False
        self._subscription: int | None = None
        self._post: Callable[[Arrival], None] = _nowhere
        self._up: Callable[[], None] = _nothing
        self._client = client = new_client(identity)
        client.max_inflight_messages_set(_IN_FLIGHT)
        client.max_queued_messages_set(_QUEUED)
        client.on_connect = self._on_connect
        client.on_subscribe = self._on_subscribe
        client.on_message = self._on_message
        client.on_disconnect = self._on_disconnect

    def start(
        self,
        address: tuple[str, int],
        will: bytes,
        post: Callable[[Arrival], None],
        up: Callable[[], None],
    ) -> None:
        """Begins to connect, and does so again whenever the connection is lost.

        ``post`` takes what comes in; ``up`` is called each time all subscriptions stand, so that
        everything retained can be published again. Both are called on paho's thread.
        """
        self._post, self._up = post, up
        self._client.will_set(engine_status(self._venue), will, qos=1, retain=True)
        self._client.connect_async(*address, keepalive=KEEPALIVE)
        self._client.loop_start()

    def wait_ready(self, seconds: float) -> bool:
        """Whether all subscriptions stood within that time."""
        return self._ready.wait(seconds)

    def is_ready(self) -> bool:
        """Whether all subscriptions stand now."""
        return self._ready.is_set()

    def tell(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Sends on its way. Without a connection it is dropped: all is published again after one."""
        if self._ready.is_set():
            self._client.publish(topic, payload, qos=1, retain=retain)

    def stop(self, seconds: float = 2.0) -> None:
        """Sends what is still on its way, then leaves without a will."""
        self._stopping = True
        deadline = time.monotonic() + seconds
        while self._ready.is_set() and self._client.want_write() and time.monotonic() < deadline:
            time.sleep(0.005)
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: paho.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        if code.is_failure:
            _log.error("the MQTT server refused the authority: %s", code)
            return
        root = f"pz/{VERSION}/{self._venue}/"
        filters = [(root + topic, 1) for topic in GRANTS[Role.AUTHORITY].read]
        _result, self._subscription = client.subscribe(filters)

    def _on_subscribe(self, _client: paho.Client, _data: Any, mid: int, codes: Any, _props: Any) -> None:
        refused = [code for code in codes if code.is_failure]
        if refused or mid != self._subscription:
            _log.error("the MQTT server refused a subscription of the authority: %s", refused)
            return
        self._ready.set()
        self._guarded(self._up)

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        at_ms = SYSTEM_TIME.monotonic_ms()
        self._guarded(lambda: self._post(Arrival(message.topic, bytes(message.payload), at_ms)))

    def _on_disconnect(self, _client: paho.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        self._ready.clear()
        if not self._stopping:
            _log.warning("connection to the MQTT server lost: %s", code)

    def _guarded(self, call: Callable[[], None]) -> None:
        """An error in a callback would end paho's thread without a word."""
        try:
            call()
        except Exception:
            _log.exception("error in a callback of the MQTT connection")


def _nowhere(_arrival: Arrival) -> None:
    """Where arrivals go before ``start``."""


def _nothing() -> None:
    """What is done before ``start``."""


def _no_delay(_client: paho.Client, _data: Any, sock: Any) -> None:
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
