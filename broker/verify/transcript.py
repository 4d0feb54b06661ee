"""A transcript read from its file, line by line: see FORMAT.md for every field."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FORMAT = "paizhuo-transcript/1"


class Unreadable(Exception):
    """The file is no transcript; the text says where and why."""


@dataclass(frozen=True)
class Header:
    """Whose table it was, and the venue's public key (32 bytes)."""

    venue: str
    event: str
    table: str
    epoch: int
    authority_key: bytes


@dataclass(frozen=True)
class Entry:
    """One record: the exact public bytes, its hash, and what was opened or signed with it."""

    n: int
    public: bytes
    hash: bytes
    record: dict[str, Any]
    secret: bytes | None
    salt: bytes
    envelope: bytes | None
    topic: str

    @property
    def kind(self) -> str:
        """Name of the event."""
        return str(self.record.get("kind", ""))

    @property
    def body(self) -> dict[str, Any]:
        """Public and opened secret fields together."""
        return {**self.record.get("body", {}), **(json.loads(self.secret) if self.secret else {})}

    @property
    def cause(self) -> dict[str, Any]:
        """Why the record came to be."""
        return dict(self.record.get("cause", {}))


@dataclass(frozen=True)
class Transcript:
    """A whole table: header, records in order, the venue's signed checkpoint."""

    header: Header
    entries: tuple[Entry, ...]
    checkpoint: bytes | None


def read(path: Path) -> Transcript:
    """The transcript in a file; ``Unreadable`` names the line that cannot be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: {error}") from error
    if not lines:
        raise Unreadable(f"{path}: the file is empty")
    header = _header(_parsed(lines[0], 1))
    entries: list[Entry] = []
    checkpoint: bytes | None = None
    for number, line in enumerate(lines[1:], start=2):
        value = _parsed(line, number)
        if checkpoint is not None:
            raise Unreadable(f"line {number}: nothing may follow the checkpoint")
        if "checkpoint" in value:
            checkpoint = _base64(value["checkpoint"], number)
        else:
            entries.append(_entry(value, number))
    return Transcript(header, tuple(entries), checkpoint)


def _header(value: dict[str, Any]) -> Header:
    if value.get("format") != FORMAT:
        raise Unreadable(f"line 1: this is no {FORMAT} file")
    try:
        key = bytes.fromhex(value["authority_key"])
        return Header(value["venue"], value["event"], value["table"], int(value["epoch"]), key)
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(f"line 1: {error}") from error


def _entry(value: dict[str, Any], number: int) -> Entry:
    try:
        public = value["public"].encode()
        record = json.loads(public)
        if not isinstance(record, dict):
            raise ValueError("the record is no object")
        secret = value.get("secret")
        envelope = value.get("envelope")
        return Entry(
            n=int(value["n"]),
            public=public,
            hash=bytes.fromhex(value["hash"]),
            record=record,
            secret=None if secret is None else secret.encode(),
            salt=bytes.fromhex(value.get("salt", "")),
            envelope=None if envelope is None else _base64(envelope, number),
            topic=str(value.get("topic", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(f"line {number}: {error}") from error


def _parsed(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise Unreadable(f"line {number}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise Unreadable(f"line {number}: not an object")
    return value


def _base64(text: Any, number: int) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (TypeError, ValueError) as error:
        raise Unreadable(f"line {number}: not base64") from error
