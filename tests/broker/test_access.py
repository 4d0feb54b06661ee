"""The access list, and that mosquitto is told the same as the embedded server."""

from __future__ import annotations

from itertools import product

import pytest

from broker.access import AccessList, Role
from broker.protocol import topics

ACCESS = AccessList("hall", frozenset({"console-1"}))
NAMES = ("authority", "monitor", "console-1", "seat-1", "seat-2")
TOPICS = (
    topics.engine_status("hall"),
    *(
        make("hall", name)
        for make in (topics.device_status, topics.device_act, topics.device_in)
        for name in NAMES
    ),
    topics.table_events("hall", "t1"),
    topics.table_state("hall", "t1"),
    *(make("hall", name) for make in (topics.console_cmd, topics.console_in) for name in NAMES),
    topics.screen("hall", "s1"),
    topics.checkpoint("hall"),
    topics.engine_status("other"),
    topics.device_in("other", "seat-1"),
)


def test_roles() -> None:
    assert [ACCESS.role(name) for name in NAMES] == [
        Role.AUTHORITY,
        Role.MONITOR,
        Role.CONSOLE,
        Role.DEVICE,
        Role.DEVICE,
    ]


def test_a_device_has_four_topics() -> None:
    own = {topics.device_status("hall", "seat-1"), topics.device_act("hall", "seat-1")}
    assert {topic for topic in TOPICS if ACCESS.may_publish("seat-1", topic)} == own
    heard = {topics.engine_status("hall"), topics.device_in("hall", "seat-1")}
    assert {topic for topic in TOPICS if ACCESS.may_receive("seat-1", topic)} == heard


def test_whatever_a_device_publishes_the_authority_hears_and_the_other_way_round() -> None:
    for topic in (topics.device_status("hall", "seat-1"), topics.device_act("hall", "seat-1")):
        assert ACCESS.may_receive("authority", topic)
    for topic in (topics.device_in("hall", "seat-1"), topics.engine_status("hall")):
        assert ACCESS.may_publish("authority", topic)


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_is_for_its_device_alone(name: str) -> None:
    for other in set(NAMES) - {name}:
        assert not ACCESS.may_receive(name, topics.device_in("hall", other))


@pytest.mark.parametrize(
    "topic_filter",
    ["#", "+/#", "pz/1/hall/#", "pz/1/hall/dev/+/in", "pz/1/+/dev/seat-1/in", "pz/1/hall/dev/seat-1/+", ""],
)
def test_a_device_may_use_no_wildcard(topic_filter: str) -> None:
    assert not ACCESS.may_subscribe("seat-1", topic_filter)


def test_others_may_use_the_wildcards_they_are_granted_and_no_wider_ones() -> None:
    assert ACCESS.may_subscribe("authority", "pz/1/hall/dev/+/act")
    assert ACCESS.may_subscribe("monitor", "pz/1/hall/tbl/+/state")
    assert ACCESS.may_subscribe("console-1", "pz/1/hall/tbl/t1/ev")
    for name in ("authority", "monitor", "console-1"):
        assert not ACCESS.may_subscribe(name, "pz/1/hall/#")
        assert not ACCESS.may_subscribe(name, "pz/1/hall/dev/+/+")


def test_wills() -> None:
    assert ACCESS.may_will("seat-1", topics.device_status("hall", "seat-1"))
    assert ACCESS.may_will("authority", topics.engine_status("hall"))
    for name, topic in product(("seat-1", "monitor", "console-1"), TOPICS):
        if (name, topic) != ("seat-1", topics.device_status("hall", "seat-1")):
            assert not ACCESS.may_will(name, topic)


def mosquitto_allows(text: str, name: str, access: str, topic: str) -> bool:
    """What mosquitto makes of an ``acl_file``: patterns are for all, ``topic`` lines for their user."""
    user = None
    for line in filter(None, text.splitlines()):
        word, _, rest = line.partition(" ")
        if word == "user":
            user = rest
            continue
        granted, _, pattern = rest.partition(" ")
        if granted != access or (word == "topic" and user != name):
            continue
        levels = pattern.replace("%u", name).split("/") if word == "pattern" else pattern.split("/")
        if len(levels) == len(topic.split("/")) and all(
            want in ("+", got) for want, got in zip(levels, topic.split("/"), strict=True)
        ):
            return True
    return False


def test_mosquitto_is_told_the_same() -> None:
    text = ACCESS.render()
    for name, topic in product(NAMES, TOPICS):
        device = name.startswith("seat")
        assert ACCESS.may_publish(name, topic) <= mosquitto_allows(text, name, "write", topic)
        assert ACCESS.may_receive(name, topic) <= mosquitto_allows(text, name, "read", topic)
        if device:  # patterns are for all: the others get their own device topics too, which nobody has
            assert ACCESS.may_publish(name, topic) == mosquitto_allows(text, name, "write", topic)
            assert ACCESS.may_receive(name, topic) == mosquitto_allows(text, name, "read", topic)
