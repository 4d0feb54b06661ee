"""Topics of MQTT: every name that is published or subscribed to, made in one place.

All begin with ``pz/1/{venue}``. An id is lower-case letters, digits and hyphens, at most 32, so no
wildcard, separator or control character can ever get into a topic; whoever makes one from
anything else gets a ``ValueError``.
"""

from __future__ import annotations

import re
from typing import Final

from broker.protocol.messages import VERSION
from broker.protocol.verdict import Malformed

_ROOT: Final = f"pz/{VERSION}"
_ID: Final = re.compile(r"[a-z0-9-]{1,32}")
_DEVICE_TOPIC: Final = re.compile(rf"{_ROOT}/([a-z0-9-]{{1,32}})/dev/([a-z0-9-]{{1,32}})/(status|act|in)")


def is_id(text: str) -> bool:
    """Whether ``text`` may name a venue, event, table, device, console, player or screen."""
    return _ID.fullmatch(text) is not None


def engine_status(venue: str) -> str:
    """Retained: whether the venue's authority is there (``EngineStatus``)."""
    return _topic(venue, "engine/status")


def device_status(venue: str, device: str) -> str:
    """Retained: life of a device (``DeviceStatus``), with its will."""
    return _topic(venue, "dev/{}/status", device)


def device_act(venue: str, device: str) -> str:
    """What a device signs, as COSE bytes."""
    return _topic(venue, "dev/{}/act", device)


def device_in(venue: str, device: str) -> str:
    """Everything that the device may know (``Told``), as one ordered stream."""
    return _topic(venue, "dev/{}/in", device)


def table_events(venue: str, table: str) -> str:
    """New records of a table (``TableEvents``), for referees."""
    return _topic(venue, "tbl/{}/ev", table)


def table_state(venue: str, table: str) -> str:
    """Retained: public state of a table (``TableState``), for referees."""
    return _topic(venue, "tbl/{}/state", table)


def console_cmd(venue: str, console: str) -> str:
    """Rulings that a console signs, as COSE bytes."""
    return _topic(venue, "ref/{}/cmd", console)


def console_in(venue: str, console: str) -> str:
    """Answers to a console."""
    return _topic(venue, "ref/{}/in", console)


def screen(venue: str, name: str) -> str:
    """Public: what a screen of the hall shows."""
    return _topic(venue, "screen/{}", name)


def checkpoint(venue: str) -> str:
    """Signed checkpoints of the log."""
    return _topic(venue, "audit/checkpoint")


def parse_device_topic(topic: str) -> tuple[str, str, str]:
    """(venue, device, leaf) of a device's topic; leaf is ``status``, ``act`` or ``in``.

    ``Malformed`` if it is no topic of a device.
    """
    match = _DEVICE_TOPIC.fullmatch(topic)
    if match is None:
        raise Malformed("not a device topic")
    venue, device, leaf = match.groups()
    return venue, device, leaf


def _topic(venue: str, rest: str, *ids: str) -> str:
    for text in (venue, *ids):
        if not is_id(text):
            raise ValueError(f"not an id of [a-z0-9-], 1 to 32 characters: {text[:40]!a}")
    return f"{_ROOT}/{venue}/{rest.format(*ids)}"
