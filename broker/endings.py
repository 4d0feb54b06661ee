"""The signals that ask a process to end: heard once, so that what they set off is not interrupted."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENDING: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def on_ending(call: Callable[[], object], *more: signal.Signals) -> Iterator[None]:
    """Calls when the process is first asked to end, and is deaf to the same wish from then on.

    ``more`` are signals that mean the same here.

    A terminal sends Ctrl-C to a parent and its children at once, and the parent then ends the
    children: without this the second signal would cut their tidying up short.
    """

    heard = (*ENDING, *more)

    def handle(_number: int, _frame: FrameType | None) -> None:
        for number in heard:
            signal.signal(number, signal.SIG_IGN)
        call()

    before = {number: signal.signal(number, handle) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is handle:
                signal.signal(number, handler)


@contextmanager
def deaf() -> Iterator[None]:
    """Hears no wish to end, for tidying up that is short and must be whole."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (*ENDING, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def give_up() -> None:
    """Leaves whatever is being done: raises ``KeyboardInterrupt``."""
    raise KeyboardInterrupt
