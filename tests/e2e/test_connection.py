"""The authority's connection: there only once it hears, and there again after the server was lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from broker.mqtt import Connection
from broker.tables.plan import SYSTEM_TIME, Arrival
from tests.broker.test_child import server_of
from tests.e2e.conftest import Hall
from tests.e2e.peers import Peer, eventually

ROOT = "pz/1/hall"
LOST = b'{"v":1,"boot":"00","state":"lost"}'


class Hub:
    """What the connection hands on."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self.ups = 0

    def post(self, arrival: Arrival) -> None:
        self.arrivals.append(arrival)
        if arrival.payload == b"trouble":
            raise RuntimeError("a fault of the receiver")

    def up(self) -> None:
        self.ups += 1


@pytest.fixture
def connected(hall: Hall) -> Iterator[tuple[Hub, Connection]]:
    hub, connection = Hub(), Connection(hall.venue.client)
    assert not connection.is_ready()
    connection.start(hall.address, LOST, hub.post, hub.up)
    assert connection.wait_ready(10)
    yield hub, connection
    connection.stop()


def test_what_arrives_is_stamped_and_handed_on(hall: Hall, connected: tuple[Hub, Connection]) -> None:
    hub, _connection = connected
    before = SYSTEM_TIME.monotonic_ms()
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.publish(f"{ROOT}/dev/seat-1/act", b"act")
        eventually(lambda: [a for a in hub.arrivals if a.payload == b"act"])
    (arrival,) = (a for a in hub.arrivals if a.payload == b"act")
    assert arrival.topic == f"{ROOT}/dev/seat-1/act"
    assert before <= arrival.at_ms <= SYSTEM_TIME.monotonic_ms()
    assert hub.ups == 1


def test_a_fault_of_the_receiver_does_not_end_the_connection(
    hall: Hall, connected: tuple[Hub, Connection]
) -> None:
    hub, connection = connected
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.publish(f"{ROOT}/dev/seat-1/act", b"trouble")
        seat.publish(f"{ROOT}/dev/seat-1/act", b"after")
        eventually(lambda: [a for a in hub.arrivals if a.payload == b"after"])
    assert connection.is_ready()


def test_after_a_restart_of_the_server_everything_goes_on(
    hall: Hall, connected: tuple[Hub, Connection]
) -> None:
    hub, connection = connected
    os.kill(server_of(hall.server._child), signal.SIGKILL)
    eventually(lambda: not connection.is_ready())
    connection.tell(f"{ROOT}/dev/seat-1/in", b"dropped")
    eventually(hall.server.restart_if_dead)
    eventually(connection.is_ready)
    assert hub.ups == 2
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.subscribe(f"{ROOT}/dev/seat-1/in")
        connection.tell(f"{ROOT}/dev/seat-1/in", b"told")
        seat.hears(f"{ROOT}/dev/seat-1/in", b"told")
        assert (f"{ROOT}/dev/seat-1/in", b"dropped") not in seat.heard


def test_the_will_comes_only_if_the_authority_is_lost(hall: Hall, connected: tuple[Hub, Connection]) -> None:
    _hub, connection = connected
    status = f"{ROOT}/engine/status"
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.subscribe(status)
        connection.tell(status, b"stopping", retain=True)
        connection.stop()
        seat.hears(status, b"stopping")
        doomed = Connection(hall.venue.client)
        doomed.start(hall.address, LOST, lambda _arrival: None, lambda: None)
        assert doomed.wait_ready(10)
        assert (status, LOST) not in seat.heard
        doomed._client.loop_stop()
        doomed._client.socket().close()
        seat.hears(status, LOST)


def test_a_server_that_refuses_is_no_connection(hall: Hall) -> None:
    stranger = Connection(hall.venue.monitor)  # may not subscribe to what the authority reads
    heard = threading.Event()
    stranger.start(hall.address, LOST, lambda _arrival: heard.set(), lambda: None)
    with Peer(hall.address, hall.device("seat-1")) as seat:
        seat.publish(f"{ROOT}/dev/seat-1/act", b"secret")
        seat.subscribe(f"{ROOT}/dev/seat-1/in")
    stranger.stop()
    assert not heard.is_set()
