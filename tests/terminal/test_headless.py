"""Headless seats: whole games over a real MQTT server, and what is said when it cannot be."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from broker.config import Config, read
from broker.engine.guandan.rules import NATIONAL_2017
from broker.mqtt import Connection
from broker.server import MqttServer
from broker.tables.hub import Hub
from broker.tables.log import Log
from broker.tables.plan import SYSTEM_TIME, BoardPlan, Settings, TablePlan
from broker.venue import Venue, prepare
from provisioning.ca import VenueAuthority
from terminal import headless
from terminal.__main__ import main
from terminal.config import Seats
from tests.e2e.peers import eventually

TABLES = ("t1", "t2")


def config_of(folder: Path) -> Config:
    tables = [
        {"id": table, "seats": [{"device": f"{table}-{n}", "player": f"p{n}"} for n in range(4)]}
        for table in TABLES
    ]
    return read({"venue": {"id": "hall"}, "mqtt": {"port": 0}, "table": tables}, "test", folder)


class Hall:
    """The authority of two tables, one deal each, in this process."""

    def __init__(self, folder: Path) -> None:
        self.config = config_of(folder)
        self.venue: Venue = prepare(self.config)
        self.server = MqttServer(self.config, self.venue.listener())
        self.server.start()
        self.log = Log.open(self.config.store.url, "hall")
        self.connection = Connection(self.venue.client)
        keys, settings = self.venue.keys, Settings(deal_pause=0, heartbeat=500)
        self.hub = Hub("hall", self.log, keys, self.connection, SYSTEM_TIME, settings)
        self.hub.recover()
        for table in self.config.tables:
            self.hub.open_table(self.plan(table.id))
        self.thread = threading.Thread(target=self.hub.run)
        self.connection.start(self.server.address, b"{}", self.hub.post, self.hub.refresh)
        assert self.connection.wait_ready(10)
        self.thread.start()

    def plan(self, name: str) -> TablePlan:
        entry = next(table for table in self.config.tables if table.id == name)
        rules = replace(NATIONAL_2017, deals_per_game=1)
        seats, boards = self.venue.seats(entry), (BoardPlan("b1", bytes(32)),)
        return TablePlan("event", "main", 1, name, "guandan", rules, seats, boards)

    def seats(self, **changes: object) -> Seats:
        host, port = self.server.address
        folders = tuple(str(self.config.devices / f"{table}-{n}") for table in TABLES for n in range(4))
        return replace(Seats(host=host, seats=folders, port=port, seed=1), **changes)  # type: ignore[arg-type]

    def stop(self) -> None:
        self.hub.stop()
        self.thread.join()
        self.connection.stop()
        self.log.close()
        self.server.stop()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path)
    yield hall
    hall.stop()


def test_plays_all_games_to_their_end(hall: Hall, tmp_path: Path) -> None:
    stats, journal = tmp_path / "stats.json", tmp_path / "journal.jsonl"
    assert headless.run(hall.seats(), stats, journal) == 0
    answers = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert {answer["code"] for answer in answers} == {"ok"}
    assert len({answer["id"] for answer in answers}) == len(answers)
    assert [answer["kind"] for answer in answers].count("ready") == 8
    ack_ms = json.loads(stats.read_text("utf-8"))["ack_ms"]
    assert len(ack_ms) == len(answers) and min(ack_ms) > 0
    assert not hall.hub.status().paused
    devices = [hall.hub._roster.device(f"{table}-{n}") for table in TABLES for n in range(4)]
    eventually(lambda: all(device and device.online is False for device in devices), "the farewells")


def test_goes_on_when_the_server_comes_back(hall: Hall, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"

    def interrupt() -> None:
        eventually(lambda: journal.exists() and journal.read_text("utf-8").count("\n") > 20, "some plays")
        hall.server.stop()
        hall.server.start()

    thread = threading.Thread(target=interrupt)
    thread.start()
    first_table = hall.seats().seats[:4]
    assert headless.run(hall.seats(seats=first_table, policy="random", think_ms=10), None, journal) == 0
    thread.join()
    codes = [json.loads(line)["code"] for line in journal.read_text("utf-8").splitlines()]
    assert codes.count("ok") > 20 and set(codes) <= {"ok", "stale", "paused"}


def test_a_seat_that_is_refused_ends_it_with_a_clear_word(
    hall: Hall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stranger = VenueAuthority.create(tmp_path / "ca", "hall").issue_device(tmp_path / "t1-0", "t1-0")
    trusted = hall.config.devices / "t1-1" / "ca.crt"
    assert stranger.ca_certificate.read_bytes() != trusted.read_bytes()
    assert headless.run(hall.seats(seats=(str(tmp_path / "t1-0"),))) == 1
    said = capsys.readouterr().err
    assert "t1-0" in said and "certificate of another venue" in said


def test_settings_and_keys_of_no_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seats = tmp_path / "seats.toml"
    seats.write_text('host = "127.0.0.1"\nseats = ["nobody"]\nthnk_ms = 3\npolicy = "bold"\n', "utf-8")
    assert main(["--headless", "--seats", str(seats)]) == 2
    said = capsys.readouterr().err
    assert "did you mean think_ms" in said and "careful" in said
    seats.write_text('host = "127.0.0.1"\nseats = ["nobody"]\n', "utf-8")
    assert main(["--headless", "--seats", str(seats)]) == 2
    assert "nobody" in capsys.readouterr().err
    assert main(["--headless", "--seats", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_help_is_chinese_then_english(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    said = capsys.readouterr().out
    assert left.value.code == 0
    assert said.index("席位") < said.index("Seat terminal")


def test_headless_needs_a_list_of_seats(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--headless"])
    assert left.value.code == 2 and "--seats" in capsys.readouterr().err
