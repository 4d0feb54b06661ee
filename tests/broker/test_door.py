"""The door of the embedded server: what can be said of its parts without a connection."""

from __future__ import annotations

from typing import Any

from broker.door import Subscriptions


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
