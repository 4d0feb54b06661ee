"""A venue with two devices and a running MQTT server of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from broker.config import Config, read
from broker.mosquitto import find
from broker.server import MqttServer
from broker.venue import Venue, prepare
from provisioning.identity import DeviceIdentity, TlsIdentity
from tests.e2e.peers import as_tls

KINDS = ("mosquitto", "embedded")


def table(name: str, *devices: str) -> dict[str, object]:
    return {"id": name, "seats": [{"device": device, "player": device.upper()} for device in devices]}


def configure(folder: Path, server: str = "auto", **more: object) -> Config:
    contents = {
        "venue": {"id": "hall"},
        "mqtt": {"server": server, "port": 0, "consoles": ["console-1"]},
        "table": [table("t1", "seat-1", "seat-2", "seat-3", "seat-4")],
        **more,
    }
    return read(contents, "test", folder)


@dataclass
class Hall:
    """A venue whose MQTT server runs."""

    venue: Venue
    server: MqttServer

    @property
    def address(self) -> tuple[str, int]:
        return self.server.address

    def device(self, name: str) -> TlsIdentity:
        return as_tls(DeviceIdentity.load(self.venue.config.devices / name))

    def console(self, name: str) -> TlsIdentity:
        return self.venue.authority.issue_client(self.venue.config.data / name, name, replace=True)


@pytest.fixture(scope="module", params=KINDS)
def hall(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    if request.param == "mosquitto" and find() is None:
        pytest.skip("mosquitto is not installed")
    venue = prepare(configure(tmp_path_factory.mktemp(request.param), request.param))
    server = MqttServer(venue.config, venue.listener())
    server.start()
    yield Hall(venue, server)
    server.stop()
