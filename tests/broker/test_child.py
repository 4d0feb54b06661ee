"""A child process outlives its parent's death for a while, and is found again if somebody comes."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from broker.child import Child, Command
from broker.keeper import SCRATCH, Task, Tending, keep, read_task, write_task
from tests.e2e.peers import eventually

SLEEPER = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)")
STUBBORN = (
    sys.executable,
    "-c",
    "from signal import *; import time; signal(SIGTERM, SIG_IGN); print('up', flush=True); time.sleep(600)",
)


def started(folder: Path, command: Command) -> Child:
    child = Child(folder, "sleeper")
    child.start(command)
    eventually(lambda: child.last_words() == "up")
    return child


def server_of(child: Child) -> int:
    """Process number of what the keeper keeps."""
    return int(Path(f"/proc/{child.number}/task/{child.number}/children").read_text().split()[0])


def runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_running_child_is_found_again_and_can_be_stopped(tmp_path: Path) -> None:
    command = Command(SLEEPER, b"settings")
    first = started(tmp_path, command)
    server = server_of(first)
    again = Child(tmp_path, "sleeper")
    assert again.adopt(command)
    assert again.alive()
    assert again.number == first.number
    again.stop()
    eventually(lambda: not first.alive() and not runs(server))
    assert not Child(tmp_path, "sleeper").adopt(command)


def test_a_child_with_other_settings_is_stopped(tmp_path: Path) -> None:
    first = started(tmp_path, Command(SLEEPER, b"old"))
    assert not Child(tmp_path, "sleeper").adopt(Command(SLEEPER, b"new"))
    eventually(lambda: not first.alive())


def test_a_child_of_another_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    other = started(tmp_path / "a", Command(SLEEPER, b""))
    assert not Child(tmp_path / "b", "sleeper").adopt(Command(SLEEPER, b""))
    assert other.alive()
    other.stop()


@pytest.mark.parametrize("victim", ["keeper", "server"])
def test_keeper_and_server_die_together(tmp_path: Path, victim: str) -> None:
    child = started(tmp_path, Command(SLEEPER, b""))
    server = server_of(child)
    os.kill(child.number if victim == "keeper" else server, signal.SIGKILL)
    eventually(lambda: not child.alive() and not runs(server))
    assert not Child(tmp_path, "sleeper").adopt(Command(SLEEPER, b""))


def test_a_stubborn_child_is_killed(tmp_path: Path) -> None:
    child = started(tmp_path, Command(STUBBORN, b""))
    server = server_of(child)
    child.stop(patience=0.2)
    assert not child.alive()
    eventually(lambda: not runs(server))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes folders there")
def test_what_was_made_for_the_child_goes_with_it(tmp_path: Path) -> None:
    scratch = Path(f"{SCRATCH}test-{os.getpid()}")
    scratch.mkdir()
    (scratch / "key").write_text("secret")
    started(tmp_path, Command(SLEEPER, b"", scratch=scratch)).stop()
    eventually(lambda: not scratch.exists())


def test_no_other_folder_is_removed(tmp_path: Path) -> None:
    for scratch in (tmp_path / "mine", Path(f"{SCRATCH}x/../../{tmp_path}/mine")):
        (tmp_path / "mine").mkdir(exist_ok=True)
        started(tmp_path, Command(SLEEPER, b"", scratch=scratch)).stop()
        assert (tmp_path / "mine").exists()


def test_a_server_that_nobody_tends_is_ended(tmp_path: Path) -> None:
    file = tmp_path / "left.run"
    write_task(file, Task(SLEEPER))
    assert keep(file, grace=0.3) == -signal.SIGTERM


def test_setting_the_clock_means_nothing_to_a_tended_server(tmp_path: Path) -> None:
    file = tmp_path / "tended.run"
    file.touch()
    tending = Tending(file)
    for moment in (0, time.time() + 10**6, 10, time.time()):
        os.utime(file, (moment, moment))
        assert tending.silence() < 1.0
    file.unlink()
    assert tending.silence() == float("inf")


def test_a_server_whose_folder_is_gone_is_ended(tmp_path: Path) -> None:
    child = started(tmp_path, Command(SLEEPER, b""))
    (tmp_path / "sleeper.run").unlink()
    eventually(lambda: not child.alive())


def test_a_task_reads_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "x.run"
    task = Task(("a", "b c"), "digest", 65534, None, "/run/x")
    write_task(file, task)
    assert read_task(file) == task
    for text in ("", "{}", "[1]", "[[]", '[["a"], 1, 2, 3, 4, 5, 6]'):
        file.write_text(text)
        assert read_task(file) == Task()


def test_a_program_that_is_not_there_is_an_end_with_words(tmp_path: Path) -> None:
    child = Child(tmp_path, "sleeper")
    child.start(Command((str(tmp_path / "nothing"),), b""))
    eventually(lambda: not child.alive())
    assert "nothing" in child.last_words()
