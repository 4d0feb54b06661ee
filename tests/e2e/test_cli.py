"""The command as a user meets it: what works, and one clear line with the right exit code if not."""

from __future__ import annotations

import io
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from broker.__main__ import main
from broker.config import load
from broker.keeper import read_task
from broker.sections import write_toml
from broker.server import last_server
from broker.venue import prepare
from tests.e2e.conftest import table
from tests.e2e.peers import eventually

SEATS = ("seat-1", "seat-2", "seat-3", "seat-4")


def venue_file(folder: Path, **changes: object) -> Path:
    contents = {"venue": {"id": "hall"}, "mqtt": {"port": 0}, "table": [table("t1", *SEATS)], **changes}
    path = folder / "venue.toml"
    write_toml(path, contents)
    return path


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "broker", *map(str, words)]


class Ran(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(*words: object) -> Ran:
    """One command in this process: its exit code, and what it wrote."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as end:
            code = int(end.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


class Serving:
    """A running ``serve``."""

    def __init__(self, file: Path) -> None:
        self._out = file.with_suffix(".out")
        with self._out.open("wb") as out:
            self.process = subprocess.Popen(command("serve", "--config", file), stdout=out, stderr=out)
        eventually(lambda: "Ready" in self.words() or self.process.poll() is not None, "the start")
        assert self.process.poll() is None, self.words()

    def words(self) -> str:
        return self._out.read_text()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a venue that has been started and stopped once."""
    file = venue_file(tmp_path_factory.mktemp("served"))
    assert Serving(file).stop() == 0
    return file


@pytest.fixture
def venue(served: Path, tmp_path: Path) -> Path:
    """A copy of that venue, to be damaged."""
    shutil.copytree(served.parent, tmp_path / "venue")
    return tmp_path / "venue" / served.name


@pytest.fixture
def serving(venue: Path) -> Iterator[tuple[Path, Serving]]:
    running = Serving(venue)
    yield venue, running
    if running.process.poll() is None:
        running.stop()


def fails(code: int, *texts: str, words: tuple[object, ...]) -> None:
    ran = run(*words)
    assert ran.returncode == code, ran.stderr
    for text in texts:
        assert text in ran.stderr
    assert "Traceback" not in ran.stderr
    assert any("\u4e00" <= sign <= "\u9fff" for sign in ran.stderr)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_cleanly_when_told(venue: Path, number: int) -> None:
    running = Serving(venue)
    assert running.stop(number) == 0
    assert "stopped" in running.words()
    assert "Traceback" not in running.words()


def test_the_mqtt_server_ends_with_the_authority(serving: tuple[Path, Serving]) -> None:
    venue, running = serving
    server = last_server(venue.parent / "data" / "run")
    with socket.create_connection(("127.0.0.1", server.port)):
        pass
    assert running.stop() == 0
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))


def test_status_of_a_running_venue(serving: tuple[Path, Serving]) -> None:
    venue, _running = serving
    ran = run("status", "--config", venue)
    assert ran.returncode == 0
    assert "authority: ready" in ran.stdout
    assert "t1 (event)" in ran.stdout
    assert "seat-3" in ran.stdout and "offline" in ran.stdout


def test_status_of_a_stopped_venue_comes_from_the_log(venue: Path) -> None:
    ran = run("status", "--config", venue)
    assert ran.returncode == 1
    assert "MQTT server is down" in ran.stdout
    assert "t1 (event)" in ran.stdout


def test_replay_in_both_languages(venue: Path) -> None:
    chinese, english = (
        run("replay", "t1", "--config", venue, "--language", word).stdout for word in ("zh", "en")
    )
    assert "开台" in chinese and "table opened, rules national-guandan-2017" in english
    assert len(chinese.splitlines()) == len(english.splitlines()) == 6


def test_an_export_is_what_verify_reads(venue: Path, tmp_path: Path) -> None:
    file = tmp_path / "t1.jsonl"
    assert run("export", "t1", "--config", venue, "--into", file).returncode == 0
    ran = run("verify", file)
    assert ran.returncode == 1  # the boards are still closed
    assert "secrets are still closed" in ran.stdout
    text = file.read_text()
    file.write_text(text.replace("SEAT-3", "SEAT-9", 1))
    assert run("verify", file).returncode == 1
    file.write_text("nonsense")
    assert run("verify", file).returncode == 2


def test_a_table_that_is_not_there_is_named(venue: Path) -> None:
    fails(1, "there is no table t9; there are: event/t1", words=("replay", "t9", "--config", venue))
    fails(1, "there is no table t9", words=("export", "t9", "--config", venue))


def test_check_config(tmp_path: Path) -> None:
    ran = run("check-config", venue_file(tmp_path))
    assert ran.returncode == 0
    assert "National Guandan 2017" in ran.stdout
    broken = venue_file(tmp_path, mqt={"port": 1}, pace={"heartbeat": 2})
    fails(2, "mqt: ", 'did you mean "mqtt"?', "pace.heartbeat", words=("check-config", broken))
    fails(2, "pace.heartbeat", words=("serve", "--config", broken))
    fails(2, "cannot be read", words=("serve", "--config", tmp_path / "missing.toml"))


