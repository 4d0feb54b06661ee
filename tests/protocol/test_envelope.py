"""The signed envelope: its bytes by RFC 9052, and that nothing else gets through."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import cbor2
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given

from broker.protocol import envelope
from broker.protocol.codec import decode_act, decode_hello, decode_ready
from broker.protocol.envelope import BadSignature
from broker.protocol.messages import Action, Seen
from broker.protocol.verdict import Malformed
from tests import strategies

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key()
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
TOPIC = "pz/1/hall/dev/tablet-1/act"
ACTION = Action(
    v=1,
    id="0123456789abcdef" * 2,
    device="tablet-1",
    session="ab" * 8,
    seq=7,
    event="cup",
    table="t-1",
    deal=2,
    answers=40,
    seen=Seen(epoch=1, n=41, hash="cd" * 32),
    kind="play",
    args={"cards": "S7 D7", "type": "pair", "rank": "7"},
    shown=1000,
    acted=2500,
)
PAYLOAD = envelope.encode_action(ACTION)
SIGNED = envelope.sign(PAYLOAD, KEY, TOPIC)


def _bytes(value: bytes) -> bytes:
    """A CBOR byte string, by hand (RFC 8949, section 3.1)."""
    size = len(value)
    if size < 24:
        return bytes([0x40 + size]) + value
    return (bytes([0x58, size]) if size < 256 else b"\x59" + size.to_bytes(2, "big")) + value


def _wrap(protected: bytes, payload: bytes, topic: str = TOPIC, key: Ed25519PrivateKey = KEY) -> bytes:
    """A COSE_Sign1 around anything, correctly signed."""
    to_sign = b"\x84\x6aSignature1" + _bytes(protected) + _bytes(topic.encode()) + _bytes(payload)
    return b"\xd2\x84" + _bytes(protected) + b"\xa0" + _bytes(payload) + _bytes(key.sign(to_sign))


def _header(**changes: Any) -> bytes:
    fields = {"alg": -8, "content": envelope.ACT, "kid": envelope.key_id(PUBLIC)} | changes
    return cbor2.dumps({1: fields["alg"], 3: fields["content"], 4: fields["kid"]})


# --- bytes ---------------------------------------------------------------------------------------------


def test_bytes_are_those_of_rfc_9052() -> None:
    kid = sha256(PUBLIC.public_bytes_raw()).digest()[:8]
    content = b"application/vnd.paizhuo.act.v1+cbor"
    protected = b"\xa3\x01\x27\x03\x78" + bytes([len(content)]) + content + b"\x04\x48" + kid
    assert _wrap(protected, PAYLOAD) == SIGNED
    PUBLIC.verify(
        SIGNED[-64:], b"\x84\x6aSignature1" + _bytes(protected) + _bytes(TOPIC.encode()) + _bytes(PAYLOAD)
    )


def test_an_envelope_opens_and_verifies() -> None:
    opened = envelope.open_envelope(SIGNED)
    assert opened.kid == envelope.key_id(PUBLIC)
    assert opened.content == envelope.ACT
    assert envelope.verify(opened, PUBLIC, TOPIC) == PAYLOAD
    assert envelope.decode_action(PAYLOAD) == ACTION


def test_signing_is_deterministic() -> None:
    assert envelope.sign(PAYLOAD, KEY, TOPIC) == SIGNED


# --- signatures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "topic", ["", "pz/1/hall/dev/tablet-2/act", "pz/1/other/dev/tablet-1/act", TOPIC + "/", TOPIC.upper()]
)
def test_an_envelope_counts_on_its_topic_alone(topic: str) -> None:
    with pytest.raises(BadSignature):
        envelope.verify(envelope.open_envelope(SIGNED), PUBLIC, topic)


def test_another_key_is_refused_whatever_key_id_is_claimed() -> None:
    forged = [envelope.sign(PAYLOAD, OTHER, TOPIC), _wrap(_header(), PAYLOAD, key=OTHER)]
    for raw in forged:
        with pytest.raises(BadSignature):
            envelope.verify(envelope.open_envelope(raw), PUBLIC, TOPIC)


def test_a_key_counts_under_its_own_key_id_alone() -> None:
    raw = _wrap(_header(kid=envelope.key_id(OTHER.public_key())), PAYLOAD)
    with pytest.raises(BadSignature):
        envelope.verify(envelope.open_envelope(raw), PUBLIC, TOPIC)


def test_one_kind_of_message_does_not_count_as_another() -> None:
    raw = envelope.sign(PAYLOAD, KEY, TOPIC, envelope.OWN_VIEW)
    with pytest.raises(BadSignature):
        envelope.verify(envelope.open_envelope(raw), PUBLIC, TOPIC)
    assert envelope.verify(envelope.open_envelope(raw), PUBLIC, TOPIC, envelope.OWN_VIEW) == PAYLOAD


@pytest.mark.parametrize("place", [5, 40, 60, len(SIGNED) // 2, len(SIGNED) - 1])
def test_one_changed_bit_is_refused(place: int) -> None:
    changed = bytearray(SIGNED)
    changed[place] ^= 1
    with pytest.raises((Malformed, BadSignature)):
        envelope.verify(envelope.open_envelope(bytes(changed)), PUBLIC, TOPIC)


# --- form of the envelope ------------------------------------------------------------------------------

PROTECTED = _header()
SIGNATURE = SIGNED[-64:]


def _sign1(protected: Any, unprotected: Any, payload: Any, signature: Any) -> bytes:
    return cbor2.dumps(cbor2.CBORTag(18, [protected, unprotected, payload, signature]))


NOT_ENVELOPES: dict[str, bytes] = {
    "nothing": b"",
    "no tag": SIGNED[1:],
    "another tag": b"\xd1" + SIGNED[1:],
    "tag in a longer form": b"\xd8\x12" + SIGNED[1:],
    "tag twice": b"\xd2" + SIGNED,
    "something follows": SIGNED + b"\x00",
    "cut off": SIGNED[:-1],
    "indefinite array": b"\xd2\x9f" + SIGNED[2:] + b"\xff",
    "payload in pieces": SIGNED.replace(_bytes(PAYLOAD), b"\x5f" + _bytes(PAYLOAD) + b"\xff"),
    "payload length in a longer form": SIGNED.replace(
        _bytes(PAYLOAD), b"\x5a" + len(PAYLOAD).to_bytes(4, "big") + PAYLOAD
    ),
    "three parts": cbor2.dumps(cbor2.CBORTag(18, [PROTECTED, {}, PAYLOAD])),
    "five parts": cbor2.dumps(cbor2.CBORTag(18, [PROTECTED, {}, PAYLOAD, SIGNATURE, b""])),
    "unprotected header": _sign1(PROTECTED, {5: b"iv"}, PAYLOAD, SIGNATURE),
    "unprotected header is a list": _sign1(PROTECTED, [], PAYLOAD, SIGNATURE),
    "detached payload": _sign1(PROTECTED, {}, None, SIGNATURE),
    "payload is text": _sign1(PROTECTED, {}, "x", SIGNATURE),
    "short signature": _sign1(PROTECTED, {}, PAYLOAD, SIGNATURE[:-1]),
    "long signature": _sign1(PROTECTED, {}, PAYLOAD, SIGNATURE + b"\0"),
    "header is a map": _sign1({1: -8}, {}, PAYLOAD, SIGNATURE),
    "no header": _wrap(b"", PAYLOAD),
    "empty header": _wrap(b"\xa0", PAYLOAD),
    "another algorithm": _wrap(_header(alg=-19), PAYLOAD),
    "algorithm as text": _wrap(_header(alg="EdDSA"), PAYLOAD),
    "algorithm as float": _wrap(_header(alg=-8.0), PAYLOAD),
    "short key id": _wrap(_header(kid=b"1234567"), PAYLOAD),
    "content type as number": _wrap(_header(content=60), PAYLOAD),
    "header without algorithm": _wrap(cbor2.dumps({3: envelope.ACT, 4: bytes(8)}), PAYLOAD),
    "unknown header": _wrap(cbor2.dumps({1: -8, 3: envelope.ACT, 4: bytes(8), 99: 1}), PAYLOAD),
    "critical header": _wrap(cbor2.dumps({1: -8, 2: [99], 3: envelope.ACT, 4: bytes(8), 99: 1}), PAYLOAD),
    "headers in another order": _wrap(cbor2.dumps({4: bytes(8), 3: envelope.ACT, 1: -8}), PAYLOAD),
    "header twice": _wrap(b"\xa4\x01\x27" + PROTECTED[1:], PAYLOAD),
    "something in the header follows": _wrap(PROTECTED + b"\x00", PAYLOAD),
    "too long": _wrap(PROTECTED, bytes(envelope.MAX_BYTES)),
    "huge length": b"\xd2\x84\x5b" + b"\x7f" * 8,
    "huge array": b"\xd2\x9b" + b"\x7f" * 8,
    "deep": b"\xd2" + b"\x81" * 5000,
    "deep tags": b"\xd2" * 5000,
    "circle": b"\xd2\xd8\x1c\x84\xd8\x1d\x00\xa0\x40\x40",
    "pattern": b"\xd8\x23\x63(a{",
}


@pytest.mark.parametrize("raw", NOT_ENVELOPES.values(), ids=NOT_ENVELOPES.keys())
def test_other_bytes_are_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        envelope.open_envelope(raw)


def test_the_largest_envelope_is_looked_at() -> None:
    room = envelope.MAX_BYTES - len(_wrap(PROTECTED, bytes(1000))) + 1000
    assert len(envelope.open_envelope(_wrap(PROTECTED, bytes(room))).payload) == room


def test_no_tag_gets_a_meaning() -> None:
    """A hostile device must not make the reader compile patterns or build dates."""
    contents = [b"\xf6", b"\x61a", b"\x41a", b"\x80", b"\x82\x01\x01", b"\x01", b"\xa0"]
    for tag in range(1 << 16):
        head = _head(tag)
        for content in contents:
            try:
                value = envelope._loads(head + content, "test")
            except Malformed:
                continue
            assert type(value) is cbor2.CBORTag


def _head(tag: int) -> bytes:
    if tag < 24:
        return bytes([0xC0 + tag])
    return bytes([0xD8, tag]) if tag < 256 else b"\xd9" + tag.to_bytes(2, "big")


# --- the act -------------------------------------------------------------------------------------------


@given(strategies.acts())
def test_acts_come_back(action: Action) -> None:
    assert envelope.decode_action(envelope.encode_action(action)) == action


def test_a_device_that_knows_no_table_leaves_it_empty() -> None:
    hello = msgspec.structs.replace(
        ACTION, event="", table="", kind="hello", seen=Seen(epoch=0, n=0, hash=""), deal=0, answers=0
    )
    assert envelope.decode_action(envelope.encode_action(hello)) == hello


def _fields(**changes: Any) -> bytes:
    fields = msgspec.to_builtins(ACTION)
    fields["seen"] |= changes.pop("seen", {})
    return cbor2.dumps(fields | changes, canonical=True)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"v": 2}, "v"),
        ({"v": True}, "bool"),
        ({"v": 1.0}, "float"),
        ({"id": "0" * 31}, "id"),
        ({"id": "A" * 32}, "id"),
        ({"id": b"0" * 32}, "bytes"),
        ({"id": "0" * 31 + "\n"}, "id"),
        ({"device": ""}, "device"),
        ({"device": "tablet+"}, "device"),
        ({"session": ""}, "session"),
        ({"session": "x" * 33}, "session"),
        ({"seq": 0}, "seq"),
        ({"seq": -1}, "seq"),
        ({"seq": 2**53}, "seq"),
        ({"seq": 2**70}, "tag"),
        ({"seq": "7"}, "str"),
        ({"event": "Cup"}, "event"),
        ({"table": "a/b"}, "table"),
        ({"deal": -1}, "deal"),
        ({"answers": 2**53}, "answers"),
        ({"answers": None}, "null"),
        ({"shown": -1}, "shown"),
        ({"acted": 1.5}, "float"),
        ({"seen": {"epoch": -1}}, "epoch"),
        ({"seen": {"n": 2**64}}, "n"),
        ({"seen": {"hash": ""}}, "hash"),
        ({"seen": {"hash": "zz" * 32}}, "hash"),
        ({"seen": {"more": 1}}, "more"),
        ({"kind": ""}, "kind"),
        ({"kind": "Play"}, "kind"),
        ({"kind": "x" * 33}, "kind"),
        ({"args": None}, "null"),
        ({"args": []}, "array"),
        ({"args": {"cards": ["S7"]}}, "args"),
        ({"args": {"cards": {"S7": 1}}}, "args"),
        ({"args": {"cards": 0.5}}, "args"),
        ({"args": {"cards": b"S7"}}, "args"),
        ({"args": {"cards": cbor2.undefined}}, "args"),
        ({"args": {"cards": datetime(2026, 1, 1, tzinfo=UTC)}}, "tag"),
        ({"args": {"cards": 2**53}}, "args"),
        ({"args": {"cards": "x" * 257}}, "args"),
        ({"args": {1: "S7"}}, "key"),
        ({"args": {str(i): 1 for i in range(9)}}, "args"),
        ({"more": 1}, "more"),
    ],
)
def test_odd_acts_are_malformed(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(Malformed, match=named):
        envelope.decode_action(_fields(**changes))


@pytest.mark.parametrize("name", msgspec.structs.asdict(ACTION))
def test_every_field_of_an_act_is_needed(name: str) -> None:
    fields = msgspec.to_builtins(ACTION)
    del fields[name]
    with pytest.raises(Malformed, match=name):
        envelope.decode_action(cbor2.dumps(fields, canonical=True))


@pytest.mark.parametrize(
    "payload",
    [
        PAYLOAD + b"\x00",
        PAYLOAD[:-1],
        b"\xbf" + PAYLOAD[1:] + b"\xff",
        b"\xd8\x64" + PAYLOAD,
        cbor2.dumps(dict(reversed(msgspec.to_builtins(ACTION).items()))),
        bytes([PAYLOAD[0] + 1]) + PAYLOAD[1:] + b"\x61v\x01",
        b"",
        b"\xf6",
        b"\x80",
    ],
    ids=["more", "less", "indefinite", "tagged", "unordered", "twice", "empty", "null", "list"],
)
def test_an_act_has_one_encoding(payload: bytes) -> None:
    with pytest.raises(Malformed):
        envelope.decode_action(payload)


def test_messages_quote_no_control_characters() -> None:
    with pytest.raises(Malformed) as caught:
        envelope.decode_action(_fields(**{"\x1b[2J\n" * 200: 1}))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


# --- fuzzing -------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**53, 2**63, 2**64, -(2**70), 0.0, 1.5, float("nan"), float("inf")),
    *("", "x", "S7 S7 S7", "\0", "\u202e", "play", b"", b"\xff" * 40, [], {}, [[]], {"": {}}, {1: 2}),
    *(cbor2.undefined, cbor2.CBORSimpleValue(99), cbor2.CBORTag(99, 1), datetime(2026, 1, 1, tzinfo=UTC)),
)


def _take(raw: bytes) -> None:
    """What the authority does with bytes from a device, up to the engine."""
    opened = envelope.open_envelope(raw)
    action = envelope.decode_action(opened.payload)
    decode = {"hello": decode_hello, "ready": decode_ready}.get(action.kind)
    if decode:
        decode(action.args)
    else:
        decode_act("guandan", action.kind, action.args, 0)
    envelope.verify(opened, PUBLIC, TOPIC)


def _flip(raw: bytearray, chance: random.Random) -> None:
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)


def _set(raw: bytearray, chance: random.Random) -> None:
    raw[chance.randrange(len(raw))] = chance.choice((0, 0x1B, 0x5F, 0x7F, 0x80, 0x9F, 0xBF, 0xD8, 0xF7, 0xFF))


def _insert(raw: bytearray, chance: random.Random) -> None:
    place = chance.randrange(len(raw))
    raw[place:place] = chance.randbytes(chance.randrange(1, 9))


def _delete(raw: bytearray, chance: random.Random) -> None:
    place = chance.randrange(len(raw))
    del raw[place : place + chance.randrange(1, 9)]


def _copy(raw: bytearray, chance: random.Random) -> None:
    start, place = chance.randrange(len(raw)), chance.randrange(len(raw))
    raw[place:place] = raw[start : start + chance.randrange(1, 40)]


BYTE_CHANGES: tuple[Callable[[bytearray, random.Random], None], ...] = (_flip, _set, _insert, _delete, _copy)


def _changed_bytes(raw: bytes, chance: random.Random) -> bytes:
    changed = bytearray(raw)
    for _ in range(chance.choice((1, 1, 2, 5))):
        if changed:
            chance.choice(BYTE_CHANGES)(changed, chance)
    return bytes(changed)


def _changed_fields(chance: random.Random) -> bytes:
    fields: Any = msgspec.to_builtins(ACTION)
    target = chance.choice((fields, fields, fields["args"], fields["seen"]))
    name = chance.choice((*target, "other"))
    if chance.random() < 0.2:
        target.pop(name, None)
    else:
        target[name] = chance.choice(ODD)
    return cbor2.dumps(fields, canonical=chance.random() < 0.8)


def test_changed_bytes_are_refused_and_break_nothing() -> None:
    """Whatever passes all checks is the envelope itself."""
    chance = random.Random(9052)
    for _ in range(20_000):
        raw = _changed_bytes(SIGNED, chance)
        try:
            _take(raw)
        except (Malformed, BadSignature):
            continue
        assert raw == SIGNED


def test_signed_nonsense_is_refused_and_breaks_nothing() -> None:
    """A device that signs properly what it should not."""
    chance = random.Random(8949)
    passed = 0
    for _ in range(8_000):
        payload = _changed_fields(chance) if chance.random() < 0.7 else _changed_bytes(PAYLOAD, chance)
        try:
            action = envelope.decode_action(payload)
            decode_act("guandan", action.kind, action.args, 0)
        except Malformed:
            continue
        passed += 1
        assert envelope.encode_action(action) == payload
    assert passed
