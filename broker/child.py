"""A child process that outlives a crash of its parent: started, found again, stopped.

When the authority is killed and started again it finds the MQTT server still running, with every
seat connected to it, and goes on with it. It is found by its command line, which names a file of
this venue alone; a server that runs with other settings than wanted is stopped first. Between the
authority and the server stands a ``keeper``, which ends the server if no authority comes back.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from broker.keeper import Task, read_task, remove_scratch, write_task

PATIENCE: Final = 6.0
"""Seconds that the keeper has to end its server before it is killed, and the server with it."""
_TICK: Final = 0.02


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. ``settings`` are the bytes that make one run differ from another."""

    words: tuple[str, ...]
    settings: bytes
    user: int | None = None
    """Number of the user to run as; None: as we do."""
    group: int | None = None
    scratch: Path | None = None
    """Folder of copies for that user, removed when the process ends."""

    def task(self) -> Task:
        """What the keeper is told."""
        digest = hashlib.sha256(repr((self.words, self.user)).encode() + self.settings).hexdigest()
        return Task(self.words, digest, self.user, self.group, str(self.scratch or ""))


class Child:
    """One process: what is run stands in ``folder/name.run``, its output in ``folder/name.out``.

    ``number`` is the process number of its keeper once it was started or found.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._file = folder / f"{name}.run"
        self._output = folder / f"{name}.out"
        self._keeper = [sys.executable, "-m", "broker.keeper", str(self._file)]
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch = ""
        self.number = 0

    def adopt(self, command: Command) -> bool:
        """Whether a process of an earlier run with the same settings goes on and is now ours.

        One with other settings is stopped.
        """
        self._scratch = command.task().scratch
        self.number = _find(self._keeper)
        if not self.number:
            return False
        if read_task(self._file) == command.task():
            self.tend()
            return True
        self.stop()
        return False

    def start(self, command: Command) -> None:
        """Starts the process; ``OSError`` if it cannot be run."""
        self._scratch = command.task().scratch
        write_task(self._file, command.task())
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                self._keeper,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is the parent's business
            )
        self.number = self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        if self._process is not None:
            return self._process.poll() is None
        return bool(self.number) and _command_line(self.number) == self._keeper

    def tend(self) -> None:
        """Tells the keeper that somebody looks after its server. To be repeated every few seconds."""
        with contextlib.suppress(OSError):
            os.utime(self._file)

    def stop(self, patience: float = PATIENCE) -> None:
        """Ends the process: asks, and kills it after that many seconds; and removes what was made for it."""
        if self.alive():
            self._signal(signal.SIGTERM)
            if not self._ends_within(patience):
                self._signal(signal.SIGKILL)
                self._ends_within(patience)
        remove_scratch(self._scratch)
        self._process, self.number = None, 0

    def last_words(self, lines: int = 3) -> str:
        """The end of its output, for an error message."""
        with contextlib.suppress(OSError):
            text = self._output.read_text("utf-8", "replace").strip()
            return " | ".join(text.splitlines()[-lines:])
        return ""

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.number, number)

    def _ends_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self.alive():
            if time.monotonic() > deadline:
                return False
            time.sleep(_TICK)
        return True


def _find(words: list[str]) -> int:
    """Number of the process with exactly that command line; 0 if there is none."""
    numbers = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return next((number for number in numbers if _command_line(number) == words), 0)


def _command_line(number: int) -> list[str]:
    """The words of a running process; empty if none of that number runs."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    except OSError:
        return []
