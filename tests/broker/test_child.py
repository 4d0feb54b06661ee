"""A child process is found again after its parent's death, and stopped if it is not what is wanted."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from broker.child import Child, Command
from tests.e2e.peers import eventually

SLEEPER = (sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)")
STUBBORN = (
    sys.executable,
    "-c",
    "from signal import *; import time; signal(SIGTERM, SIG_IGN); print('up', flush=True); time.sleep(600)",
)


def started(folder: Path, command: Command) -> Child:
    """A child that runs. Its command line has to be like no other on this machine: it names the folder."""
    child = Child(folder, "sleeper")
    child.start(command)
    eventually(lambda: child.last_words() == "up")
    return child


def test_a_running_child_is_found_again_and_can_be_stopped(tmp_path: Path) -> None:
    command = Command((*SLEEPER, str(tmp_path)), b"settings")
    first = started(tmp_path, command)
    again = Child(tmp_path, "sleeper")
    assert again.adopt(command)
    assert again.alive()
    again.stop()
    eventually(lambda: not first.alive())
    assert not Child(tmp_path, "sleeper").adopt(command)


def test_a_child_with_other_settings_is_stopped(tmp_path: Path) -> None:
    first = started(tmp_path, Command((*SLEEPER, str(tmp_path)), b"old"))
    assert not Child(tmp_path, "sleeper").adopt(Command((*SLEEPER, str(tmp_path)), b"new"))
    eventually(lambda: not first.alive())


def test_a_child_that_was_killed_is_not_found(tmp_path: Path) -> None:
    command = Command((*SLEEPER, str(tmp_path)), b"")
    first = started(tmp_path, command)
    os.kill(first.number, signal.SIGKILL)
    eventually(lambda: not first.alive())
    assert not Child(tmp_path, "sleeper").adopt(command)


def test_a_child_is_found_also_if_its_parent_died_before_it_knew_the_number(tmp_path: Path) -> None:
    words = (*SLEEPER, str(tmp_path))
    child = started(tmp_path, Command(words, b"settings"))
    again = Child(tmp_path, "sleeper")
    assert again.adopt(Command(words, b"settings"))
    assert again.number == child.number
    again.stop()


def test_a_process_with_another_command_line_is_left_alone(tmp_path: Path) -> None:
    other = started(tmp_path, Command((*SLEEPER, str(tmp_path)), b""))
    record = tmp_path / "sleeper.run"
    record.write_text(record.read_text().replace("time.sleep(600)", "time.sleep(601)"))
    assert not Child(tmp_path, "sleeper").adopt(Command(SLEEPER, b""))
    assert other.alive()
    other.stop()


def test_a_damaged_record_is_no_child(tmp_path: Path) -> None:
    for text in ("", "{}", "[1]", '[1, "x", 2]', '[[], "x", ""]'):
        (tmp_path / "sleeper.run").write_text(text)
        assert not Child(tmp_path, "sleeper").adopt(Command(SLEEPER, b""))


def test_a_stubborn_child_is_killed(tmp_path: Path) -> None:
    child = started(tmp_path, Command(STUBBORN, b""))
    child.stop(patience=0.2)
    assert not child.alive()
