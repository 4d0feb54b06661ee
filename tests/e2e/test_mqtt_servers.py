"""One set of rules for both MQTT servers: who gets in, and who hears what."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker.mqtt import client_context
from provisioning.ca import VenueAuthority
from tests.e2e.conftest import Hall
from tests.e2e.peers import Peer, eventually

ROOT = "pz/1/hall"
IN_1, IN_2 = f"{ROOT}/dev/seat-1/in", f"{ROOT}/dev/seat-2/in"
ACT_1, ACT_2 = f"{ROOT}/dev/seat-1/act", f"{ROOT}/dev/seat-2/act"
STATUS_1, STATUS_2 = f"{ROOT}/dev/seat-1/status", f"{ROOT}/dev/seat-2/status"
ENGINE = f"{ROOT}/engine/status"


@pytest.fixture
def authority(hall: Hall) -> Iterator[Peer]:
    with Peer(hall.address, hall.venue.client) as peer:
        peer.subscribe(f"{ROOT}/dev/+/act", f"{ROOT}/dev/+/status")
        yield peer


@pytest.fixture
def seat(hall: Hall) -> Iterator[Peer]:
    with Peer(hall.address, hall.device("seat-1")) as peer:
        yield peer


def gets_no_further(peer: Peer) -> bool:
    """Whether the client is turned away: by TLS or by a refusing CONNACK, never by an accepting one."""
    peer.start()
    try:
        eventually(lambda: peer.refused.is_set() or peer.lost.is_set(), "refusal")
        return not peer.connected()
    finally:
        peer.close()


def marker(authority: Peer, *seats: Peer) -> None:
    """What was sent before is through once each seat has heard this on its own stream."""
    for number, peer in enumerate(seats, start=1):
        authority.publish(f"{ROOT}/dev/seat-{number}/in", b"marker")
        peer.hears(f"{ROOT}/dev/seat-{number}/in", b"marker")


def test_a_device_talks_with_the_authority(authority: Peer, seat: Peer) -> None:
    seat.subscribe(IN_1, ENGINE)
    seat.publish(ACT_1, b"act")
    authority.hears(ACT_1, b"act")
    authority.publish(IN_1, b"told")
    seat.hears(IN_1, b"told")
    authority.publish(ENGINE, b"ready", retain=True)
    seat.hears(ENGINE, b"ready")


def test_no_certificate_no_entry(hall: Hall) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(hall.venue.authority.ca_certificate)
    assert gets_no_further(Peer(hall.address, None, client_id="seat-1", context=context))


def test_a_foreign_certificate_gets_no_entry(hall: Hall, tmp_path: Path) -> None:
    other = VenueAuthority.create(tmp_path / "other", "hall")
    foreign = other.issue_client(tmp_path / "foreign", "authority")
    context = client_context(foreign)
    context.load_verify_locations(hall.venue.authority.ca_certificate)
    assert gets_no_further(Peer(hall.address, foreign, context=context))


def test_a_client_does_not_trust_a_foreign_server(hall: Hall, tmp_path: Path) -> None:
    other = VenueAuthority.create(tmp_path / "other", "hall")
    foreign = other.issue_client(tmp_path / "foreign", "seat-1")
    assert gets_no_further(Peer(hall.address, foreign))


def test_old_tls_gets_no_entry(hall: Hall) -> None:
    context = client_context(hall.device("seat-1"))
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection(hall.address) as raw, pytest.raises((ssl.SSLError, ConnectionError)):
        context.wrap_socket(raw, server_hostname=hall.address[0])


def test_a_device_cannot_take_the_authoritys_place(hall: Hall, authority: Peer) -> None:
    thief = Peer(hall.address, hall.device("seat-1"), client_id="authority")
    thief.start()
    eventually(lambda: thief.refused.is_set() or thief.connected(), "an answer")
    with Peer(hall.address, hall.device("seat-2")) as honest:
        honest.publish(ACT_2, b"still there?")
        authority.hears(ACT_2, b"still there?")
    assert not authority.lost.is_set()
    assert thief.topics() == set()
    thief.close()


@pytest.mark.parametrize(
    "topic_filter",
    [
        "#",
        f"{ROOT}/#",
        f"{ROOT}/dev/+/in",
        f"{ROOT}/dev/+/#",
        IN_2,
        ACT_2,
        f"{ROOT}/tbl/+/ev",
        f"{ROOT}/tbl/t1/state",
    ],
)
def test_a_device_hears_its_own_stream_only(
    hall: Hall, authority: Peer, seat: Peer, topic_filter: str
) -> None:
    authority.publish(f"{ROOT}/tbl/t1/state", b"state", retain=True)
    seat.subscribe(IN_1)
    seat.client.subscribe(topic_filter, qos=1)
    authority.publish(IN_2, b"secret")
    authority.publish(f"{ROOT}/tbl/t1/ev", b"events")
    authority.publish(f"{ROOT}/tbl/t1/state", b"new state", retain=True)
    with Peer(hall.address, hall.device("seat-2")) as other:
        other.publish(ACT_2, b"play")
        authority.hears(ACT_2, b"play")
    marker(authority, seat)
    assert seat.topics() <= {IN_1, ENGINE}


def test_connecting_alone_brings_no_table_to_a_device(hall: Hall, authority: Peer) -> None:
    authority.publish(f"{ROOT}/tbl/t1/state", b"state", retain=True)
    with Peer(hall.address, hall.console("console-1")) as console:
        console.subscribe(f"{ROOT}/tbl/+/state")
        console.hears(f"{ROOT}/tbl/t1/state", b"state")
        with Peer(hall.address, hall.device("seat-1")) as late:
            late.subscribe(IN_1)
            marker(authority, late)
            assert late.topics() <= {IN_1, ENGINE}


@pytest.mark.parametrize(
    "topic", [ACT_2, STATUS_2, IN_1, IN_2, ENGINE, f"{ROOT}/tbl/t1/ev", f"{ROOT}/ref/console-1/cmd"]
)
def test_a_device_speaks_for_itself_only(hall: Hall, authority: Peer, seat: Peer, topic: str) -> None:
    seat.subscribe(IN_1, ENGINE)
    with (
        Peer(hall.address, hall.device("seat-2")) as other,
        Peer(hall.address, hall.venue.monitor) as monitor,
    ):
        other.subscribe(IN_2, ENGINE)
        monitor.subscribe(f"{ROOT}/tbl/+/ev", STATUS_2, ENGINE)
        seat.publish(topic, b"forged", retain=True)
        seat.publish(ACT_1, b"after")
        authority.hears(ACT_1, b"after")
        marker(authority, seat, other)
        for peer in (authority, seat, other, monitor):
            assert b"forged" not in {payload for _topic, payload in peer.heard}


@pytest.mark.parametrize("topic", [IN_2, STATUS_2, ENGINE])
def test_a_foreign_will_is_never_delivered(hall: Hall, authority: Peer, topic: str) -> None:
    with Peer(hall.address, hall.device("seat-2")) as other:
        other.subscribe(IN_2, ENGINE)
        forger = Peer(hall.address, hall.device("seat-1"), will=(topic, b"forged"))
        forger.start()
        eventually(lambda: forger.connected() or forger.refused.is_set(), "an answer")
        if forger.connected():
            forger.die()
        with Peer(hall.address, hall.device("seat-1")) as successor:
            successor.subscribe(IN_1)
            marker(authority, successor, other)
        assert b"forged" not in {payload for peer in (authority, other) for _topic, payload in peer.heard}


def test_the_will_of_a_lost_device_comes(hall: Hall, authority: Peer) -> None:
    with Peer(hall.address, hall.device("seat-1"), will=(STATUS_1, b"lost")) as doomed:
        doomed.publish(STATUS_1, b"here", retain=True)
        authority.hears(STATUS_1, b"here")
        doomed.die()
        authority.hears(STATUS_1, b"lost")


def test_a_device_that_says_goodbye_leaves_no_will(hall: Hall, authority: Peer) -> None:
    with Peer(hall.address, hall.device("seat-1"), will=(STATUS_1, b"gone")) as polite:
        polite.publish(STATUS_1, b"here", retain=True)
    with Peer(hall.address, hall.device("seat-1")) as successor:
        successor.publish(ACT_1, b"later")
        authority.hears(ACT_1, b"later")
    assert (STATUS_1, b"gone") not in authority.heard


def test_the_will_of_an_older_connection_never_follows_the_newer_one(hall: Hall, authority: Peer) -> None:
    older = Peer(hall.address, hall.device("seat-1"), will=(STATUS_1, b"older lost"))
    older.client.reconnect_delay_set(60, 60)
    older.start()
    eventually(older.connected)
    with Peer(hall.address, hall.device("seat-1")) as newer:
        newer.publish(STATUS_1, b"newer here", retain=True)
        authority.hears(STATUS_1, b"newer here")
        older.die()
        newer.publish(ACT_1, b"after")
        authority.hears(ACT_1, b"after")
    statuses = [payload for topic, payload in authority.heard if topic == STATUS_1]
    assert statuses[-1] == b"newer here"


def test_a_silent_connection_is_ended_and_its_will_sent(hall: Hall, authority: Peer) -> None:
    with Peer(hall.address, hall.device("seat-1"), will=(STATUS_1, b"silent"), keepalive=1) as sleeper:
        sleeper.client.loop_stop()  # sends nothing more, but the connection stays open
        authority.hears(STATUS_1, b"silent")


def test_an_oversized_packet_ends_its_connection_only(hall: Hall, authority: Peer, seat: Peer) -> None:
    seat.client.publish(ACT_1, bytes(200_000), qos=1)
    eventually(seat.lost.is_set, "the end of the connection")
    with Peer(hall.address, hall.device("seat-2")) as other:
        other.publish(ACT_2, b"small")
        authority.hears(ACT_2, b"small")
    assert all(len(payload) < 200_000 for _topic, payload in authority.heard)


def test_garbage_is_survived(hall: Hall, authority: Peer) -> None:
    for data in (
        b"",
        b"\x00",
        b"\x10\xff\xff\xff\xff\xff",
        b"\x10\x02\x00\x04",
        b"\x30\x05\x00\x01a",
        b"GET / HTTP/1.1\r\n\r\n",
    ):
        context = client_context(hall.device("seat-1"))
        raw = socket.create_connection(hall.address)
        with context.wrap_socket(raw, server_hostname=hall.address[0]) as tls:
            tls.sendall(data)
        with socket.create_connection(hall.address) as raw:
            raw.sendall(data)
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.publish(ACT_1, b"alive")
        authority.hears(ACT_1, b"alive")


def test_a_monitor_sees_tables_and_devices_but_no_stream(hall: Hall, authority: Peer) -> None:
    authority.publish(f"{ROOT}/tbl/t1/state", b"state", retain=True)
    with Peer(hall.address, hall.venue.monitor) as monitor:
        monitor.subscribe(f"{ROOT}/tbl/+/state", f"{ROOT}/dev/+/status")
        monitor.client.subscribe(IN_1, qos=1)
        monitor.hears(f"{ROOT}/tbl/t1/state", b"state")
        authority.publish(IN_1, b"secret")
        authority.publish(f"{ROOT}/tbl/t1/state", b"state 2", retain=True)
        monitor.hears(f"{ROOT}/tbl/t1/state", b"state 2")
        assert IN_1 not in monitor.topics()


def test_a_stream_keeps_its_order(authority: Peer, seat: Peer) -> None:
    seat.subscribe(IN_1)
    expected = [b"%d" % n for n in range(300)]
    for payload in expected:
        authority.client.publish(IN_1, payload, qos=1)
    seat.hears(IN_1, expected[-1])
    assert [payload for _topic, payload in seat.heard][-300:] == expected
