"""The link: a real MQTT server on this machine, and everything that can be wrong with one."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from broker.config import read
from broker.protocol import codec, topics
from broker.protocol.messages import Announcement, DeviceStatus, EngineStatus
from broker.server import MqttServer
from broker.venue import Venue, prepare
from provisioning.ca import VenueAuthority
from provisioning.identity import DeviceIdentity, IdentityError, TlsIdentity
from terminal import link as link_module
from terminal.faults import LASTING, Fault, LinkError, fault_of
from terminal.link import Link, tls_context
from terminal.session import Session
from tests.e2e.peers import Peer, eventually

DEVICES = ("seat-1", "seat-2", "seat-3", "seat-4")


class Hall:
    """A venue with a server that can be stopped, and its authority's client."""

    def __init__(self, folder: Path) -> None:
        seats = [{"device": device, "player": device} for device in DEVICES]
        contents = {"venue": {"id": "hall"}, "mqtt": {"port": 0}, "table": [{"id": "t1", "seats": seats}]}
        self.venue: Venue = prepare(read(contents, "test", folder))
        self.server = MqttServer(self.venue.config, self.venue.listener())
        self.server.start()

    def identity(self, device: str = "seat-1") -> DeviceIdentity:
        return DeviceIdentity.load(self.venue.config.devices / device)

    def authority(self) -> Peer:
        return Peer(self.server.address, self.venue.client)

    def link(self, identity: DeviceIdentity, **other: Any) -> Link:
        host, port = self.server.address
        return Link(identity, other.get("host", host), other.get("port", port), session_of(identity))


