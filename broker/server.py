"""The venue's MQTT server: chosen, started or found again, watched, stopped."""

from __future__ import annotations

import errno
import json
import logging
import random
import socket
import time
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple

from broker import embedded, mosquitto
from broker.child import Child, Command
from broker.config import Config, ServerKind
from broker.failure import ExitCode, ServiceError
from broker.listener import Listener

ADVISED_TABLES: Final = 64
"""Tables that the embedded server carries with low latency; above that mosquitto is advised."""

_STARTED: Final = (ServerKind.MOSQUITTO, ServerKind.EMBEDDED)
_LAST: Final = "server.json"
_ASSIGNED: Final = range(20_000, 32_000)
_START_SECONDS: Final = 15.0
_TICK: Final = 0.02
_log = logging.getLogger(__name__)


class MqttServer:
    """The MQTT server of a venue, as a child process. ``kind`` and ``listener`` hold after a start."""

    def __init__(self, config: Config, listener: Listener) -> None:
        self.kind = _choose(config)
        self.listener = listener
        self._child = Child(config.runtime, self.kind.value)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port at which clients on this machine reach it."""
        return reachable(self.listener.host), self.listener.port

    def start(self) -> None:
        """Serves when it returns. ``ServiceError`` if the port is taken or the server does not start."""
        try:
            goes_on = self._goes_on()
        except OSError as error:
            raise _not_started(str(error)) from None
        if not goes_on:
            self._launch()

    def _goes_on(self) -> bool:
        """Whether the server of an earlier run serves still. If it does not, there is a port to serve at."""
        stop_left_over(self.listener.runtime, _other(self.kind))
        wanted, last = self.listener.port, last_server(self.listener.runtime).port
        self.listener = replace(self.listener, port=wanted or last)
        if self.listener.port and self._child.adopt(self._command()) and self._answers():
            _log.info("MQTT server goes on at port %d", self.listener.port)
            return True
        self._child.stop()
        if not wanted and not (last and _is_free(self.listener.host, last)):
            self.listener = replace(self.listener, port=free_port(self.listener.host))
        return False

    def restart_if_dead(self) -> bool:
        """Whether it had ended and was started again. To be called every few seconds."""
        if self._child.alive():
            self._child.tend()
            return False
        _log.error("MQTT server ended: %s", self._child.last_words() or "without a word")
        self._launch()
        return True

    def stop(self) -> None:
        """Ends the server."""
        self._child.stop()

    def _launch(self) -> None:
        check_port(self.listener.host, self.listener.port)
        try:
            self._child.start(self._command())
            self._await_answer()
            last = LastServer(self.kind.value, self.listener.port)
            (self.listener.runtime / _LAST).write_text(json.dumps(last._asdict()), "utf-8")
        except OSError as error:
            self._child.stop()
            raise _not_started(str(error)) from None

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if not self._child.alive() or time.monotonic() > deadline:
                words = self._child.last_words()
                self._child.stop()
                raise _not_started(words)
            time.sleep(_TICK)

    def _command(self) -> Command:
        if self.kind is ServerKind.EMBEDDED:
            return embedded.command(self.listener)
        program = mosquitto.find()
        assert program is not None
        return mosquitto.command(program, self.listener)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(self.address, timeout=1.0):
                return self._child.alive()
        except OSError:
            return False


def stop_left_over(runtime: Path, *kinds: ServerKind) -> None:
    """Ends servers of these kinds (default: all) that an authority which was killed has left behind."""
    for kind in kinds or _STARTED:
        Child(runtime, kind.value).adopt(Command((), b""))


def reachable(host: str) -> str:
    """An address by which this machine reaches a server that listens at ``host``."""
    address = ip_address(host)
    if not address.is_unspecified:
        return host
    return "127.0.0.1" if address.version == 4 else "::1"


def check_port(host: str, port: int) -> None:
    """``ServiceError`` unless the port can be listened at now."""
    family = socket.AF_INET if ip_address(host).version == 4 else socket.AF_INET6
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise _no_port(host, port, error) from None


def free_port(host: str) -> int:
    """A port that can be listened at now.

    Not one of those that the system hands out by itself (Linux: 32768 and up): there, somebody who
    only tries to connect before the server listens may come to sit on it.
    """
    for port in random.sample(_ASSIGNED, len(_ASSIGNED)):
        if _is_free(host, port):
            return port
    check_port(host, _ASSIGNED[0])
    return _ASSIGNED[0]


def _is_free(host: str, port: int) -> bool:
    try:
        check_port(host, port)
    except ServiceError:
        return False
    return True


def _choose(config: Config) -> ServerKind:
    found = mosquitto.find() is not None
    kind = config.mqtt.server
    if kind is ServerKind.AUTO:
        kind = ServerKind.MOSQUITTO if found else ServerKind.EMBEDDED
    if kind is ServerKind.MOSQUITTO and not found:
        raise ServiceError(
            ExitCode.CONFIG,
            '未找到 mosquitto：请安装（apt install mosquitto），或设 mqtt.server = "embedded"。',
            'mosquitto is not found: install it (apt install mosquitto), or set mqtt.server = "embedded".',
        )
    if kind is ServerKind.EMBEDDED and len(config.tables) > ADVISED_TABLES:
        _log.warning("内置 MQTT 服务器适合至多 %d 桌：请安装 mosquitto。", ADVISED_TABLES)
        _log.warning("The embedded MQTT server is for up to %d tables: install mosquitto.", ADVISED_TABLES)
    return kind


def _other(kind: ServerKind) -> ServerKind:
    return ServerKind.EMBEDDED if kind is ServerKind.MOSQUITTO else ServerKind.MOSQUITTO


class LastServer(NamedTuple):
    """The MQTT server that a venue had last; port 0 and no kind if it never had one."""

    kind: str
    port: int


def last_server(runtime: Path) -> LastServer:
    """What stands in the folder about the server that was started last."""
    try:
        last = json.loads((runtime / _LAST).read_text("utf-8"))
        kind, port = str(last["kind"]), int(last["port"])
    except (OSError, ValueError, TypeError, KeyError, OverflowError):
        kind, port = "", 0
    return LastServer(kind, port) if 0 < port <= 65535 else LastServer("", 0)


def _no_port(host: str, port: int, error: OSError) -> ServiceError:
    if error.errno == errno.EADDRINUSE:
        zh = f"端口 {port} 已被占用：请停止占用它的程序，或在 mqtt.port 换一个端口（0 表示任选）。"
        en = f"port {port} is in use: stop what has it, or choose another in mqtt.port (0: any free one)."
    elif error.errno == errno.EADDRNOTAVAIL:
        zh = f"{host} 不是本机的地址：请更正 mqtt.host（127.0.0.1 仅本机，0.0.0.0 所有网口）。"
        en = f"{host} is no address of this machine: set mqtt.host (127.0.0.1: this machine, 0.0.0.0: all)."
    else:
        zh = f"无法监听 {host} 端口 {port}（{error.strerror}）：请换一个 1024 以上的端口。"
        en = f"cannot listen at {host} port {port} ({error.strerror}): choose a port above 1023."
    return ServiceError(ExitCode.PORT, zh, en)


def _not_started(words: str) -> ServiceError:
    return ServiceError(
        ExitCode.PORT,
        f"MQTT 服务器没能启动：{words or '没有输出'}",
        f"the MQTT server did not start: {words or 'it said nothing'}",
    )
