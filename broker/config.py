"""The venue's configuration: one TOML file, read into frozen records.

``load`` finds every mistake of the file at once; each names the key and what would be right.
``venue.example.toml`` shows every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from broker.engine.guandan.rules import Rules
from broker.engine.seats import SEATS
from broker.presets import DEFAULT, load_preset, preset_names, read_rules
from broker.sections import VISIBLE, ConfigError, Section, load_toml, suggestion
from provisioning.names import SERVICES, is_host

BOARDS_OF_OPEN_GAME: Final = 60
"""Boards prepared for a game without a fixed number of deals: far more than a game has taken."""

_ID: Final = "[a-z0-9-]{1,32}"
_ID_ZH: Final = "a–z 0–9 - 组成的标识，至多 32 个字符"
_ID_EN: Final = "an id of a–z 0–9 -, at most 32 characters"
_HOUR: Final = 3_600_000
_NAME: Final = f"(?=.{{1,40}}$){VISIBLE}"
_SQLITE: Final = "sqlite:///"
_BROADCAST: Final = "255.255.255.255"


class ServerKind(StrEnum):
    """Which MQTT server is started."""

    AUTO = "auto"
    MOSQUITTO = "mosquitto"
    EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Mqtt:
    """The MQTT server: kind, address to listen at, other names that seats reach it by."""

    server: ServerKind
    host: str
    port: int
    names: tuple[str, ...]
    consoles: tuple[str, ...]
    """Names of the referee consoles, for the access list."""


@dataclass(frozen=True, slots=True)
class Store:
    """The log: database URL, and bytes that must stay free for a new deal to open."""

    url: str
    min_free: int


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations of the authority, in milliseconds."""

    network_grace: int
    lost_grace: int
    deal_pause: int
    heartbeat: int


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """Who sits where, with which device."""

    device: str
    player: str


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table that is opened at start, if the log does not hold it yet."""

    id: str
    event: str
    stage: str
    round: int
    game: str
    rules: Rules
    boards: int
    seats: tuple[SeatEntry, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that the authority is told. Paths are absolute."""

    venue: str
    data: Path
    mqtt: Mqtt
    store: Store
    pace: Pace
    tables: tuple[TableEntry, ...]
    rehearsal_seed: int | None
    """Derives the boards from a number, for demos and tests. None in a competition."""

    @property
    def authority(self) -> Path:
        """Folder of the venue authority: its keys and certificates."""
        return self.data / "authority"

    @property
    def devices(self) -> Path:
        """Folder of the identities that were made here, one folder a device."""
        return self.data / "devices"

    @property
    def runtime(self) -> Path:
        """Folder of what can be made again: generated settings, process numbers, output."""
        return self.data / "run"


def load(path: Path) -> Config:
    """The configuration in the file; ``ConfigError`` with all that is wrong."""
    return read(load_toml(path), str(path), path.resolve().parent)


def read(contents: dict[str, Any], where: str, folder: Path) -> Config:
    """The configuration in parsed TOML; relative paths start at ``folder``."""
    section = Section(contents, [])
    venue = section.section("venue")
    data = folder / venue.text("data", "data")
    config = Config(
        venue=venue.text("id", form=_ID, zh=_ID_ZH, en=_ID_EN),
        data=data,
        mqtt=_mqtt(section.section("mqtt")),
        store=_store(section.section("store"), data, folder),
        pace=_pace(section.section("pace")),
        tables=tuple(_table(table) for table in section.sections("table")),
        rehearsal_seed=_rehearsal(section.section("rehearsal")),
    )
    venue.done()
    section.done()
    _check_once(section, config.tables)
    _check_consoles(section, config)
    if section.mistakes:
        raise ConfigError(where, section.mistakes)
    return config


def _mqtt(section: Section) -> Mqtt:
    mqtt = Mqtt(
        server=section.choice("server", ServerKind, ServerKind.AUTO),
        host=section.text("host", "127.0.0.1", form=r"[0-9A-Za-z.:-]+", zh="要监听的地址", en="an address"),
        port=section.integer("port", 8883, low=0, high=65535),
        names=section.words("names", form=VISIBLE, zh="名称或地址列表", en="a list of names or addresses"),
        consoles=section.words("consoles", form=_ID, zh="标识列表", en="a list of ids"),
    )
    if not is_address(mqtt.host):
        section.mistake("host", "应为 IP 地址，如 0.0.0.0", "must be an IP address, such as 0.0.0.0")
    elif ip_address(mqtt.host).is_multicast or mqtt.host == _BROADCAST:
        section.mistake("host", "不是可监听的地址", "is no address that can be listened at")
    for name in mqtt.names:
        if not is_address(name) and not is_host(name):
            section.mistake("names", f"不是主机名或地址：{name!r}", f"no host name or address: {name!r}")
    section.done()
    return mqtt


