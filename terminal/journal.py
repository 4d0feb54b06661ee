"""The journal of headless seats: how long answers took, and each answer as it came in.

A line of the journal's file is one JSON object ``{"id", "kind", "code", "at"}`` with ``at`` in
Unix milliseconds. It has left this process before the next act is made, so it says what had been
acknowledged to a seat whatever becomes of the authority.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

from terminal.state import Answered


class Journal:
    """Takes down acts and answers. Without a path it only keeps the times."""

    def __init__(self, path: Path | None) -> None:
        self._file = path.open("a", encoding="utf-8", buffering=1) if path else None
        self._since: dict[str, float] = {}
        self.ack_ms: list[float] = []
        """Milliseconds from act to answer, of all acts that were sent once."""

    def act(self, act: str) -> None:
        """The act of that id is being sent."""
        self._since[act] = time.perf_counter()

    def answer(self, answered: Answered, read_at: float) -> None:
        """An answer has come in, and had been read at that moment of ``time.perf_counter``."""
        since = self._since.pop(answered.id, None)
        if since is not None and not answered.resent:
            self.ack_ms.append(round((read_at - since) * 1000, 3))
        if self._file:
            at = time.time_ns() // 1_000_000
            line = {"id": answered.id, "kind": answered.kind, "code": answered.code, "at": at}
            self._file.write(json.dumps(line) + "\n")

    def write_stats(self, path: Path) -> None:
        """Writes ``{"ack_ms": [...]}``."""
        path.write_text(json.dumps({"ack_ms": self.ack_ms}), encoding="utf-8")

    def close(self) -> None:
        """Closes the file."""
        if self._file:
            self._file.close()
