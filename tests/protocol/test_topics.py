"""Topics: their text, and that no id can break out of its place in one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.protocol import topics
from broker.protocol.verdict import Malformed
from tests.strategies import ids

OF_TWO: list[tuple[Callable[[str, str], str], str]] = [
    (topics.device_status, "pz/1/hall/dev/x-1/status"),
    (topics.device_act, "pz/1/hall/dev/x-1/act"),
    (topics.device_in, "pz/1/hall/dev/x-1/in"),
    (topics.table_events, "pz/1/hall/tbl/x-1/ev"),
    (topics.table_state, "pz/1/hall/tbl/x-1/state"),
    (topics.console_cmd, "pz/1/hall/ref/x-1/cmd"),
    (topics.console_in, "pz/1/hall/ref/x-1/in"),
    (topics.screen, "pz/1/hall/screen/x-1"),
]
OF_VENUE: list[tuple[Callable[[str], str], str]] = [
    (topics.engine_status, "pz/1/hall/engine/status"),
    (topics.checkpoint, "pz/1/hall/audit/checkpoint"),
]
INJECTIONS = [
    "",
    "+",
    "#",
    "x/+",
    "x/#",
    "a/b",
    "../x",
    "{}",
    "{0}",
    "%u",
    "$SYS",
    "X",
    "x ",
    " x",
    "x\n",
    "x\0",
    "x\u202e",
    "é",
    "ｘ",
    "１",
    "ı",
    "x_1",
    "x.1",
    "x" * 33,
]


@pytest.mark.parametrize(("make", "topic"), OF_TWO)
def test_topic_of_a_venue_and_an_id(make: Callable[[str, str], str], topic: str) -> None:
    assert make("hall", "x-1") == topic


@pytest.mark.parametrize(("make", "topic"), OF_VENUE)
def test_topic_of_a_venue(make: Callable[[str], str], topic: str) -> None:
    assert make("hall") == topic


@pytest.mark.parametrize("text", INJECTIONS)
def test_nothing_but_an_id_gets_into_a_topic(text: str) -> None:
    assert not topics.is_id(text)
    for of_two, _ in OF_TWO:
        with pytest.raises(ValueError, match="not an id"):
            of_two("hall", text)
        with pytest.raises(ValueError, match="not an id"):
            of_two(text, "x-1")
    for of_venue, _ in OF_VENUE:
        with pytest.raises(ValueError, match="not an id"):
            of_venue(text)


@given(ids, ids)
def test_device_topics_are_read_back(venue: str, device: str) -> None:
    assert topics.parse_device_topic(topics.device_act(venue, device)) == (venue, device, "act")
    assert topics.parse_device_topic(topics.device_in(venue, device)) == (venue, device, "in")
    assert topics.parse_device_topic(topics.device_status(venue, device)) == (venue, device, "status")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "pz/1/hall/dev/x",
        "pz/1/hall/dev/x/act/",
        "/pz/1/hall/dev/x/act",
        "pz/1/hall/dev/x/act\n",
        "pz/1/hall/dev/+/act",
        "pz/1/hall/dev/x/other",
        "pz/2/hall/dev/x/act",
        "pz/1/hall/tbl/x/ev",
        "pz/1/HALL/dev/x/act",
        "pz/1/hall/dev//act",
        "pz/1/a/dev/b/dev/x/act",
    ],
)
def test_other_topics_are_no_device_topics(topic: str) -> None:
    with pytest.raises(Malformed):
        topics.parse_device_topic(topic)


@given(st.text())
def test_ids_are_exactly_the_charset(text: str) -> None:
    letters = set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert topics.is_id(text) == (1 <= len(text) <= 32 and set(text) <= letters)