def session_of(identity: DeviceIdentity) -> Session:
    return Session(identity, "test", lambda: time.monotonic_ns() // 10**6)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    hall = Hall(tmp_path_factory.mktemp("hall"))
    yield hall
    hall.server.stop()


@contextmanager
def running(link: Link) -> Iterator[Link]:
    link.start()
    try:
        yield link
    finally:
        link.stop()


def pumped(link: Link, condition: Callable[[], object], what: str) -> None:
    """Pumps the link until the condition holds."""

    def holds() -> object:
        link.pump()
        return condition()

    eventually(holds, what)


def status(state: str = "ready", boot: str = "b1") -> bytes:
    return msgspec.json.encode({"v": 1, "boot": boot, "state": state, "beat": 1})


def acts(peer: Peer) -> list[bytes]:
    return [payload for topic, payload in peer.heard if topic.endswith("/act")]


def test_greets_the_authority_and_hears_it(hall: Hall) -> None:
    identity = hall.identity()
    own_status = topics.device_status("hall", "seat-1")
    with hall.authority() as authority:
        authority.subscribe("pz/1/hall/dev/+/act", "pz/1/hall/dev/+/status")
        authority.publish(topics.engine_status("hall"), status(), retain=True)
        with running(hall.link(identity)) as link:
            pumped(link, lambda: acts(authority), "a hello")
            authority.publish(topics.device_in("hall", "seat-1"), codec.encode_told(Announcement(key="hi")))
            pumped(link, lambda: link.session.notice, "the announcement")
            assert link.fault is None and link.session.link.state == "connecting"
            here = DeviceStatus(v=1, session=link.session.id, state="ready")
            authority.hears(own_status, msgspec.json.encode(here))
        gone = DeviceStatus(v=1, session=link.session.id, state="offline")
        authority.hears(own_status, msgspec.json.encode(gone))
        assert not any(b'"lost"' in payload for topic, payload in authority.heard if topic == own_status)


def test_will_names_the_session(hall: Hall) -> None:
    with hall.authority() as authority:
        authority.subscribe("pz/1/hall/dev/+/status")
        link = hall.link(hall.identity())
        link.start()
        pumped(link, lambda: any(b'"ready"' in payload for _, payload in authority.heard), "the status")
        sock = link.client.socket()
        assert sock is not None
        sock.shutdown(socket.SHUT_RDWR)
        lost = DeviceStatus(v=1, session=link.session.id, state="lost")
        authority.hears(topics.device_status("hall", "seat-1"), msgspec.json.encode(lost))
        link.stop()


def test_without_an_authority_it_waits(hall: Hall) -> None:
    with hall.authority() as authority:
        authority.publish(topics.engine_status("hall"), b"", retain=True)
        with running(hall.link(hall.identity())) as link:
            pumped(link, lambda: link.session.link.cause == Fault.ABSENT, "the cause")
            authority.publish(topics.engine_status("hall"), status("starting"), retain=True)
            pumped(link, lambda: link.session.link.cause == "starting", "the cause")
            authority.publish(topics.engine_status("hall"), status(), retain=True)
            pumped(link, lambda: link.session.link.state == "connecting", "the greeting")


def test_comes_back_by_itself_and_greets_again(hall: Hall) -> None:
    with hall.authority() as authority, running(hall.link(hall.identity())) as link:
        authority.publish(topics.engine_status("hall"), status(), retain=True)
        pumped(link, lambda: link._greeted, "the greeting")
        hall.server.stop()
        pumped(link, lambda: link.session.link.state == "offline", "the loss")
        assert link.fault is not None
        hall.server.start()
        eventually(authority.client.is_connected, "the authority's connection")
        authority.subscribe("pz/1/hall/dev/+/act")
        authority.publish(topics.engine_status("hall"), status(boot="b2"), retain=True)
        pumped(link, lambda: acts(authority), "a second hello")
        assert link.fault is None


def test_a_new_session_has_a_will_of_its_own(hall: Hall) -> None:
    with hall.authority() as authority:
        authority.subscribe("pz/1/hall/dev/+/status", "pz/1/hall/dev/+/act")
        authority.publish(topics.engine_status("hall"), status(), retain=True)
        with running(hall.link(hall.identity())) as link:
            pumped(link, lambda: acts(authority), "a hello")
            old = link.session.id
            link.session._dialogue.outbox.renew()
            assert link.session.id != old
            here = DeviceStatus(v=1, session=link.session.id, state="ready")
            expected = (topics.device_status("hall", "seat-1"), msgspec.json.encode(here))
            pumped(link, lambda: expected in authority.heard, "the new status")


def test_what_cannot_be_read_is_dropped(hall: Hall) -> None:
    with hall.authority() as authority, running(hall.link(hall.identity())) as link:
        authority.publish(topics.engine_status("hall"), b"\xff{", retain=True)
        inbox = topics.device_in("hall", "seat-1")
        pumped(link, lambda: link._subscribed, "the subscription")
        for payload in (b"", b"{}", b"\xff", b"[" * 5000):
            authority.publish(inbox, payload)
        authority.publish(inbox, codec.encode_told(Announcement(key="still here")))
        pumped(link, lambda: link.session.notice, "the announcement")


def test_an_error_in_a_callback_does_not_end_the_connection(
    hall: Hall, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("a fault of ours")

    with hall.authority() as authority:
        authority.publish(topics.engine_status("hall"), status(), retain=True)
        link = hall.link(hall.identity())
        link._wake = fail
        with running(link):
            pumped(link, lambda: link._greeted, "the greeting")
            assert link.client.is_connected()
    assert "a fault of ours" in caplog.text


# --- faults --------------------------------------------------------------------------------------


class Door:
    """A port at which somebody else listens: TLS with these files, or plain bytes."""

    def __init__(self, identity: TlsIdentity | None) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._context: ssl.SSLContext | None = None
        if identity:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(identity.tls_certificate, identity.tls_key)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
                if self._context is None:
                    caller.sendall(b"220 ready\r\n")
                else:
                    caller = self._context.wrap_socket(caller, server_side=True)
            except ssl.SSLError:
                continue
            except OSError:
                return
            caller.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@contextmanager
def door(identity: TlsIdentity | None) -> Iterator[int]:
    door = Door(identity)
    try:
        yield door.port
    finally:
        door.close()


def fault_with(hall: Hall, identity: DeviceIdentity, **other: Any) -> LinkError:
    with running(hall.link(identity, **other)) as link:
        pumped(link, lambda: link.fault, "a fault")
        assert link.fault is not None and link.session.link.state == "offline"
        assert link.session.link.cause == link.fault.fault
        return link.fault


def test_nobody_at_the_port(hall: Hall) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    fault = fault_with(hall, hall.identity(), port=port)
    assert fault.fault is Fault.UNREACHABLE and f"127.0.0.1:{port}" in str(fault)


def test_no_such_host(hall: Hall) -> None:
    assert fault_with(hall, hall.identity(), host="no-such-host.invalid").fault is Fault.NAME_UNKNOWN


def test_a_port_without_tls(hall: Hall) -> None:
    with door(None) as port:
        assert fault_with(hall, hall.identity(), port=port).fault is Fault.NOT_TLS


@pytest.mark.parametrize(
    "error", [ssl.SSLEOFError, ssl.SSLZeroReturnError, ConnectionResetError, TimeoutError]
)
def test_a_server_that_hangs_up_may_be_back_soon(error: type[OSError]) -> None:
    assert fault_of(error()) is Fault.UNREACHABLE
    assert Fault.UNREACHABLE not in LASTING


def test_a_server_of_another_venue(hall: Hall, tmp_path: Path) -> None:
    other = VenueAuthority.create(tmp_path / "ca", "hall")
    with door(other.issue_server(tmp_path / "server", ["localhost"], ["127.0.0.1"])) as port:
        assert fault_with(hall, hall.identity(), port=port).fault is Fault.SERVER_FOREIGN


def test_a_server_under_another_name(hall: Hall, tmp_path: Path) -> None:
    elsewhere = hall.venue.authority.issue_server(tmp_path / "server", ["elsewhere"], [], replace=True)
    with door(elsewhere) as port:
        assert fault_with(hall, hall.identity(), port=port).fault is Fault.SERVER_NAME


def test_a_server_whose_certificate_ran_out(hall: Hall, tmp_path: Path) -> None:
    past = datetime.now(UTC) - timedelta(days=90)
    old = VenueAuthority.create(tmp_path / "ca", "hall", past)
    server = old.issue_server(tmp_path / "server", ["localhost"], ["127.0.0.1"], now=past)
    trusting = replace(hall.identity(), ca_certificate=server.ca_certificate)
    with door(server) as port:
        assert fault_with(hall, trusting, port=port).fault is Fault.SERVER_EXPIRED


def test_a_device_of_another_venue_is_refused(hall: Hall, tmp_path: Path) -> None:
    other = VenueAuthority.create(tmp_path / "ca", "hall").issue_device(tmp_path / "seat-1", "seat-1")
    trusting = replace(other, ca_certificate=hall.identity().ca_certificate)
    assert fault_with(hall, trusting).fault is Fault.REFUSED


def test_keys_that_tls_cannot_use(hall: Hall, tmp_path: Path) -> None:
    broken = tmp_path / "tls.crt"
    broken.write_text("no certificate")
    with pytest.raises(IdentityError, match="issue it again"):
        tls_context(replace(hall.identity(), tls_certificate=broken))


def test_every_fault_has_words_in_both_languages() -> None:
    for fault in Fault:
        chinese, english = str(LinkError(fault, "seat.example:8883")).split("\n")
        assert "seat.example:8883" in chinese and "seat.example:8883" in english


def test_at_least_tls_1_2(hall: Hall) -> None:
    assert tls_context(hall.identity()).minimum_version >= ssl.TLSVersion.TLSv1_2


def test_engine_status_of_a_newer_version_is_understood() -> None:
    raw = b'{"v":1,"boot":"b","state":"ready","beat":3,"load":0.5}'
    assert msgspec.json.decode(raw, type=EngineStatus).beat == 3
    assert link_module.QOS == 1
