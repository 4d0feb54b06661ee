"""The access list: who may publish and read which topic, once, as data.

mosquitto gets it as an ``acl_file``; the embedded server asks ``may_publish``, ``may_subscribe``
and ``may_receive``. The name of a client is the common name of its certificate, nothing else.
Secrecy of hands rests on it together with the sealing to a device's key.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from broker.protocol.messages import VERSION

AUTHORITY: Final = "authority"
MONITOR: Final = "monitor"


class Role(StrEnum):
    """What a client of the MQTT server is."""

    DEVICE = "device"
    CONSOLE = "console"
    MONITOR = "monitor"
    AUTHORITY = "authority"


@dataclass(frozen=True, slots=True)
class Grant:
    """Topics of one role below the venue's root; ``%u`` stands for the client's own name."""

    publish: tuple[str, ...]
    read: tuple[str, ...]
    will: str | None
    """The one topic a will may name; None: no will."""


GRANTS: Final[dict[Role, Grant]] = {
    Role.DEVICE: Grant(
        publish=("dev/%u/status", "dev/%u/act"),
        read=("engine/status", "dev/%u/in"),
        will="dev/%u/status",
    ),
    Role.CONSOLE: Grant(
        publish=("ref/%u/cmd",),
        read=(
            "engine/status",
            "dev/+/status",
            "tbl/+/ev",
            "tbl/+/state",
            "ref/%u/in",
            "screen/+",
            "audit/checkpoint",
        ),
        will=None,
    ),
    Role.MONITOR: Grant(
        publish=(),
        read=("engine/status", "dev/+/status", "tbl/+/ev", "tbl/+/state", "screen/+", "audit/checkpoint"),
        will=None,
    ),
    Role.AUTHORITY: Grant(
        publish=(
            "engine/status",
            "dev/+/in",
            "tbl/+/ev",
            "tbl/+/state",
            "ref/+/in",
            "screen/+",
            "audit/checkpoint",
        ),
        read=("dev/+/act", "dev/+/status", "ref/+/cmd"),
        will="engine/status",
    ),
}


@dataclass(frozen=True, slots=True)
class AccessList:
    """The access list of one venue. ``consoles`` are the names of its referee consoles."""

    venue: str
    consoles: frozenset[str] = frozenset()

    @property
    def root(self) -> str:
        """What all topics of the venue begin with."""
        return f"pz/{VERSION}/{self.venue}/"

    def role(self, name: str) -> Role:
        """What the client of that certificate name is."""
        if name == AUTHORITY:
            return Role.AUTHORITY
        if name == MONITOR:
            return Role.MONITOR
        return Role.CONSOLE if name in self.consoles else Role.DEVICE

    def may_publish(self, name: str, topic: str) -> bool:
        """Whether the client may publish to the topic."""
        return _any_covers(self._grant(name).publish, self._below(topic), name)

    def may_subscribe(self, name: str, topic_filter: str) -> bool:
        """Whether all that the filter can match may be read; a device may use no wildcard."""
        return _any_covers(self._grant(name).read, self._below(topic_filter), name)

    def may_receive(self, name: str, topic: str) -> bool:
        """Whether a message on the topic may be delivered to the client."""
        return _any_covers(self._grant(name).read, self._below(topic), name)

    def may_will(self, name: str, topic: str) -> bool:
        """Whether a will of the client may name the topic."""
        own = self._grant(name).will
        return own is not None and _covers(own, self._below(topic), name)

    def render(self) -> str:
        """The list as mosquitto's ``acl_file``."""
        root = self.root
        device = GRANTS[Role.DEVICE]
        lines = [f"pattern write {root}{topic}" for topic in device.publish]
        lines += [f"pattern read {root}{topic}" for topic in device.read]
        for name in (AUTHORITY, MONITOR, *sorted(self.consoles)):
            grant = self._grant(name)
            lines += ["", f"user {name}"]
            lines += [f"topic write {root}{topic.replace('%u', name)}" for topic in grant.publish]
            lines += [f"topic read {root}{topic.replace('%u', name)}" for topic in grant.read]
        return "\n".join(lines) + "\n"

    def _grant(self, name: str) -> Grant:
        return GRANTS[self.role(name)]

    def _below(self, topic: str) -> str:
        """The topic below the venue's root; empty, and so never granted, if it is not below it."""
        return topic.removeprefix(self.root) if topic.startswith(self.root) else ""


def _any_covers(granted: Collection[str], topic: str, name: str) -> bool:
    return any(_covers(pattern, topic, name) for pattern in granted)


def _covers(pattern: str, topic: str, name: str) -> bool:
    """Whether the pattern grants the topic or filter: ``+`` covers one level, also a ``+`` of a filter."""
    levels = topic.split("/")
    wanted = pattern.replace("%u", name).split("/")
    return len(levels) == len(wanted) and all(
        want in ("+", level) and level not in ("#", "") for want, level in zip(wanted, levels, strict=True)
    )
