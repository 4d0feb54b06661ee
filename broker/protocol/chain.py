"""Hashes of the log: the chain over public parts, commitments to secret parts, the beacon.

Each begins with a domain of its own, so that no value of one kind can stand in for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from broker.engine.seats import SEATS

NONCE_BYTES: Final = 16
SALT_BYTES: Final = 16

_GENESIS: Final = b"paizhuo/1 genesis"
_RECORD: Final = b"paizhuo/1 record"
_SECRET: Final = b"paizhuo/1 secret"
_BEACON: Final = b"paizhuo/1 beacon"


def genesis(venue: str, event: str, table: str, epoch: int) -> bytes:
    """32 bytes: the hash before record 1 of a table's epoch.

    SHA-256( domain ‖ venue ‖ 0x00 ‖ event ‖ 0x00 ‖ table ‖ 0x00 ‖ epoch in decimal ).
    """
    names = "\0".join((venue, event, table, str(epoch)))
    return sha256(_GENESIS + names.encode()).digest()


def link(previous: bytes, public: bytes) -> bytes:
    """32 bytes: the hash after a record whose public part is stored as exactly these bytes."""
    return sha256(_RECORD + previous + public).digest()


def secret_commit(salt: bytes, secret: bytes) -> str:
    """Hex hash that binds a record to its secret part; ``ValueError`` unless the salt has 16 bytes."""
    _check_size("a salt", salt, SALT_BYTES)
    return sha256(_SECRET + salt + secret).hexdigest()


def beacon_of(nonces: Sequence[bytes]) -> bytes:
    """32 bytes that no seat could foretell: a hash over the nonces of all four, in seat order.

    ``ValueError`` unless there are four nonces of 16 bytes.
    """
    if len(nonces) != len(SEATS):
        raise ValueError(f"a beacon needs {len(SEATS)} nonces, not {len(nonces)}")
    for nonce in nonces:
        _check_size("a nonce", nonce, NONCE_BYTES)
    return sha256(_BEACON + b"".join(nonces)).digest()


def _check_size(what: str, value: bytes, size: int) -> None:
    if len(value) != size:
        raise ValueError(f"{what} has {size} bytes, not {len(value)}")
