"""How a venue is: from its running MQTT server, or from the log when that is down."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec

from broker.config import Config, TableEntry
from broker.monitor import Monitor, Unreachable
from broker.protocol.codec import decode_status
from broker.protocol.messages import DeviceStatus, EngineStatus, TableState
from broker.protocol.verdict import Malformed
from broker.tables.log import Log, shown

SETTLE_SECONDS: Final = 0.5
"""Retained messages are all there once nothing has come for that long."""

_HERE: Final = frozenset({"init", "ready", "sleeping"})


@dataclass
class Picture:
    """What the MQTT server retains of a venue, by device and by table."""

    engine: EngineStatus | None = None
    devices: dict[str, DeviceStatus] = field(default_factory=dict)
    tables: dict[str, TableState] = field(default_factory=dict)

    @property
    def is_served(self) -> bool:
        """Whether the authority is there."""
        return self.engine is not None and self.engine.state not in ("stopping", "lost")

    def take(self, leaf: str, payload: bytes) -> None:
        """Takes in one message; ``leaf`` is its topic below the venue's root.

        What cannot be read tells nothing: a device may have sent anything.
        """
        with suppress(Malformed, msgspec.MsgspecError, RecursionError):
            if leaf == "engine/status":
                self.engine = msgspec.json.decode(payload, type=EngineStatus)
            elif leaf.startswith("dev/"):
                self.devices[leaf.split("/")[1]] = decode_status(payload)
            elif leaf.endswith("/state"):
                state = msgspec.json.decode(payload, type=TableState)
                self.tables[state.table] = state


def look(config: Config) -> Picture | None:
    """The picture of a running venue; None if its MQTT server cannot be reached.

    ``IdentityError`` if the venue has never been started.
    """
    picture, news = Picture(), threading.Event()

    def heard(leaf: str, payload: bytes) -> None:
        picture.take(leaf, payload)
        news.set()

    try:
        with Monitor(config, heard):
            while news.wait(SETTLE_SECONDS):
                news.clear()
    except Unreachable:
        return None
    return picture


def describe(config: Config, picture: Picture) -> Iterator[str]:
    """The picture in lines, Chinese and English."""
    engine = picture.engine
    state = engine.state if engine else "unknown"
    yield f"场馆 venue {config.venue} · 裁判系统 authority: {state}" + (
        f" · boot {engine.boot}" if engine else ""
    )
    for table in config.tables:
        yield from _table(table, picture)
    known = {seat.device for table in config.tables for seat in table.seats}
    for device in sorted(picture.devices.keys() - known):
        yield f"  未入座设备 device without a seat: {device} {picture.devices[device].state}"


def describe_log(config: Config, log: Log) -> Iterator[str]:
    """What the log alone tells."""
    where = shown(config.store.url)
    yield f"场馆 venue {config.venue} · MQTT 服务器未运行 MQTT server is down · 日志 log {where}"
    for key in log.tables(closed=True):
        rows = list(log.records(key))
        state = "已结束 finished" if log.checkpoints(key) else "进行中 live"
        yield f"  {key.table} ({key.event}) · {state} · 记录 record {rows[-1].n if rows else 0}"


def _table(table: TableEntry, picture: Picture) -> Iterator[str]:
    state = picture.tables.get(table.id)
    if state is None:
        yield f"  {table.id} ({table.event}) · 未开台 not open"
        return
    view = msgspec.json.decode(state.view)
    levels = " : ".join(map(str, view.get("levels", ())))
    paused = f" · 暂停 paused ({state.paused})" if state.paused else ""
    yield (
        f"  {table.id} ({table.event}) · {view.get('phase', '?')} · 副 deal {view.get('deal', 0)} · "
        f"级数 levels {levels} · 记录 record {state.n}{paused}"
    )
    for number, (seat, online) in enumerate(zip(table.seats, state.online, strict=False), start=1):
        device = picture.devices.get(seat.device)
        there = online or (device is not None and device.state in _HERE)
        yield f"    {number} {seat.player} · {seat.device} · {'在线 online' if there else '离线 offline'}"
