"""The configuration: everything at once, with what would be right."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import broker
from broker.config import Config, ServerKind, load, read
from broker.sections import ConfigError, Mistake
from tests.e2e.conftest import table

EXAMPLE = Path(broker.__path__[0]) / "venue.example.toml"
SEATS = ("seat-1", "seat-2", "seat-3", "seat-4")


def minimal() -> dict[str, Any]:
    return {"venue": {"id": "hall"}, "table": [table("t1", *SEATS)]}


def configure(**changes: Any) -> Config:
    return read({**minimal(), **changes}, "venue.toml", Path("/srv"))


def mistakes(**changes: Any) -> dict[str, Mistake]:
    with pytest.raises(ConfigError) as caught:
        configure(**changes)
    return {mistake.key: mistake for mistake in caught.value.mistakes}


def test_the_example_is_right_and_shows_the_defaults() -> None:
    example = load(EXAMPLE)
    plain = configure(table=[{"id": "table-1", "seats": minimal()["table"][0]["seats"]}])
    assert (example.pace, example.store.min_free) == (plain.pace, plain.store.min_free)
    assert (example.mqtt.server, example.mqtt.host, example.mqtt.port) == (ServerKind.AUTO, "127.0.0.1", 8883)
    assert example.tables[0].boards == plain.tables[0].boards
    assert example.tables[0].rules == plain.tables[0].rules


def test_the_example_shows_every_key() -> None:
    contents = tomllib.loads(EXAMPLE.read_text("utf-8"))
    for section in ("venue", "mqtt", "store", "pace"):
        known = mistakes(**{section: {"zzz": 1}})[f"{section}.zzz"].en.partition("allowed: ")[2]
        assert set(known.split(", ")) == set(contents[section])


def test_paths_start_at_the_file() -> None:
    config = configure(venue={"id": "hall", "data": "d"})
    assert config.data == Path("/srv/d")
    assert config.store.url == "sqlite:////srv/d/log.sqlite"
    assert configure(venue={"id": "hall", "data": "/var/lib/x"}).data == Path("/var/lib/x")


def test_the_file_of_the_log_starts_at_the_file_too() -> None:
    assert configure(store={"url": "sqlite:///logs/x.db"}).store.url == "sqlite:////srv/logs/x.db"
    assert configure(store={"url": "sqlite:////var/x.db"}).store.url == "sqlite:////var/x.db"
    other = "postgresql+psycopg://venue@db.example/log"
    assert configure(store={"url": other}).store.url == other


def test_a_path_that_no_database_url_can_hold_is_refused() -> None:
    """What follows a question mark would be left out, and the log would lie elsewhere."""
    assert "question mark" in mistakes(venue={"id": "hall", "data": "a?b"})["store.url"].en
    assert "question mark" in mistakes(store={"url": "sqlite:///x.db?mode=memory"})["store.url"].en


@pytest.mark.parametrize("text", ["", "a\0b", "a\nb", "\x1b[2J", "\u202eab", "\x9bx"])
def test_no_text_has_control_characters(text: str) -> None:
    seats = [*table("t1", *SEATS)["seats"][1:], {"device": "x", "player": text}]
    found = mistakes(venue={"id": "hall", "data": text}, table=[{"id": "t1", "seats": seats}])
    assert {"venue.data", "table[1].seats[4].player"} <= set(found)


@pytest.mark.parametrize("host", ["255.255.255.255", "224.0.0.1", "hall.example", "1.2.3", "fe80::1%lo"])
def test_an_address_that_cannot_be_listened_at_is_refused(host: str) -> None:
    assert "mqtt.host" in mistakes(mqtt={"host": host})
    for usable in ("0.0.0.0", "::", "::1", "192.0.2.7"):
        assert configure(mqtt={"host": usable}).mqtt.host == usable


@pytest.mark.parametrize("name", ["a..b", "-x", ":::", "x" * 300, "a b", "1.2.3.4.5/8"])
def test_names_of_the_server_are_host_names_or_addresses(name: str) -> None:
    assert repr(name) in mistakes(mqtt={"names": ["hall.example", "192.0.2.7", name]})["mqtt.names"].en


def test_durations_and_sizes() -> None:
    config = configure(pace={"deal_pause": "2 min", "heartbeat": "500 ms"}, store={"min_free": "1 GB"})
    assert (config.pace.deal_pause, config.pace.heartbeat) == (120_000, 500)
    assert config.store.min_free == 10**9


def test_a_game_without_a_number_of_deals_has_many_boards() -> None:
    entry = {**table("t1", *SEATS), "preset": "huaian-guandan"}
    assert configure(table=[entry]).tables[0].boards >= 30


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("venue.id", {"venue": {}}),
        ("venue.id", {"venue": {"id": "Town Hall"}}),
        ("mqtt", {"mqtt": 8883}),
        ("mqtt.port", {"mqtt": {"port": 65536}}),
        ("mqtt.port", {"mqtt": {"port": "8883"}}),
        ("mqtt.host", {"mqtt": {"host": "server.example"}}),
        ("mqtt.names", {"mqtt": {"names": "server.example"}}),
        ("mqtt.consoles", {"mqtt": {"consoles": ["seat-1"]}}),
        ("mqtt.consoles", {"mqtt": {"consoles": ["monitor"]}}),
        ("store.url", {"store": {"url": "log.sqlite"}}),
        ("store.min_free", {"store": {"min_free": 200}}),
        ("pace.heartbeat", {"pace": {"heartbeat": "1 ms"}}),
        ("rehearsal.seed", {"rehearsal": {"seed": -1}}),
        ("table", {"table": "t1"}),
        ("table", {"table": [table("t1", *SEATS), table("t1", "a", "b", "c", "d")]}),
        ("table.seats", {"table": [table("t1", "seat-1", "seat-1", "seat-3", "seat-4")]}),
        ("table[1].seats", {"table": [table("t1", "seat-1", "seat-2", "seat-3")]}),
        ("table[1].id", {"table": [table("T1", *SEATS)]}),
        ("table[1].preset", {"table": [{**table("t1", *SEATS), "preset": "huaian"}]}),
        ("table[1].rules.rise_tird", {"table": [{**table("t1", *SEATS), "rules": {"rise_tird": 1}}]}),
        ("table[1].boards", {"table": [{**table("t1", *SEATS), "boards": 2}]}),
        ("table[1].seats[1].device", {"table": [table("t1", "authority", "seat-2", "seat-3", "seat-4")]}),
        ("table[1].seats[1].device", {"table": [table("t1", "server-2", "seat-2", "seat-3", "seat-4")]}),
    ],
)
def test_a_mistake_names_its_key(key: str, changes: dict[str, Any]) -> None:
    assert set(mistakes(**changes)) == {key}


def test_all_mistakes_come_at_once_with_what_was_meant() -> None:
    found = mistakes(mqtt={"prot": 1, "server": "mosquito"}, pase={}, pace={"heartbeat": 2})
    assert set(found) == {"mqtt.prot", "mqtt.server", "pase", "pace.heartbeat"}
    assert 'did you mean "port"?' in found["mqtt.prot"].en
    assert 'did you mean "mosquitto"?' in found["mqtt.server"].en
    assert 'did you mean "pace"?' in found["pase"].en


@pytest.mark.parametrize(
    ("data", "en"),
    [(b"[venue\n", "is not TOML"), (b"\xff\xfe", "is not UTF-8"), (None, "cannot be read")],
)
def test_an_unreadable_file_is_named(tmp_path: Path, data: bytes | None, en: str) -> None:
    path = tmp_path / "venue.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert caught.value.lines()[0].startswith(f"{path}: ")
    assert en in str(caught.value)
