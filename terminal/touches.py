"""Touches that come in twice: once by the window system, once by the device itself. No Kivy."""

from __future__ import annotations

from math import hypot
from typing import Final

ECHO_MS: Final = 80
"""Two providers report one tap within this time."""
ECHO_PIXELS: Final = 40


class Twins:
    """Tells the echo of a touch from a touch of its own."""

    def __init__(self) -> None:
        self._last: tuple[str, tuple[float, float], int] | None = None

    def is_twin(self, device: str, at: tuple[float, float], now: int) -> bool:
        """Whether the touch repeats one that another device has just reported at the same place."""
        last = self._last
        if last is not None:
            near = hypot(at[0] - last[1][0], at[1] - last[1][1]) <= ECHO_PIXELS
            if device != last[0] and near and now - last[2] <= ECHO_MS:
                return True
        self._last = (device, at, now)
        return False
