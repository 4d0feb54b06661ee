"""A look at a running venue over MQTT, under a certificate that may read and never publish."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import paho.mqtt.client as paho

from broker.access import GRANTS, AccessList, Role
from broker.config import Config
from broker.mqtt import new_client
from broker.server import last_server, reachable
from broker.venue import monitor_identity

CONNECT_SECONDS: Final = 3.0


class Unreachable(Exception):
    """The venue's MQTT server does not answer."""


class Monitor:
    """A connection for as long as the context lasts.

    ``heard`` gets each message: its topic below the venue's root, and its payload; it is called on
    paho's thread. ``IdentityError`` if the venue has never been started, ``Unreachable`` if its
    MQTT server does not answer.
    """

    def __init__(self, config: Config, heard: Callable[[str, bytes], None]) -> None:
        self._heard = heard
        self._root = AccessList(config.venue).root
        self._address = reachable(config.mqtt.host), config.mqtt.port or last_server(config.runtime).port
        self._settled = threading.Event()
        self._up = False
        self._client = new_client(monitor_identity(config))
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = lambda *_: self._settled.set()
        self._client.on_subscribe = self._on_subscribe
        self._client.on_message = self._on_message

    def __enter__(self) -> Monitor:
        if not self._address[1]:
            raise Unreachable
        self._client.connect_async(*self._address)
        self._client.loop_start()
        self._settled.wait(CONNECT_SECONDS)
        if not self._up:
            self._leave()
            raise Unreachable
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connect(self, client: paho.Client, _data: Any, _flags: Any, code: Any, _props: Any) -> None:
        if not code.is_failure:
            client.subscribe([(self._root + topic, 1) for topic in GRANTS[Role.MONITOR].read])

    def _on_subscribe(self, *_: Any) -> None:
        self._up = True
        self._settled.set()

    def _on_message(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        self._heard(message.topic.removeprefix(self._root), bytes(message.payload))
