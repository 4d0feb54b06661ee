"""Records of a session that a screen draws: link, clock, pending act, notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from broker.engine.cards import Cards
from broker.engine.guandan.combinations import Reading

ALIVE: Final = ("ready", "storage")
"""States in which an authority answers."""


class Remark(StrEnum):
    """Keys of notices that the seat itself makes; others are a ``Reason``, a ``Verdict``, or the
    key of an announcement."""

    PENDING = "pending"
    """An act is still waiting for its answer."""
    OFFLINE = "offline"
    """Nothing can be sent now; the choice stays."""
    NOTHING_OWED = "nothing_owed"
    """This is not asked of the seat now."""
    CONFIRMED = "confirmed"
    """An act that was sent before a break did count."""
    GIVEN_UP = "given_up"
    """An act that was sent before a break will not be answered: the table tells."""
    OWN_REFUSED = "own_refused"
    """The own cards came with a wrong signature or seal."""
    PAST_BROKEN = "past_broken"
    """What came in does not continue the table's chain; field ``cause`` is a ``Break``."""
    FOREIGN_AUTHORITY = "foreign_authority"
    """The authority that answered is not the one this seat was enrolled with."""
    UNKNOWN_RULES = "unknown_rules"
    """The rules of the table cannot be read: this software does not fit."""


class LinkState(NamedTuple):
    """``online`` only while what is shown is current; ``connecting`` from a hello until then.

    ``since``: monotonic milliseconds. ``cause`` is a code for words, or empty: a ``Fault`` of the
    link, a ``Break``, a ``Verdict`` on the hello, or the state of the authority (``starting``,
    ``stopping``, ``lost``).
    """

    state: Literal["connecting", "online", "offline"]
    since: int
    cause: str = ""


class ClockFace(NamedTuple):
    """What a clock shows now, in milliseconds; ``running`` is false while it stands still."""

    remaining: int
    limit: int
    running: bool


@dataclass(frozen=True, slots=True)
class Pending:
    """The one act that waits: its kind, the cards that stay raised, when it was made."""

    id: str
    kind: str
    cards: Cards
    reading: Reading | None
    at: int
    upto: int | None = None
    """Once it counts: number of the record up to which the table must be shown; else None."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell the player: a key for words, its fields, the article of the rules."""

    key: str
    at: int
    fields: Mapping[str, str] = field(default_factory=dict)
    article: str = ""


class Answered(NamedTuple):
    """One answer of the authority to an act; ``resent`` if that had to be sent more than once."""

    id: str
    kind: str
    code: str
    resent: bool