def test_a_port_in_use(venue: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        text = venue.read_text().replace("port = 0", f"port = {port}")
        venue.write_text(text)
        fails(3, f"port {port} is in use", "mqtt.port", words=("serve", "--config", venue))


def test_a_missing_key_of_the_authority(venue: Path) -> None:
    (venue.parent / "data/authority/ca.key").unlink()
    fails(4, "ca.key is missing", words=("serve", "--config", venue))


@pytest.mark.parametrize("service", ["authority", "server"])
def test_a_certificate_of_another_venue(venue: Path, tmp_path: Path, service: str) -> None:
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    prepare(load(venue_file(foreign)))
    target = venue.parent / "data/services" / service
    shutil.rmtree(target)
    shutil.copytree(foreign / "data/services" / service, target)
    fails(4, "is of another venue", words=("serve", "--config", venue))


def test_a_folder_of_another_venue(venue: Path) -> None:
    venue.write_text(venue.read_text().replace('id = "hall"', 'id = "other"'))
    fails(4, "belongs to venue hall", words=("serve", "--config", venue))


def test_a_damaged_log(venue: Path) -> None:
    log = venue.parent / "data/log.sqlite"
    with sqlite3.connect(log) as database:
        database.execute("UPDATE records SET public = replace(public, 'SEAT-3', 'SEAT-9') WHERE n = 4")
    database.close()
    before = log.read_bytes()
    fails(5, "table t1 of event, record 4", words=("serve", "--config", venue))
    assert log.read_bytes() == before


def test_a_log_that_is_no_log(venue: Path) -> None:
    log = venue.parent / "data/log.sqlite"
    for leftover in log.parent.glob("log.sqlite-*"):
        leftover.unlink()
    log.write_bytes(b"no database" * 1000)
    fails(5, "log.sqlite", words=("serve", "--config", venue))
    assert log.read_bytes() == b"no database" * 1000


def test_a_venue_in_use(serving: tuple[Path, Serving]) -> None:
    venue, running = serving
    fails(5, "in use by another authority", words=("serve", "--config", venue))
    other = venue.with_name("other.toml")
    other.write_text(venue.read_text() + '\n[store]\nurl = "sqlite:///other.sqlite"\n')
    fails(5, "in use by another authority", words=("serve", "--config", other))
    assert running.process.poll() is None


def test_a_venue_that_was_never_started(tmp_path: Path) -> None:
    file = venue_file(tmp_path)
    fails(1, "paizhuo-broker serve", words=("status", "--config", file))
    fails(5, "", words=("replay", "t1", "--config", file))


def test_help_is_there_for_every_command() -> None:
    for words in (
        (),
        ("serve",),
        ("status",),
        ("replay",),
        ("export",),
        ("check-config",),
        ("verify",),
        ("demo",),
    ):
        ran = run(*words, "--help")
        assert ran.returncode == 0
        assert len(ran.stdout) > 100


def test_what_a_venue_makes_is_its_owner_s_alone_whatever_the_mask(tmp_path: Path) -> None:
    file = venue_file(tmp_path)
    before = os.umask(0)
    try:
        running = Serving(file)
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "data").rglob("*")}
    assert running.stop() == 0
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    closed = {path for path, mode in modes.items() if path.is_dir() and mode == 0o700}
    assert all(mode & 0o077 == 0 or path.parent in closed for path, mode in modes.items())
    assert all(mode & 0o022 == 0 for mode in modes.values())


def test_a_start_that_fails_leaves_no_server_and_no_keys_behind(venue: Path) -> None:
    run_folder = venue.parent / "data" / "run"
    (run_folder / "server.json").unlink()
    (run_folder / "server.json").mkdir()
    ran = subprocess.run(command("serve", "--config", venue), capture_output=True, timeout=60, check=False)
    assert ran.returncode == 3 and b"Traceback" not in ran.stderr
    scratch = [read_task(file).scratch for file in run_folder.glob("*.run")]
    eventually(lambda: str(run_folder) not in command_lines(), "the end of what was started")
    assert not any(folder and Path(folder).exists() for folder in scratch)


def command_lines() -> str:
    """Of all processes."""
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("words", [("replay", "t1"), ("status",), ("export", "t1", "--into", "/dev/stdout")])
def test_nobody_has_to_read_the_output_to_its_end(venue: Path, words: tuple[str, ...]) -> None:
    with subprocess.Popen(
        command(*words, "--config", venue), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode != 0
    assert b"Traceback" not in said and b"Exception ignored" not in said


def test_a_locale_without_chinese_is_no_obstacle(venue: Path) -> None:
    ran = subprocess.run(
        command("replay", "t1", "--config", venue),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0 and b"seat-3" in ran.stdout


def test_a_damaged_record_ends_a_replay(venue: Path) -> None:
    with sqlite3.connect(venue.parent / "data/log.sqlite") as database:
        database.execute("UPDATE records SET public = 'garbage' WHERE n = 4")
    database.close()
    fails(5, "record 4", words=("replay", "t1", "--config", venue))


@pytest.mark.parametrize("words", [(), ("serv",), ("serve", "more"), ("demo", "--seed", "9" * 6_000)])
def test_wrong_usage_is_told_in_both_languages(words: tuple[str, ...]) -> None:
    fails(2, "wrong usage", words=words)
