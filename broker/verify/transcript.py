"""A transcript read from its file, line by line: FORMAT.md, section 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from .strict import base64_bytes, hex_bytes, json_value

FORMAT = "paizhuo-transcript/1"

LARGEST = 1 << 26
"""Characters of the largest file that is looked at: more than two hundred deals."""


class Unreadable(Exception):
    """The file is no transcript; the text says where and why."""


class Fault(Exception):
    """A record that cannot be right; the text says why."""


@dataclass(frozen=True)
class Header:
    """Whose table it was, the epoch of record 1, and the venue's public key (32 bytes)."""

    venue: str
    event: str
    table: str
    epoch: int
    authority_key: bytes


def genesis(header: Header) -> bytes:
    """Hash before the first record."""
    parts = (header.venue, header.event, header.table, str(header.epoch))
    return sha256(b"paizhuo/1 genesis" + b"\0".join(part.encode() for part in parts)).digest()


@dataclass(frozen=True)
class Entry:
    """One record: the exact public bytes, its hash, and what was opened or signed with it.

    ``record`` is the public part and ``opened`` the secret one, as JSON; None if there is none, or
    it is not JSON. What is in them has yet to be checked (``shapes.misfits``).
    """

    n: int
    public: bytes
    hash: bytes
    record: Any
    secret: bytes | None
    opened: Any
    salt: bytes
    envelope: bytes | None
    topic: str

    @property
    def kind(self) -> str:
        """Name of the event."""
        return str(self.record["kind"])

    @property
    def body(self) -> Mapping[str, Any]:
        """Public and opened secret fields together."""
        return {**self.record["body"], **(self.opened or {})}

    @property
    def cause(self) -> Mapping[str, Any]:
        """Why the record came to be."""
        cause: Mapping[str, Any] = self.record["cause"]
        return cause

    @property
    def is_closed(self) -> bool:
        """Whether it has a secret part that has not been opened."""
        return self.secret is None and "commit" in self.record


@dataclass(frozen=True)
class Transcript:
    """A whole table: header, records in order, the venue's signed checkpoint."""

    header: Header
    entries: tuple[Entry, ...]
    checkpoint: bytes | None


def read(path: Path) -> Transcript:
    """The transcript in a file; ``Unreadable`` names the line that cannot be read."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            return _read(file)
    except Unreadable as error:
        raise Unreadable(f"{path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: {error}") from None


def _read(lines: Iterator[str]) -> Transcript:
    header: Header | None = None
    entries: list[Entry] = []
    checkpoint: bytes | None = None
    for number, line in enumerate(_whole(lines), start=1):
        try:
            if checkpoint is not None:
                raise ValueError("nothing may follow the checkpoint")
            value = _object(line)
            if header is None:
                header = _header(value)
            elif "checkpoint" in value:
                checkpoint = base64_bytes(value["checkpoint"])
            else:
                entries.append(_entry(value))
        except ValueError as error:
            raise Unreadable(f"line {number}: {error}") from None
    if header is None:
        raise Unreadable("the file is empty")
    return Transcript(header, tuple(entries), checkpoint)


def _whole(lines: Iterator[str]) -> Iterator[str]:
    """The lines, as long as they are complete and the file is not too large."""
    size = 0
    for line in lines:
        size += len(line)
        if size > LARGEST:
            raise Unreadable(f"it has more than {LARGEST} characters")
        if not line.endswith("\n"):
            raise Unreadable("the last line is not complete")
        yield line


def _header(value: Mapping[str, Any]) -> Header:
    if value.get("format") != FORMAT:
        raise ValueError(f"this is no {FORMAT} file")
    return Header(
        venue=_field(value, "venue", str),
        event=_field(value, "event", str),
        table=_field(value, "table", str),
        epoch=_field(value, "epoch", int),
        authority_key=_hex(value, "authority_key", 32),
    )


def _entry(value: Mapping[str, Any]) -> Entry:
    public: str = _field(value, "public", str)
    secret: str | None = _field(value, "secret", str) if "secret" in value else None
    signed = "envelope" in value
    return Entry(
        n=_field(value, "n", int),
        public=public.encode(),
        hash=_hex(value, "hash", 32),
        record=_json(public),
        secret=None if secret is None else secret.encode(),
        opened=None if secret is None else _json(secret),
        salt=b"" if secret is None else _hex(value, "salt", 16),
        envelope=base64_bytes(value["envelope"]) if signed else None,
        topic=_field(value, "topic", str) if signed else "",
    )


def _object(line: str) -> Mapping[str, Any]:
    value = json_value(line)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _field(value: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    found = value.get(name)
    if type(found) is not kind:
        raise ValueError(f"{name} is missing or wrong")
    return found


def _hex(value: Mapping[str, Any], name: str, size: int) -> bytes:
    try:
        return hex_bytes(value.get(name), size)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _json(text: str) -> Any:
    """The value of a public or secret part; None if it is none: its hash is still to be checked."""
    try:
        return json_value(text)
    except ValueError:
        return None
