"""Processes of a demonstration: they end when it does, however it ends."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PATIENCE: Final = 10.0
"""Seconds that a process has to end by itself before it is killed."""
POLL_SECONDS: Final = 0.05

_PR_SET_PDEATHSIG: Final = 1


class Crew:
    """Processes started together, by name, and ended together, the last first.

    What a process writes goes to ``name.log`` in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for name in reversed(self._processes):
            self.end(name)

    def start(self, name: str, module: str, arguments: Sequence[str]) -> None:
        """Runs a Python module as a process."""
        with self._log(name).open("wb") as output:
            self._processes[name] = subprocess.Popen(
                (sys.executable, "-u", "-m", module, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=_end_with_parent,
            )

    def await_word(self, name: str, word: str) -> bool:
        """Waits until the process has written the word; False if it ended without."""
        while word not in self.words(name):
            if self.has_ended(name):
                return word in self.words(name)
            time.sleep(POLL_SECONDS)
        return True

    def await_end(self, name: str) -> int:
        """Waits until the process has ended by itself; its exit code."""
        return self._processes[name].wait()

    def has(self, name: str) -> bool:
        """Whether a process of that name was started."""
        return name in self._processes

    def has_ended(self, name: str) -> bool:
        """Whether the process has ended."""
        return self._processes[name].poll() is not None

    def ended(self) -> list[str]:
        """Names of the processes that have ended."""
        return [name for name in self._processes if self.has_ended(name)]

    def end(self, name: str, patience: float = PATIENCE) -> int:
        """Asks the process to end, and kills it after that many seconds. Its exit code."""
        process = self._processes[name]
        if process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(patience)
        if process.poll() is None:
            process.kill()
        return process.wait()

    def words(self, name: str) -> str:
        """Everything that the process has written."""
        with suppress(OSError):
            return self._log(name).read_text("utf-8", "replace").strip()
        return ""

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"


_libc: Final = ctypes.CDLL(None)


def _end_with_parent() -> None:
    """In the child: to be asked to end when the parent dies, even by SIGKILL."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
