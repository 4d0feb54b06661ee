"""Hostile files: the checker tells what is odd in them, soon, and never crashes."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import cbor2
import pytest

from broker.protocol.checkpoint import CHECKPOINT
from broker.protocol.envelope import sign
from tests.verify.forger import Forger, Told, found, text

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize(
    "line",
    [
        "",
        "null",
        "[]",
        "{}",
        '"x"',
        "NaN",
        "{" * 100_000,
        DEEP,
        f'{{"format": {DEEP}}}',
        '{"format":"paizhuo-transcript/1"}',
        '{"format":"paizhuo-transcript/1","format":"paizhuo-transcript/1"}',
        '{"n":1}',
        "9" * 5_000,
        '{"n":' + "9" * 4_000 + "}",
        '{"n":1e999}',
        '{"n":1.0}',
        '{"n":NaN}',
        '{"n":true}',
        '{"public":"\\ud800"}',
        "\ufeff{}",
        "\x00",
        "\r",
        "\u2028",
    ],
)
def test_odd_lines_are_told_with_their_number(short: Forger, tmp_path: Path, line: str) -> None:
    raw = [*text(short.lines).split("\n")[:-1]]
    for place in (0, 1, 9, len(raw)):
        (problem,) = found(tmp_path, "\n".join([*raw[:place], line, *raw[place:]]) + "\n")
        assert problem.startswith("unreadable") and f"line {place + 1}: " in problem
        assert len(problem) < 300


@pytest.mark.parametrize("raw", [b"", b"\n", b"\xff\xfe", b"{}", b"\x00" * 9, "\ufeff\n".encode()])
def test_a_file_that_is_no_transcript_is_unreadable(tmp_path: Path, raw: bytes) -> None:
    (problem,) = found(tmp_path, raw)
    assert problem.startswith("unreadable")


def test_a_file_without_end_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: Forger) -> None:
    monkeypatch.setattr("broker.verify.transcript.LARGEST", 2000)
    assert "more than" in found(tmp_path, text(short.lines))[0]


def repr_short(value: Any) -> str:
    return repr(value)[:12]


ODD: list[Any] = [
    *(None, True, 0, -1, 2**70, 1.5, "", "x" * 10_000, "\ud800", [], [[]], {}, {"seat": 0}, [None] * 4),
    *(["S2"] * 4, "S2 S2 S2", "BJ", "A+", "2", 10**4000),
]


def _odd(told: Told) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each field of a record with something odd in it, as (part of the line, its new value)."""
    chance = Random(told.public["n"])
    parts = {"public": told.public, "secret": told.secret or {}}
    for part, whole in parts.items():
        for name in whole:
            yield part, {**whole, name: chance.choice(ODD)}
    for name in ("body", "cause"):
        for field in told.public[name]:
            odd = {**told.public[name], field: chance.choice(ODD)}
            yield "public", {**told.public, name: odd}


def test_odd_values_anywhere_are_told_and_never_a_crash(short: Forger, tmp_path: Path) -> None:
    for place, told in enumerate(short.told, start=1):
        for part, value in _odd(told):
            lines = list(short.lines)
            lines[place] = {**lines[place], part: json.dumps(value)}
            assert found(tmp_path, text(lines)), value


@pytest.mark.parametrize("part", ["public", "secret", "envelope", "checkpoint", "hash", "salt", "topic", "n"])
@pytest.mark.parametrize("value", [*ODD, DEEP, "NaN", '{"kind":1}', '{"a":1,"a":1}', "AAAA"], ids=repr_short)
def test_odd_parts_of_a_line_are_told(short: Forger, tmp_path: Path, part: str, value: Any) -> None:
    lines = list(short.lines)
    place = next(place for place, line in enumerate(lines) if part in line)
    lines[place] = {**lines[place], part: value}
    assert found(tmp_path, "".join(json.dumps(line) + "\n" for line in lines))


CBOR = [
    b"",
    b"\xd2",
    b"\xd2\x84",
    b"\x81" * 5000,
    b"\xc1" * 5000,
    b"\x5b" + b"\xff" * 8,
    b"\x9b\x00\x00\x00\xff\xff\xff\xff\xff",
    b"\xbf\x01\x02\xff",
    cbor2.dumps(cbor2.CBORTag(35, "(" * 4000)),
    cbor2.dumps(cbor2.CBORTag(4, [10**9, 1])),
    cbor2.dumps({"a": 2**70}),
    cbor2.dumps(float("nan")),
    cbor2.dumps([b"", {}, b"", b""]),
    b"\x00" * 100_000,
]


@pytest.mark.parametrize("payload", CBOR, ids=range(len(CBOR)))
def test_odd_cbor_is_told_even_if_it_is_signed(short: Forger, tmp_path: Path, payload: bytes) -> None:
    topic = f"pz/1/{short.header['venue']}/audit/checkpoint"
    for raw in (payload, sign(payload, short.venue, topic, CHECKPOINT)):
        lines = [*short.lines[:-1], {"checkpoint": b64encode(raw).decode()}]
        assert any("checkpoint" in problem for problem in found(tmp_path, text(lines)))


@pytest.mark.parametrize("kid", [10**13, [300], None, "x", b"", {}])
def test_an_odd_key_id_is_told(short: Forger, tmp_path: Path, kid: Any) -> None:
    protected = cbor2.dumps({1: -8, 3: CHECKPOINT, 4: kid})
    raw = cbor2.dumps(cbor2.CBORTag(18, [protected, {}, b"", bytes(64)]))
    assert found(tmp_path, text([*short.lines[:-1], {"checkpoint": b64encode(raw).decode()}]))


def test_a_long_file_of_faults_is_told_in_time(short: Forger, tmp_path: Path) -> None:
    lines = [short.lines[0], *short.lines[1:-1] * 300, short.lines[-1]]
    assert len(found(tmp_path, text(lines))) > 9000