def _store(section: Section, data: Path, folder: Path) -> Store:
    default = _sqlite(data / "log.sqlite")
    form = rf"[a-z0-9+]+://{VISIBLE}"
    url = section.text("url", default, form=form, zh="数据库 URL", en="a database URL")
    if url.startswith(_SQLITE):
        url = _sqlite(folder / url.removeprefix(_SQLITE))
        if "?" in url:
            section.mistake("url", f"路径不能含问号：{url}", f"the path must not have a question mark: {url}")
    store = Store(url=url, min_free=section.size("min_free", 200_000_000, low=0, high=10**13))
    section.done()
    return store


def _sqlite(path: Path) -> str:
    return f"{_SQLITE}{path}"


def _pace(section: Section) -> Pace:
    pace = Pace(
        network_grace=section.duration("network_grace", 500, low=0, high=10_000),
        lost_grace=section.duration("lost_grace", 60_000, low=0, high=_HOUR),
        deal_pause=section.duration("deal_pause", 6_000, low=0, high=_HOUR),
        heartbeat=section.duration("heartbeat", 2_000, low=100, high=60_000),
    )
    section.done()
    return pace


def _rehearsal(section: Section) -> int | None:
    seed = section.integer("seed", low=0, high=2**63 - 1) if "seed" in section else None
    section.done()
    return seed


def _table(section: Section) -> TableEntry:
    preset = section.text("preset", DEFAULT)
    try:
        base = load_preset(preset)
    except ConfigError:
        zh, en = suggestion(preset, preset_names())
        section.mistake("preset", f"没有这个规程，{zh}", f"no such preset, {en}")
        base = load_preset(DEFAULT)
    rules = read_rules(section.section("rules"), preset, base.rules)
    entry = TableEntry(
        id=_id(section, "id"),
        event=_id(section, "event", "event"),
        stage=_id(section, "stage", "main"),
        round=section.integer("round", 1, low=1, high=999),
        game=base.game,
        rules=rules,
        boards=section.integer("boards", rules.deals_per_game or BOARDS_OF_OPEN_GAME, low=1, high=200),
        seats=tuple(_seat(seat) for seat in section.sections("seats")),
    )
    if entry.boards < (rules.deals_per_game or 1):
        section.mistake("boards", "少于 deals_per_game", "must not be less than deals_per_game")
    if len(entry.seats) != len(SEATS):
        section.mistake("seats", "应恰有四个座位", "must list exactly four seats")
    section.done()
    return entry


def _seat(section: Section) -> SeatEntry:
    name = section.text("player", form=_NAME, zh="1–40 个可见字符", en="1 to 40 visible characters")
    seat = SeatEntry(device=_id(section, "device"), player=name)
    if _is_reserved(seat.device):
        section.mistake("device", f"“{seat.device}”是保留名", f'"{seat.device}" is a reserved name')
    section.done()
    return seat


def _id(section: Section, key: str, default: str | None = None) -> str:
    if default is None:
        return section.text(key, form=_ID, zh=_ID_ZH, en=_ID_EN)
    return section.text(key, default, form=_ID, zh=_ID_ZH, en=_ID_EN)


def _check_once(section: Section, tables: tuple[TableEntry, ...]) -> None:
    """No table twice; and a device sits at one table only, for its stream has one table."""
    for key, names in (
        ("table", [table.id for table in tables]),
        ("table.seats", [seat.device for table in tables for seat in table.seats]),
    ):
        for name in sorted({name for name in names if names.count(name) > 1}):
            section.mistake(key, f"“{name}”出现了不止一次", f'"{name}" is there more than once')


def _check_consoles(section: Section, config: Config) -> None:
    devices = {seat.device for table in config.tables for seat in table.seats}
    for name in config.mqtt.consoles:
        if name in devices or _is_reserved(name):
            section.mistake("mqtt.consoles", f"“{name}”已另有用途", f'"{name}" is the name of something else')


def _is_reserved(name: str) -> bool:
    """Whether the name is kept for certificates of services."""
    return name.split("-")[0] in SERVICES


def is_address(text: str) -> bool:
    """Whether the text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
