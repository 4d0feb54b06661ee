"""The reactor: many links on one thread, without a thread of paho's for each.

One selector waits for all sockets and for the next moment at which something is due. Nothing
polls: with no message, no choice and no reconnection due, the thread sleeps.
"""

from __future__ import annotations

import heapq
import random
import selectors
import socket
import ssl
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final

from terminal.faults import fault_of
from terminal.link import RETRY, Link

_UPKEEP: Final = 1.0
"""Seconds between two looks at the keep-alive of all links."""


class Reactor:
    """Drives links and calls what is due, on the thread of ``run``."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._selector = selectors.DefaultSelector()
        self._pumped: dict[Link, Callable[[], None]] = {}
        self._sockets: dict[Link, socket.socket] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._touched: set[Link] = set()
        self._stopping = False

    def add(self, link: Link, pumped: Callable[[], None]) -> None:
        """Connects the link, and again whenever its connection is lost.

        ``pumped`` is called when something may have changed for its session.
        """
        self._pumped[link] = pumped
        self.after(0, lambda: self._connect(link))

    def after(self, seconds: float, call: Callable[[], None]) -> None:
        """Calls back once that time has passed."""
        heapq.heappush(self._due, (time.monotonic() + seconds, next(self._order), call))

    def do(self, link: Link, call: Callable[[], None]) -> None:
        """Calls back, and has what the session then hands out sent."""
        call()
        self._touched.add(link)

    def stop(self) -> None:
        """Lets ``run`` end; may be called from a signal handler."""
        self._stopping = True

    def run(self) -> None:
        """Serves all links until ``stop``, then says goodbye for each."""
        self.after(_UPKEEP, self._keep_up)
        while not self._stopping:
            self._turn()
        self._part()

    def touch(self, link: Link) -> None:
        """Has the link pumped and written before the thread waits again."""
        self._touched.add(link)

    # --- what paho calls through a link --------------------------------------------------------

    def opened(self, link: Link, sock: socket.socket) -> None:
        """A socket is there: wait for it."""
        self._sockets[link] = sock
        self._selector.register(sock, selectors.EVENT_READ, link)
        self.touch(link)

    def closed(self, link: Link, sock: socket.socket) -> None:
        """The socket is about to be closed: try again a little later."""
        if self._sockets.pop(link, None) is None:
            return
        self._selector.unregister(sock)
        self.touch(link)
        if not self._stopping:
            self.after(self._delay(), lambda: self._connect(link))

    def wants_write(self, link: Link, wants: bool) -> None:
        """Bytes wait to be written: they are, before the thread waits again, as far as they go."""
        if wants:
            self.touch(link)
        elif link in self._sockets:
            self._selector.modify(self._sockets[link], selectors.EVENT_READ, link)

    # --- one turn ------------------------------------------------------------------------------

    def _turn(self) -> None:
        for key, events in self._selector.select(self._patience()):
            self._serve(key.data, events)
        self._call_due()
        while self._touched:
            self._settle(self._touched.pop())

    def _patience(self) -> float | None:
        return max(0.0, self._due[0][0] - time.monotonic()) if self._due else None

    def _serve(self, link: Link, events: int) -> None:
        if events & selectors.EVENT_READ:
            self._read(link)
        self.touch(link)

    def _read(self, link: Link) -> None:
        """Reads until nothing is left: TLS may hold bytes that the selector cannot see."""
        link.client.loop_read()
        while (sock := self._sockets.get(link)) is not None and _holds_bytes(sock):
            link.client.loop_read()

    def _call_due(self) -> None:
        now = time.monotonic()
        while self._due and self._due[0][0] <= now:
            heapq.heappop(self._due)[2]()

    def _settle(self, link: Link) -> None:
        link.pump()
        self._pumped[link]()
        link.pump()
        if not link.client.want_write():
            return
        link.client.loop_write()
        sock = self._sockets.get(link)
        if sock is not None and link.client.want_write():
            self._selector.modify(sock, selectors.EVENT_READ | selectors.EVENT_WRITE, link)

    # --- connections ---------------------------------------------------------------------------

    def _connect(self, link: Link) -> None:
        if self._stopping or link in self._sockets:
            return
        try:
            link.client.reconnect()
        except OSError as error:
            link.failed(fault_of(error))
            self.after(self._delay(), lambda: self._connect(link))
        self.touch(link)

    def _delay(self) -> float:
        """Not all at once: a server that is back would be met by every seat in the same moment."""
        return RETRY * self._chance.uniform(0.5, 1.0)

    def _keep_up(self) -> None:
        for link in self._pumped:
            link.client.loop_misc()
        self.after(_UPKEEP, self._keep_up)

    def _part(self) -> None:
        for link in self._pumped:
            link.stop()
        self._selector.close()


def _holds_bytes(sock: Any) -> bool:
    return isinstance(sock, ssl.SSLSocket) and sock.pending() > 0
