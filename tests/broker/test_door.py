"""The door of the embedded server: what can be said of its parts without a connection."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from broker import door
from broker.door import Pace, Subscriptions


def test_clients_may_come_and_go_while_amqtt_walks_through_its_subscribers() -> None:
    subscribers: Any = Subscriptions({"a": [(1, 1), (2, 1)], "b": [(3, 1)]})
    met = []
    for topic_filter, those in subscribers.items():
        for client, _qos in those:
            met.append((topic_filter, client))
            subscribers.pop("b", None)
            subscribers["a"] = subscribers["a"][1:]
            subscribers[f"new-{client}"] = []
    assert met == [("a", 1), ("a", 2), ("b", 3)]
    for topic_filter in subscribers:
        subscribers[f"more-{topic_filter}"] = []


def test_a_burst_goes_through_and_more_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(door.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(door.asyncio, "sleep", sleep)

    async def hurry(pace: Pace, count: int) -> None:
        for _ in range(count):
            await pace.wait()

    pace = Pace(10)
    now[0] += 60
    asyncio.run(hurry(pace, 10))
    assert slept == []
    asyncio.run(hurry(pace, 30))
    assert sum(slept) == pytest.approx(3.0)
