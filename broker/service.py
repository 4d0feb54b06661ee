"""The service: everything the authority needs, started in order and stopped in reverse.

Configuration → identities → log → MQTT server → tables recovered → connection → ready. Any step
that fails ends the start with one clear line and undoes the steps before it.
"""

from __future__ import annotations

import gc
import hashlib
import logging
import os
import resource
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

import msgspec

from broker.config import Config, TableEntry
from broker.endings import give_up, on_ending
from broker.failure import ExitCode, ServiceError
from broker.mqtt import Connection
from broker.protocol.messages import VERSION, EngineStatus
from broker.server import MqttServer
from broker.tables.hub import Hub
from broker.tables.log import Log, LogError, LogLost
from broker.tables.plan import SYSTEM_TIME, BoardPlan, Settings, TablePlan
from broker.tables.rows import TableKey
from broker.tables.sqlite import lock
from broker.venue import Venue, prepare, unusable

CONNECT_SECONDS: Final = 15.0
WATCH_SECONDS: Final = 0.5
OPEN_FILES: Final = 8192
SWITCH_SECONDS: Final = 0.0002
"""How long the MQTT thread waits while the hub computes. An answer is told before the rest of its
batch is composed; with Python's own 5 ms it would leave only after all of that."""

_log = logging.getLogger(__name__)


def serve(config: Config, ready: Callable[[str, int], None]) -> None:
    """Serves until SIGTERM or SIGINT. ``ready`` is called with host and port once seats may come.

    SIGHUP lets tables go on that stand still because nothing could be stored.
    ``ServiceError`` if it cannot start, or cannot go on; ``KeyboardInterrupt`` if it is told to stop
    before it is ready.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    _allow_many_connections()
    with ExitStack() as stack:
        stack.enter_context(on_ending(give_up))
        stack.enter_context(_alone(config))
        venue = prepare(config)
        log = stack.enter_context(_opened_log(config))
        server = MqttServer(config, venue.listener())
        stack.callback(server.stop)
        server.start()
        connection = Connection(venue.client)
        hub = _recovered(config, venue, log, connection)
        _open_tables(config, venue, log, hub)
        _connect(connection, server, hub)
        stack.callback(connection.stop)
        stack.enter_context(_watched(server))
        with on_ending(hub.stop), _on_hang_up(partial(_go_on, hub)):
            ready(*server.address)
            _run(hub)


def _allow_many_connections() -> None:
    """The MQTT server, our child, has a file open for each seat."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def _alone(config: Config) -> Iterator[None]:
    """Holds the venue's folder: a second authority would take the MQTT server from the first, whatever
    log it writes."""
    try:
        config.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = lock(config.runtime / "authority")
    except OSError as error:
        raise unusable(config.data, error) from None
    except LogError as error:
        raise _log_failure(error) from None
    try:
        yield
    finally:
        os.close(held)


@contextmanager
def _opened_log(config: Config) -> Iterator[Log]:
    try:
        log = Log.open(config.store.url, config.venue, min_free=config.store.min_free)
    except LogError as error:
        raise _log_failure(error) from None
    try:
        yield log
    finally:
        log.close()


def _recovered(config: Config, venue: Venue, log: Log, connection: Connection) -> Hub:
    pace = config.pace
    settings = Settings(
        network_grace=pace.network_grace,
        lost_grace=pace.lost_grace,
        deal_pause=pace.deal_pause,
        heartbeat=pace.heartbeat,
    )
    hub = Hub(config.venue, log, venue.keys, connection, SYSTEM_TIME, settings)
    try:
        hub.recover()
    except LogError as error:
        raise _log_failure(error) from None
    return hub


def _open_tables(config: Config, venue: Venue, log: Log, hub: Hub) -> None:
    """Opens the tables of the configuration that the log does not hold yet."""
    if config.rehearsal_seed is not None:
        _log.warning("排练：牌由种子 %d 决定，不可用于比赛。", config.rehearsal_seed)
        _log.warning("Rehearsal: boards come from seed %d; not for a competition.", config.rehearsal_seed)
    held = set(log.tables(closed=True))
    missing = [table for table in config.tables if TableKey(table.event, table.id) not in held]
    opened = [hub.open_table(_plan(config, venue, table)) for table in missing]
    while not all(one.done() for one in opened) and hub.status().state == "ready":
        hub.step()
    for one in opened:
        if one.done():
            _report(one)


def _plan(config: Config, venue: Venue, table: TableEntry) -> TablePlan:
    return TablePlan(
        event=table.event,
        stage=table.stage,
        round=table.round,
        table=table.id,
        game=table.game,
        rules=table.rules,
        seats=venue.seats(table),
        boards=tuple(board_plan(config, table, number) for number in range(1, table.boards + 1)),
    )


def board_plan(config: Config, table: TableEntry, number: int) -> BoardPlan:
    """A board with its seed: by chance, or in a rehearsal from the seed of that."""
    if config.rehearsal_seed is None:
        return BoardPlan(f"b{number}", secrets.token_bytes(32))
    words = f"paizhuo/1 rehearsal {config.rehearsal_seed} {table.event} {table.id} {number}"
    return BoardPlan(f"b{number}", hashlib.sha256(words.encode()).digest())


def _connect(connection: Connection, server: MqttServer, hub: Hub) -> None:
    lost = EngineStatus(v=VERSION, boot=hub.status().boot, state="lost")
    connection.start(server.address, msgspec.json.encode(lost), hub.post, hub.refresh)
    if not connection.wait_ready(CONNECT_SECONDS):
        connection.stop()
        raise ServiceError(
            ExitCode.CERTIFICATES,
            "MQTT 服务器不接受裁判系统的证书：请检查 data/services 与 data/authority 是否同一场馆。",
            "the MQTT server does not accept the authority's certificate: see that data/services and "
            "data/authority are of the same venue.",
        )


@contextmanager
def _watched(server: MqttServer) -> Iterator[None]:
    """Starts the MQTT server again whenever it ends."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(WATCH_SECONDS):
            try:
                server.restart_if_dead()
            except ServiceError as error:
                _log.error("%s", error)  # tried again: the port may become free

    thread = threading.Thread(target=watch, name="mqtt-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def _on_hang_up(call: Callable[[], object]) -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, lambda _number, _frame: call())
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _go_on(hub: Hub) -> None:
    """SIGHUP: the disk is in order again; tables that stand still for it may go on."""
    hub.resume_storage().add_done_callback(_report)


def _run(hub: Hub) -> None:
    gc.freeze()  # what was loaded stays: looking through it again and again would hold up answers
    try:
        hub.run()
    except LogLost as error:
        raise _log_failure(error) from None


def _report(opened: Future[None]) -> None:
    if error := opened.exception():
        _log.error("%s", error)


def _log_failure(error: LogError) -> ServiceError:
    return ServiceError(ExitCode.LOG, error.zh, error.en)
