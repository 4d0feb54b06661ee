"""The inbox of the hub: the one way in, for messages from the MQTT thread and for calls from any.

No sender can keep the others out. What is too much is dropped at once, counted, and named.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from broker.tables.plan import Arrival

WAITING: Final = 8
"""Most messages on one topic that wait here; a seat that means what it said says it again."""
LARGEST: Final = 10_000
"""Most messages on all topics that wait here."""
FLOOD: Final = 100
"""Messages on one topic, dropped between two reports, that are worth a line in the log."""
_LINES: Final = 3
"""Most such lines a report."""

Call: TypeAlias = Callable[[], None]

_log = logging.getLogger(__name__)


class Inbox:
    """What waits to be taken in, in the order in which it came. ``dropped`` counts what was too much."""

    def __init__(self) -> None:
        self.dropped = 0
        self._waiting: SimpleQueue[Arrival | Call] = SimpleQueue()
        self._posted: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        """By topic, messages put in and taken out: each is counted by one thread, so no lock is needed."""
        self._flooded: Counter[str] = Counter()

    def post(self, arrival: Arrival) -> None:
        """Takes a message in, or drops it. All messages are posted by one thread."""
        topic = arrival.topic
        if self._posted[topic] - self._taken[topic] < WAITING and self._waiting.qsize() < LARGEST:
            self._posted[topic] += 1
            self._waiting.put(arrival)
        else:
            self.dropped += 1
            self.note_flood(topic)

    def call(self, run: Call) -> None:
        """Has something run on the hub's thread, after what is there already."""
        self._waiting.put(run)

    def next(self, wait_ms: int) -> Arrival | Call | None:
        """What came first; None if nothing comes within that time. On the hub's thread alone."""
        try:
            item = self._waiting.get(timeout=wait_ms / 1000) if wait_ms else self._waiting.get_nowait()
        except Empty:
            return None
        if isinstance(item, Arrival):
            self._taken[item.topic] += 1
        return item

    def note_flood(self, topic: str) -> None:
        """Counts a message that was too much."""
        self._flooded[topic] += 1

    def name_flooders(self) -> None:
        """Says who has sent far too much since the last report: no MQTT server holds such a client
        back, so somebody has to go there."""
        flooded, self._flooded = self._flooded, Counter()
        for topic, count in flooded.most_common(_LINES):
            if count >= FLOOD:
                _log.warning("a flood on %s: %d messages dropped", topic, count)
