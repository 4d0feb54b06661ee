"""Messages: what travels between a seat, the authority and a referee, and what the log stores.

Everything is a frozen msgspec struct. JSON on the wire, except what a seat signs: that is CBOR
inside COSE_Sign1 (``envelope``). Cards, ranks, types are text; times are milliseconds; keys,
hashes, nonces are lower-case hex; binary is base64.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

VERSION = 1
"""Major version of topics and messages. Within a major only optional fields are added."""


class Struct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of messages that we send: unknown fields of a newer minor version are ignored."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of what a device signs: nothing in it that we do not understand."""


# --- what a seat signs ---------------------------------------------------------------------------


class Seen(Strict, frozen=True):
    """The last record that the sender had seen: ``n`` 0 and the genesis hash if none."""

    epoch: int
    n: int
    hash: str


class Action(Strict, frozen=True):
    """One signed act of a device.

    ``id`` is new for every act (32 hex digits); ``seq`` counts from 1 within ``session``, which
    lasts as long as the seat's process. ``answers`` is the number of the ``DecisionOpened``
    record that this act answers; 0 for ``hello`` and ``ready``. ``shown`` and ``acted`` are
    milliseconds by the seat's own monotonic clock: when the decision was shown, when the player
    acted.
    """

    v: int
    id: str
    device: str
    session: str
    seq: int
    event: str
    table: str
    deal: int
    answers: int
    seen: Seen
    kind: str
    args: dict[str, Any]
    shown: int
    acted: int


class Hello(Strict, frozen=True):
    """Arguments of kind ``hello``: first act of a session, and after every reconnection.

    ``boot`` is the nonce of the authority's ``EngineStatus``, so no recording of it serves twice.
    """

    boot: str
    software: str


class Ready(Strict, frozen=True):
    """Arguments of kind ``ready``: the player sits and play may begin. 16 bytes of hex."""

    nonce: str


# --- what the log stores ---------------------------------------------------------------------------


class Cause(Struct, frozen=True):
    """Why a record came to be.

    ``by`` is ``seat``, ``clock``, ``authority`` or ``referee``. For a signed act: its ``id``,
    ``device`` and the SHA-256 of the envelope bytes. ``used``, on the first record of an act or of
    a step of the clock: milliseconds that the clock of the decision had run.
    """

    by: Literal["seat", "clock", "authority", "referee"]
    id: str = ""
    device: str = ""
    digest: str = ""
    used: int | None = None


class Record(Struct, frozen=True):
    """The public part of one log record, stored and relayed byte for byte.

    ``commit`` is the salted hash of the secret part; empty if there is none. ``at`` is Unix time
    in milliseconds, for people; rules use ``used`` only.
    """

    v: int
    venue: str
    event: str
    stage: str
    round: int
    table: str
    epoch: int
    n: int
    at: int
    kind: str
    body: dict[str, Any]
    cause: Cause
    commit: str = ""


# --- what the authority tells a device ---------------------------------------------------------------


class Seating(Struct, frozen=True, tag="seating"):
    """Where this device sits, and what it needs to take part. Answers a ``hello``."""

    venue: str
    event: str
    stage: str
    round: int
    table: str
    seat: int
    players: tuple[str, ...]
    session: str
    boot: str
    epoch: int
    game: str
    rules: dict[str, Any]
    authority_key: str


class ClockReading(Struct, frozen=True):
    """The clock of one open decision, as remaining durations; seats never show wall times.

    ``answers`` is the record number to put into the act. ``running`` is false in a stoppage.
    """

    seat: int
    decision: str
    answers: int
    limit: int
    remaining: int
    running: bool


class Update(Struct, frozen=True, tag="update"):
    """New records and the state after them.

    ``records`` holds the public parts, oldest first, as the exact text that was hashed; empty in
    a snapshot. ``n`` and ``hash`` are those of the last record. ``view`` is the game's public
    view. ``own`` is the sealed own view (base64): only when it changed, or in a snapshot.
    ``ready`` lists the seats that are ready; ``paused`` is the code of the stoppage or empty.
    """

    table: str
    epoch: int
    n: int
    hash: str
    records: tuple[str, ...]
    view: msgspec.Raw
    clocks: tuple[ClockReading, ...]
    ready: tuple[int, ...] = ()
    paused: str = ""
    own: str = ""
    snapshot: bool = False


class Answer(Struct, frozen=True, tag="answer"):
    """The authority's word on one act: the only proof that it counted.

    ``code`` is ``ok``, a ``Reason`` of the engine, or one of ``Verdict``; ``n`` and ``hash`` tell
    the last record of the table after it.
    """

    id: str
    code: str
    article: str = ""
    table: str = ""
    n: int = 0
    hash: str = ""


class Announcement(Struct, frozen=True, tag="announcement"):
    """Words of the authority or a referee to a device: a translation key with its fields."""

    key: str
    fields: dict[str, str] = {}


Told: TypeAlias = Seating | Update | Answer | Announcement
"""Everything that can come in on a device's ``in`` topic."""


class EngineStatus(Struct, frozen=True):
    """Retained: whether the authority is there. ``boot`` is new with every start of it."""

    v: int
    boot: str
    state: Literal["starting", "ready", "storage", "stopping", "lost"]
    beat: int = 0


class DeviceStatus(Struct, frozen=True):
    """Retained: life of a device. ``session`` lets a late will not end a newer session."""

    v: int
    session: str
    state: Literal["init", "ready", "sleeping", "offline", "lost"]


class TableState(Struct, frozen=True):
    """Retained for referees: the public state of a table; no card of a hand is in it."""

    table: str
    epoch: int
    n: int
    hash: str
    view: msgspec.Raw
    clocks: tuple[ClockReading, ...]
    players: tuple[str, ...]
    online: tuple[bool, ...]
    paused: str = ""


class TableEvents(Struct, frozen=True):
    """New records of a table, for referees and screens behind the access list."""

    table: str
    epoch: int
    n: int
    hash: str
    records: tuple[str, ...]
