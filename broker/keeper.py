"""The keeper of a server process: lets it outlive a crash of the authority, but not for ever.

``python -m broker.keeper FILE`` runs what the file says (``Task``) and ends with it. If nobody has
touched the file for ``GRACE`` seconds, no authority has come back: the server is ended, and what
was made for it is removed, as it is when the keeper is asked to end. Nothing but the standard
library, so that it is up at once and stays small.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SCRATCH = "/run/paizhuo-mqtt-"
"""What the path of a scratch folder begins with: the keeper removes no other."""
GRACE = 60.0
TICK = 0.5
PATIENCE = 4.0
"""Seconds that the server has to end by itself before it is killed."""

_PR_SET_PDEATHSIG = 1


class Task(NamedTuple):
    """What is to be run. ``digest`` tells one run from another; ``user`` and ``group`` are numbers, or
    None for our own; ``scratch`` is a folder to be removed at the end, or empty."""

    words: tuple[str, ...] = ()
    digest: str = ""
    user: int | None = None
    group: int | None = None
    scratch: str = ""


def write_task(file: Path, task: Task) -> None:
    """Writes the file that the keeper reads."""
    file.write_text(json.dumps(task), "utf-8")


def read_task(file: Path) -> Task:
    """The task in the file; an empty one if it holds none."""
    try:
        words, *rest = json.loads(file.read_text("utf-8"))
        return Task(tuple(map(str, words)), *rest)
    except (OSError, ValueError, TypeError):
        return Task()


def keep(file: Path, grace: float = GRACE) -> int:
    """Runs the task to its end. Returns the exit code of the server."""
    task = read_task(file)
    process = subprocess.Popen(
        task.words,
        user=task.user,
        group=task.group,
        extra_groups=None if task.user is None else (),
        preexec_fn=_end_with_keeper,
    )
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    tending = Tending(file)
    while process.poll() is None and tending.silence() < grace:
        with suppress(subprocess.TimeoutExpired):
            process.wait(TICK)
    code = _ended(process)
    remove_scratch(task.scratch)
    return code


def remove_scratch(folder: str) -> None:
    """Removes the folder if it is one of ours, and there."""
    if folder.startswith(SCRATCH) and "/" not in folder.removeprefix(SCRATCH):
        shutil.rmtree(folder, ignore_errors=True)


class Tending:
    """Watches whether somebody touches a file; by a clock that never jumps, so setting the machine's
    clock means nothing."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stamp = 0
        self._since = time.monotonic()

    def silence(self) -> float:
        """Seconds since the file was seen to be touched; endless if it is gone."""
        try:
            stamp = self._file.stat().st_mtime_ns
        except OSError:
            return float("inf")
        if stamp != self._stamp:
            self._stamp, self._since = stamp, time.monotonic()
        return time.monotonic() - self._since


def _ended(process: subprocess.Popen[bytes]) -> int:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    process.kill()
    return process.wait()


def _end_with_keeper() -> None:
    """In the server: to be killed when the keeper dies, even by SIGKILL."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(keep(Path(sys.argv[1])))
