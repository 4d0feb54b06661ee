"""Movement: something glides to its place in a short time, and is there at once when it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

RAISE = 0.08
"""Seconds in which a card is raised."""
LAY = 0.15
"""Seconds in which cards come to the table."""


class Glide:
    """Calls ``move`` with the part of the way that is left, from 1 to 0."""

    def __init__(self, move: Callable[[float], None]) -> None:
        self._move = move
        self._seconds = 0.0
        self._passed = 0.0
        self._event: Any = None

    def start(self, seconds: float) -> None:
        """Begins anew; with 0 seconds it is there at once."""
        self._stop()
        self._seconds, self._passed = seconds, 0.0
        if seconds <= 0:
            self._move(0.0)
            return
        self._move(1.0)
        self._event = Clock.schedule_interval(self._step, 0)

    def finish(self) -> None:
        """Is there now."""
        if self._event is not None:
            self._stop()
            self._move(0.0)

    def _step(self, passed: float) -> None:
        self._passed += passed
        left = 1.0 - self._passed / self._seconds
        if left <= 0:
            self.finish()
        else:
            self._move(left)

    def _stop(self) -> None:
        if self._event is not None:
            self._event.cancel()
            self._event = None
