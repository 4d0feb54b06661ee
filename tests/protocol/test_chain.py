"""Hashes of the log against bytes put together by hand."""

from __future__ import annotations

from hashlib import sha256

import pytest

from broker.protocol.chain import beacon_of, genesis, link, secret_commit


def test_genesis() -> None:
    expected = sha256(b"paizhuo/1 genesishall\x00cup\x00t-7\x003").digest()
    assert genesis("hall", "cup", "t-7", 3) == expected


def test_genesis_keeps_its_parts_apart() -> None:
    assert genesis("hall", "cup", "t-1", 12) != genesis("hall", "cup", "t-11", 2)


def test_link() -> None:
    assert link(b"\x01" * 32, b'{"n":1}') == sha256(b"paizhuo/1 record" + b"\x01" * 32 + b'{"n":1}').digest()


def test_secret_commit() -> None:
    salt = bytes(range(16))
    assert secret_commit(salt, b"{}") == sha256(b"paizhuo/1 secret" + salt + b"{}").hexdigest()


def test_beacon_depends_on_every_nonce_and_on_its_seat() -> None:
    nonces = [bytes([seat]) * 16 for seat in range(4)]
    assert beacon_of(nonces) == sha256(b"paizhuo/1 beacon" + b"".join(nonces)).digest()
    assert len({beacon_of(nonces), beacon_of(nonces[::-1]), beacon_of([*nonces[:3], bytes(16)])}) == 3


@pytest.mark.parametrize("nonces", [[], [bytes(16)] * 3, [bytes(16)] * 5, [bytes(16)] * 3 + [bytes(15)]])
def test_beacon_needs_four_whole_nonces(nonces: list[bytes]) -> None:
    with pytest.raises(ValueError, match="nonce"):
        beacon_of(nonces)


@pytest.mark.parametrize("salt", [b"", bytes(15), bytes(17)])
def test_commitment_needs_a_whole_salt(salt: bytes) -> None:
    with pytest.raises(ValueError, match="salt"):
        secret_commit(salt, b"{}")
