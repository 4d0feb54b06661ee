"""MQTT clients for tests: what they heard, and a way to know that nothing more will come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from broker.mqtt import client_context
from provisioning.identity import DeviceIdentity, TlsIdentity

PATIENCE = 10.0


def as_tls(device: DeviceIdentity) -> TlsIdentity:
    return TlsIdentity(
        device.device, device.venue, device.tls_certificate, device.tls_key, device.ca_certificate
    )


def eventually(condition: Callable[[], object], what: str = "it") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {PATIENCE:g} s"
        time.sleep(0.005)


class Peer:
    """A client under any certificate and client id. ``heard`` lists (topic, payload)."""

    def __init__(
        self,
        address: tuple[str, int],
        identity: TlsIdentity | None,
        *,
        client_id: str | None = None,
        will: tuple[str, bytes] | None = None,
        context: Any = None,
        keepalive: int = 30,
    ) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.refused = threading.Event()
        self.lost = threading.Event()
        self._up = threading.Event()
        self._acked: set[int] = set()
        name = client_id or (identity.name if identity else "nobody")
        self.client = paho.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv311)
        self.client.tls_set_context(context or client_context(identity))
        if will:
            self.client.will_set(will[0], will[1], qos=1, retain=True)
        self.client.on_connect = self._on_connect
        self.client.on_disconnect = lambda *_: self.lost.set()
        self.client.on_connect_fail = lambda *_: self.lost.set()
        self.client.on_message = lambda _c, _d, m: self.heard.append((m.topic, bytes(m.payload)))
        self.client.on_subscribe = lambda _c, _d, mid, *_: self._acked.add(mid)
        self.client.on_publish = lambda _c, _d, mid, *_: self._acked.add(mid)
        self._address, self._keepalive = address, keepalive

    def __enter__(self) -> Peer:
        self.start()
        assert self._up.wait(PATIENCE), "no connection"
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def start(self) -> None:
        self.client.connect_async(*self._address, keepalive=self._keepalive)
        self.client.loop_start()

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def die(self) -> None:
        """Cuts the connection without DISCONNECT, as a power cut does."""
        self.client.loop_stop()
        if sock := self.client.socket():
            sock.close()

    def connected(self) -> bool:
        return self._up.is_set()

    def subscribe(self, *filters: str) -> None:
        _result, mid = self.client.subscribe([(topic, 1) for topic in filters])
        eventually(lambda: mid in self._acked, "SUBACK")

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Publishes, and waits for the server's acknowledgement (which proves nothing)."""
        mid = self.client.publish(topic, payload, qos=1, retain=retain).mid
        eventually(lambda: mid in self._acked, "PUBACK")

    def hears(self, topic: str, payload: bytes) -> None:
        eventually(lambda: (topic, payload) in self.heard, f"{payload!r} on {topic}")

    def topics(self) -> set[str]:
        return {topic for topic, _payload in self.heard}

    def _on_connect(self, _client: paho.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        (self.refused if code.is_failure else self._up).set()
