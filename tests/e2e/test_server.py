"""Starting, finding again, and losing the MQTT server; what is said when it cannot be had."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from broker import mosquitto, server
from broker.config import ServerKind
from broker.failure import ExitCode, ServiceError
from broker.server import MqttServer, check_port, last_server
from broker.venue import prepare
from tests.broker.test_child import server_of
from tests.e2e.conftest import KINDS, configure
from tests.e2e.peers import Peer, eventually


@pytest.fixture(params=KINDS)
def started(request: pytest.FixtureRequest, tmp_path: Path):  # type: ignore[no-untyped-def]
    if request.param == "mosquitto" and mosquitto.find() is None:
        pytest.skip("mosquitto is not installed")
    venue = prepare(configure(tmp_path, request.param))
    running = MqttServer(venue.config, venue.listener())
    running.start()
    yield venue, running
    running.stop()


def test_the_next_authority_finds_the_server_with_its_clients_connected(started) -> None:  # type: ignore[no-untyped-def]
    venue, running = started
    with Peer(running.address, venue.monitor) as peer:
        successor = MqttServer(venue.config, venue.listener())
        successor.start()
        assert successor.address == running.address
        assert not peer.lost.is_set()
        successor.stop()
        eventually(peer.lost.is_set)


def test_a_server_with_other_settings_is_replaced(started) -> None:  # type: ignore[no-untyped-def]
    venue, running = started
    other = replace(venue.config, mqtt=replace(venue.config.mqtt, consoles=("console-9",)))
    successor = MqttServer(other, replace(venue, config=other).listener())
    successor.start()
    eventually(lambda: not running._child.alive())
    successor.stop()


@pytest.mark.skipif(mosquitto.find() is None, reason="mosquitto is not installed")
def test_the_other_kind_of_server_is_stopped_first(started) -> None:  # type: ignore[no-untyped-def]
    venue, running = started
    kind = ServerKind.EMBEDDED if running.kind is ServerKind.MOSQUITTO else ServerKind.MOSQUITTO
    other = replace(venue.config, mqtt=replace(venue.config.mqtt, server=kind, port=running.address[1]))
    successor = MqttServer(other, replace(venue, config=other).listener())
    successor.start()
    assert successor.address == running.address
    eventually(lambda: not running._child.alive())
    successor.stop()


def test_a_server_that_ended_is_started_again_at_the_same_port(started) -> None:  # type: ignore[no-untyped-def]
    venue, running = started
    assert not running.restart_if_dead()
    address = running.address
    os.kill(server_of(running._child), signal.SIGKILL)
    eventually(running.restart_if_dead)
    assert running.address == address == ("127.0.0.1", last_server(venue.config.runtime).port)
    with Peer(address, venue.monitor) as peer:
        assert peer.connected()


def listening(process: int) -> set[str]:
    """Local addresses (hex) at which a process listens, by the kernel's tables."""
    own = set()
    for entry in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed in the meantime
            own.add(os.readlink(entry).removeprefix("socket:[").removesuffix("]"))
    tables = (Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6"))
    rows = [line.split() for table in tables for line in table.splitlines()]
    return {row[1] for row in rows if row[3] == "0A" and row[9] in own}


def test_a_server_listens_at_its_own_address_and_nowhere_else(started) -> None:  # type: ignore[no-untyped-def]
    _venue, running = started
    assert listening(server_of(running._child)) == {f"0100007F:{running.address[1]:04X}"}


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config = configure(tmp_path)
        venue = prepare(replace(config, mqtt=replace(config.mqtt, port=port)))
        with pytest.raises(ServiceError) as caught:
            MqttServer(venue.config, venue.listener()).start()
    assert caught.value.code is ExitCode.PORT
    assert str(port) in caught.value.zh and str(port) in caught.value.en
    assert "mqtt.port" in caught.value.en


def test_an_address_of_another_machine_is_named() -> None:
    with pytest.raises(ServiceError, match=r"mqtt\.host") as caught:
        check_port("192.0.2.1", 8883)
    assert caught.value.code is ExitCode.PORT


def test_without_mosquitto_the_embedded_server_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.mosquitto, "find", lambda: None)
    venue = prepare(configure(tmp_path))
    assert MqttServer(venue.config, venue.listener()).kind is ServerKind.EMBEDDED
    wanted = configure(tmp_path, "mosquitto")
    with pytest.raises(ServiceError, match="apt install mosquitto") as caught:
        MqttServer(wanted, venue.listener())
    assert caught.value.code is ExitCode.CONFIG


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    venue = prepare(configure(tmp_path, "embedded"))
    venue.server.tls_key.write_text("damaged")
    with pytest.raises(ServiceError, match="did not start"):
        MqttServer(venue.config, venue.listener()).start()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to be able to become somebody else")
@pytest.mark.skipif(mosquitto.find() is None, reason="mosquitto is not installed")
def test_as_root_mosquitto_runs_unprivileged_and_reads_its_keys(tmp_path: Path) -> None:
    venue = prepare(configure(tmp_path, "mosquitto"))
    running = MqttServer(venue.config, venue.listener())
    running.start()
    try:
        status = Path(f"/proc/{server_of(running._child)}/status").read_text()
        uids = next(line.split()[1:] for line in status.splitlines() if line.startswith("Uid:"))
        assert "0" not in uids
        with Peer(running.address, venue.monitor) as peer:
            assert peer.connected()
    finally:
        running.stop()


def _open_to_all(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
@pytest.mark.parametrize("kind", KINDS)
def test_as_an_ordinary_user_the_server_runs_as_that_user(kind: str) -> None:
    if not _open_to_all(Path(sys.executable)):
        pytest.skip("this Python is closed to other users")
    if kind == "mosquitto" and mosquitto.find() is None:
        pytest.skip("mosquitto is not installed")
    script = f"""
import sys
from pathlib import Path
from broker.server import MqttServer
from broker.venue import prepare
from tests.e2e.conftest import configure
from tests.e2e.peers import Peer
venue = prepare(configure(Path(sys.argv[1]), {kind!r}))
running = MqttServer(venue.config, venue.listener())
running.start()
try:
    with Peer(running.address, venue.monitor) as peer:
        print("connected", peer.connected())
finally:
    running.stop()
"""
    folder = Path("/tmp") / f"paizhuo-test-{os.getpid()}-{kind}"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    try:
        words = [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            sys.executable,
            "-B",
            "-c",
            script,
        ]
        ran = subprocess.run([*words, str(folder)], capture_output=True, text=True, timeout=60, check=False)
        assert "connected True" in ran.stdout, ran.stderr
    finally:
        shutil.rmtree(folder)
