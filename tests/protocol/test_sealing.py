"""Sealed own views: one device, one record, one authority."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from broker.protocol.envelope import OWN_VIEW, BadSignature, open_envelope, sign, verify
from broker.protocol.sealing import open_own, seal_own
from broker.protocol.topics import device_in
from broker.protocol.verdict import Malformed

AUTHORITY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
DEVICE = X25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
TOPIC = device_in("hall", "tablet-1")
PLACE: dict[str, Any] = {
    "venue": "hall",
    "table": "t-1",
    "epoch": 1,
    "n": 40,
    "device": "tablet-1",
    "topic": TOPIC,
}
HAND = b'{"hand":"S7 D7"}'


def _seal(**changes: Any) -> str:
    return seal_own(HAND, DEVICE.public_key(), signing_key=AUTHORITY, **(PLACE | changes))


def _open(text: str, **changes: Any) -> bytes:
    return open_own(text, DEVICE, authority_public=AUTHORITY.public_key(), **(PLACE | changes))


def test_the_device_reads_its_own_view() -> None:
    assert _open(_seal()) == HAND


def test_a_sealed_view_shows_nothing_and_never_looks_the_same_twice() -> None:
    one, two = base64.b64decode(_seal()), base64.b64decode(_seal())
    assert one != two
    assert b"S7" not in one


@pytest.mark.parametrize(
    "changes",
    [
        {"venue": "other"},
        {"table": "t-2"},
        {"epoch": 2},
        {"n": 41},
        {"device": "tablet-2"},
        {"topic": device_in("hall", "tablet-2")},
    ],
)
def test_a_view_serves_in_no_other_place(changes: dict[str, Any]) -> None:
    with pytest.raises(BadSignature):
        _open(_seal(), **changes)


def test_places_do_not_run_into_each_other() -> None:
    with pytest.raises(BadSignature):
        _open(_seal(epoch=1, n=12), epoch=11, n=2)


def test_info_is_as_written_down() -> None:
    sealed = verify(open_envelope(base64.b64decode(_seal())), AUTHORITY.public_key(), TOPIC, OWN_VIEW)
    info = b"paizhuo/1 own\x00hall\x00t-1\x001\x0040\x00tablet-1"
    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
    assert suite.decrypt(sealed, DEVICE, info=info) == HAND


def test_another_device_cannot_read_it() -> None:
    other = X25519PrivateKey.generate()
    with pytest.raises(BadSignature):
        open_own(_seal(), other, authority_public=AUTHORITY.public_key(), **PLACE)


def test_a_view_of_another_authority_is_refused() -> None:
    forged = seal_own(HAND, DEVICE.public_key(), signing_key=Ed25519PrivateKey.generate(), **PLACE)
    with pytest.raises(BadSignature):
        _open(forged)


def test_an_act_does_not_count_as_a_view() -> None:
    act = sign(HAND, AUTHORITY, TOPIC)
    with pytest.raises(BadSignature):
        _open(base64.b64encode(act).decode())


@pytest.mark.parametrize("payload", [b"", b"\x00" * 31, bytes(48), bytes(100)])
def test_signed_bytes_that_are_not_sealed_are_refused(payload: bytes) -> None:
    signed = sign(payload, AUTHORITY, TOPIC, OWN_VIEW)
    with pytest.raises(BadSignature):
        _open(base64.b64encode(signed).decode())


@pytest.mark.parametrize("text", ["", "****", "AAA", "é", "AAAA", "AAAA\n", " AAAA"])
def test_other_text_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        _open(text)
