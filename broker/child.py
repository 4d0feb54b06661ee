"""A child process that outlives a crash of its parent: started, found again, stopped.

When the authority is killed and started again it finds the MQTT server still running, with every
seat connected to it, and goes on with it. It is found by its command line, which names settings
that are this venue's alone; a server that runs with other settings than wanted is stopped first.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

PATIENCE: Final = 5.0
"""Seconds that a process has to end by itself before it is killed."""
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
    """Folder of copies for that user, removed when the process is stopped."""

    @property
    def digest(self) -> str:
        """Tells one run from another."""
        return hashlib.sha256(repr((self.words, self.user)).encode() + self.settings).hexdigest()


class _Started(NamedTuple):
    """What is written down of a run before it begins."""

    words: Sequence[str] = ()
    digest: str = ""
    scratch: str = ""


class Child:
    """One process: what was started last stands in ``folder/name.run``, its output in ``name.out``.

    ``number`` is its process number once it was started or found.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._record = folder / f"{name}.run"
        self._output = folder / f"{name}.out"
        self._process: subprocess.Popen[bytes] | None = None
        self._started = _Started()
        self.number = 0

    def adopt(self, command: Command) -> bool:
        """Whether a process of an earlier run with the same settings goes on and is now ours.

        One with other settings is stopped.
        """
        started = self._last()
        number = _find(started.words)
        if not number:
            return False
        self._started, self.number = started, number
        if started.digest == command.digest:
            return True
        self.stop()
        return False

    def start(self, command: Command) -> None:
        """Starts the process; ``OSError`` if it cannot be run."""
        self._started = _Started(command.words, command.digest, str(command.scratch or ""))
        self._record.write_text(json.dumps(self._started), "utf-8")
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                command.words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=command.user,
                group=command.group,
                extra_groups=None if command.user is None else (),
                start_new_session=True,  # Ctrl-C is the parent's business
            )
        self.number = self._process.pid

    def alive(self) -> bool:
        """Whether the process runs."""
        if self._process is not None:
            return self._process.poll() is None
        return bool(self.number) and _command_line(self.number) == list(self._started.words)

    def stop(self, patience: float = PATIENCE) -> None:
        """Ends the process: asks, and kills it after that many seconds; nothing if it has ended."""
        if self.alive():
            self._signal(signal.SIGTERM)
            if not self._ends_within(patience):
                self._signal(signal.SIGKILL)
                self._ends_within(patience)
        if self._started.scratch:
            shutil.rmtree(self._started.scratch, ignore_errors=True)
        self._process, self._started, self.number = None, _Started(), 0
        self._record.unlink(missing_ok=True)

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

    def _last(self) -> _Started:
        try:
            words, digest, scratch = json.loads(self._record.read_text("utf-8"))
            return _Started([str(word) for word in words], str(digest), str(scratch))
        except (OSError, ValueError, TypeError):
            return _Started()


def _find(words: Sequence[str]) -> int:
    """Number of the process with exactly that command line; 0 if there is none."""
    if not words:
        return 0
    numbers = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return next((number for number in numbers if _command_line(number) == list(words)), 0)


def _command_line(number: int) -> list[str]:
    """The words of a running process; empty if none of that number runs."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    except OSError:
        return []
