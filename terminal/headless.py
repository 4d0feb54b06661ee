"""Headless seats: many in one process, each with its own keys and connection, played by a policy."""

from __future__ import annotations

import random
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from broker.players import POLICIES, Policy
from provisioning.identity import DeviceIdentity
from terminal import SOFTWARE
from terminal.config import Seats
from terminal.faults import LASTING, LinkError
from terminal.journal import Journal
from terminal.link import Link
from terminal.player import Player
from terminal.reactor import Reactor
from terminal.session import Session

ATTEMPTS: Final = 3
"""Connections that fail in a way that lasts, after which a seat gives up: once may be a server that
is just being started again."""


def run(seats: Seats, stats: Path | None = None, journal: Path | None = None) -> int:
    """Plays the games of all seats to their end: 0, also when told to stop; 1 if a seat cannot connect.

    ``IdentityError`` if the keys of a seat cannot be used.
    """
    notes = Journal(journal)
    hall = Hall(seats, POLICIES[seats.policy], notes)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, hall.stop)
    try:
        hall.run()
    finally:
        notes.close()
        if stats:
            notes.write_stats(stats)
    return hall.code


class Hall:
    """The seats of one process. ``code`` is the exit code once ``run`` has ended."""

    def __init__(self, seats: Seats, policy: Policy, journal: Journal) -> None:
        self.code = 0
        self._seats = seats
        self._policy = policy
        self._journal = journal
        self._moods = random.Random()
        self._reactor = Reactor(self._moods)
        self._playing: set[Link] = set()
        self._never_up: set[Link] = set()
        self._faults: dict[Link, LinkError | None] = {}
        self._refusals: Counter[Link] = Counter()
        for folder in seats.seats:
            self._seat(DeviceIdentity.load(Path(folder)))

    def run(self) -> None:
        """Serves the seats until all games are over, one cannot connect, or ``stop``."""
        self._reactor.run()

    def stop(self, _number: int = 0, _frame: FrameType | None = None) -> None:
        """Ends ``run`` within a second; also a signal handler."""
        self._reactor.stop()

    def _seat(self, identity: DeviceIdentity) -> None:
        seed = self._seats.seed
        nonces = None if seed is None else random.Random(f"{seed}/nonce/{identity.device}")
        choices = random.Random(f"{secrets.token_hex() if seed is None else seed}/{identity.device}")
        session = Session(
            identity, SOFTWARE, _now, nonces, lambda answered: self._journal.answer(answered, link.read_at)
        )
        link = Link(identity, self._seats.host, self._seats.port, session, watcher=self._reactor)

        def later(seconds: float, call: Callable[[], None]) -> None:
            """Not all tables at once: players think for different times."""
            self._reactor.after(seconds * self._moods.uniform(0.5, 1.5), lambda: self._reactor.do(link, call))

        think = self._seats.think_ms / 1000
        player = Player(session, self._policy, choices, think, later, self._journal.act)
        self._playing.add(link)
        self._never_up.add(link)
        self._reactor.add(link, lambda: self._look(link, player))

    def _look(self, link: Link, player: Player) -> None:
        self._report(link)
        player.look()
        if player.is_done and link in self._playing:
            self._playing.remove(link)
            if not self._playing:
                self.stop()

    def _report(self, link: Link) -> None:
        """Says a fault once. Gives up if a seat has never had a connection and, by several attempts,
        never will."""
        fault, before = link.fault, self._faults.get(link)
        if fault is before:
            return
        self._faults[link] = fault
        if fault is None:
            self._never_up.discard(link)
            return
        if before is None or fault.fault is not before.fault:
            print(f"{link.session.identity.device}: {fault}", file=sys.stderr, flush=True)
        self._refusals[link] = self._refusals[link] + 1 if fault.fault in LASTING else 0
        if link in self._never_up and self._refusals[link] == ATTEMPTS:
            self.code = 1
            self.stop()


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
