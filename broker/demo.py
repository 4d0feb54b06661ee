"""A whole game to look at: a venue of its own, real MQTT, and four seats in other processes.

Progress goes to standard error; the result, as text or as one JSON object, to standard output.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes.util import find_library
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from broker import config as configuration
from broker.config import Config
from broker.endings import deaf, give_up, on_ending
from broker.failure import ExitCode, ServiceError
from broker.monitor import Monitor
from broker.outcome import describe, outcome_of
from broker.processes import Crew
from broker.progress import Progress
from broker.replay import Language
from broker.sections import write_toml
from broker.server import last_server, stop_left_over

TABLE: Final = "demo"
DEVICES: Final = ("seat-1", "seat-2", "seat-3", "seat-4")
PLAYERS: Final = {
    Language.CHINESE: ("松年", "竹青", "梅友", "兰舟"),
    Language.ENGLISH: ("Ash", "Birch", "Cedar", "Dogwood"),
}
AUTHORITY: Final = "authority"
SEATS: Final = "seats"
WINDOW: Final = "window"
SUBSTITUTE: Final = "substitute"
CONFIG: Final = "venue.toml"
STATS: Final = "stats.json"
POLL_SECONDS: Final = 0.1
FAREWELL_SECONDS: Final = 5.0
"""The last records may come a little after the seats have ended."""
THINK_MS: Final = 900
"""Beside a person the programs take their time."""


def run(options: argparse.Namespace) -> int:
    """Plays the game and prints what came of it: 0 if it was played to its end and is verified."""
    language = Language(options.language)
    window = not options.headless and _has_screen()
    with on_ending(give_up, signal.SIGHUP), _folder(options.data) as folder:
        config = _configure(folder, options, window)
        with _swept(config), Crew(folder) as crew:
            _play(crew, config, folder, options, window)
            outcome = outcome_of(config, TABLE, folder / STATS, folder / "transcript.jsonl")
            print(outcome.to_json() if options.json else describe(outcome, language), flush=True)
            if window and not crew.has_ended(WINDOW):
                print("关闭窗口即结束。 / Close the window to end.", file=sys.stderr)
                crew.await_end(WINDOW)
    return ExitCode.OK if outcome.verified else ExitCode.FAILED


# --- the game ----------------------------------------------------------------------------------------


def _play(crew: Crew, config: Config, folder: Path, options: argparse.Namespace, window: bool) -> None:
    """The game is over when it returns."""
    language = Language(options.language)
    progress = Progress(TABLE, PLAYERS[language], language, sys.stderr)
    crew.start(AUTHORITY, "broker", ["serve", "--config", str(folder / CONFIG)])
    if not crew.await_word(AUTHORITY, "Ready, venue"):
        raise _ended(crew, AUTHORITY)
    with Monitor(config, progress.heard):
        _start_seats(crew, config, folder, options, window)
        programs = partial(_start_programs, crew, SUBSTITUTE, config, folder, options, DEVICES[:1], 0)
        _await_end(crew, progress, programs)
    crew.end(SEATS)


def _start_seats(crew: Crew, config: Config, folder: Path, options: argparse.Namespace, window: bool) -> None:
    devices = DEVICES[1:] if window else DEVICES
    think_ms = THINK_MS if options.think_ms is None else options.think_ms
    _start_programs(crew, SEATS, config, folder, options, devices, think_ms if window else 0)
    if not window:
        return
    seat = {**_where(config), "identity": str(config.devices / DEVICES[0]), "language": options.language}
    write_toml(folder / "terminal.toml", seat)
    crew.start(WINDOW, "terminal", ["--config", str(folder / "terminal.toml")])
    print(
        "请在窗口中按“准备”。 / Touch Ready in the window. (--headless: 不开窗口 / without a window)",
        file=sys.stderr,
    )


def _start_programs(
    crew: Crew,
    name: str,
    config: Config,
    folder: Path,
    options: argparse.Namespace,
    devices: Sequence[str],
    think_ms: int,
) -> None:
    """Seats that a policy plays, in one process of that name."""
    seats = {
        **_where(config),
        "seats": [str(config.devices / device) for device in devices],
        "policy": options.policy,
        "think_ms": think_ms,
        **({} if options.seed is None else {"seed": options.seed}),
    }
    file = folder / f"{name}.toml"
    write_toml(file, seats)
    stats = ["--stats", str(folder / STATS)] if name == SEATS else []
    crew.start(name, "terminal", ["--headless", "--seats", str(file), *stats])


def _where(config: Config) -> dict[str, Any]:
    return {"host": config.mqtt.host, "port": last_server(config.runtime).port}


def _await_end(crew: Crew, progress: Progress, substitute: Callable[[], None]) -> None:
    """Waits until the game is over. A program takes the place of a window that was closed or could not
    be opened; ``ServiceError`` if another process ended before."""
    while not progress.over.wait(POLL_SECONDS):
        ended = crew.ended()
        if ended == [WINDOW] and not crew.has(SUBSTITUTE):
            if crew.await_end(WINDOW):
                print(_last_words(crew, WINDOW), file=sys.stderr)
            print("没有窗口了：由程序接着打。 / The window is gone: a program plays on.", file=sys.stderr)
            substitute()
        ended = [name for name in ended if name != WINDOW]
        if not ended or progress.over.wait(FAREWELL_SECONDS):
            continue
        if AUTHORITY in ended or any(crew.await_end(name) for name in ended):
            raise _ended(crew, ended[0])
        return  # they have played to the end, and somebody who looked at the venue took our place


def _ended(crew: Crew, name: str) -> ServiceError:
    """The error of a process that ended too early, in its own words."""
    code = crew.await_end(name)
    return ServiceError(
        ExitCode(code) if code in list(ExitCode)[1:] else ExitCode.FAILED,
        f"进程 {name} 提前结束（{code}）",
        f"the process {name} ended too early ({code}):\n{_last_words(crew, name)}",
    )


def _last_words(crew: Crew, name: str) -> str:
    return "\n".join(crew.words(name).splitlines()[-6:])


def _has_screen() -> bool:
    """Whether a window can be opened; says why not."""
    screen = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))) or any(Path("/dev/dri").glob("card*"))
    if not screen:
        why = ("没有屏幕", "there is no screen")
    elif find_library("GL") is None:
        why = ("缺少 libGL（apt install libgl1）", "libGL is missing (apt install libgl1)")
    elif find_spec("kivy") is None:
        why = ("未安装 kivy", "kivy is not installed")
    else:
        return True
    print(f"{why[0]}：四席都由程序打。 / No window, {why[1]}: programs play all four seats.", file=sys.stderr)
    return False


# --- its venue ---------------------------------------------------------------------------------------


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """The folder of the venue: the one that was named, or one that is removed afterwards."""
    if kept is None:
        name = tempfile.mkdtemp(prefix="paizhuo-demo-")
        try:
            yield Path(name)
        finally:
            with deaf():
                shutil.rmtree(name, ignore_errors=True)
        return
    try:
        kept.mkdir(parents=True, exist_ok=True)
        used = any(kept.iterdir())
    except OSError as error:
        raise ServiceError(
            ExitCode.CONFIG, f"不能使用文件夹 {kept}", f"the folder {kept} cannot be used: {error.strerror}"
        ) from None
    if used:
        raise ServiceError(
            ExitCode.CONFIG,
            f"文件夹 {kept} 不是空的：请另选一个。",
            f"the folder {kept} is not empty: name another one.",
        )
    yield kept.resolve()


@contextmanager
def _swept(config: Config) -> Iterator[None]:
    """Leaves no MQTT server behind, even if the authority was killed."""
    try:
        yield
    finally:
        stop_left_over(config.runtime)


def _configure(folder: Path, options: argparse.Namespace, window: bool) -> Config:
    """Writes the venue's configuration, as a person would, and reads it."""
    players = PLAYERS[Language(options.language)]
    rules = {} if options.deals is None else {"deals_per_game": options.deals}
    contents = {
        "venue": {"id": "demo", "data": "data"},
        "mqtt": {"server": options.mqtt_server, "port": 0},
        "pace": {"deal_pause": "5 s" if window else "0 ms"},
        **({} if options.seed is None else {"rehearsal": {"seed": options.seed}}),
        "table": [
            {
                "id": TABLE,
                "event": "demo",
                "preset": options.preset,
                "rules": rules,
                "seats": [{"device": d, "player": p} for d, p in zip(DEVICES, players, strict=True)],
            }
        ],
    }
    write_toml(folder / CONFIG, contents)
    return configuration.load(folder / CONFIG)
