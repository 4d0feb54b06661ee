"""The vault: secret parts of records, encrypted under a key that lies outside the database.

Plaintext is a 16-byte salt and the secret's JSON; the public part carries the salted hash of it
(``chain.secret_commit``). Stored: 12-byte nonce, then ChaCha20-Poly1305 (RFC 8439) bound to the
place of the record, so a ciphertext moved elsewhere does not open. Envelopes of acts lie in it too:
one that was refused, or a tribute, names cards that nobody else has seen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from broker.protocol.chain import SALT_BYTES, secret_commit

_NONCE_BYTES: Final = 12


class Place(NamedTuple):
    """Where a record stands."""

    event: str
    table: str
    epoch: int
    n: int


class Sealed(NamedTuple):
    """An encrypted secret, and the commitment to it that goes into the public part."""

    cipher: bytes
    commit: str


class Opened(NamedTuple):
    """A secret with the salt that proves it against its commitment."""

    salt: bytes
    secret: bytes

    @property
    def commit(self) -> str:
        """The commitment that this secret and salt give."""
        return secret_commit(self.salt, self.secret)


class VaultError(Exception):
    """The secret does not open: another key, or not what was stored there."""


class Vault:
    """Secrets of one venue. ``chance(n)`` gives n random bytes."""

    def __init__(self, venue: str, store_key: bytes, chance: Callable[[int], bytes] = os.urandom) -> None:
        self._venue = venue
        self._cipher = ChaCha20Poly1305(store_key)
        self._chance = chance

    def seal(self, place: Place, secret: bytes) -> Sealed:
        """The secret of the record at ``place``, encrypted under a fresh salt and nonce."""
        salt = self._chance(SALT_BYTES)
        return Sealed(self._encrypt(salt + secret, *map(str, place)), secret_commit(salt, secret))

    def open(self, place: Place, cipher: bytes) -> Opened:
        """What ``seal`` was given; ``VaultError`` if it was not sealed here under this key."""
        plain = self._decrypt(cipher, *map(str, place))
        return Opened(plain[:SALT_BYTES], plain[SALT_BYTES:])

    def seal_act(self, device: str, act: str, envelope: bytes) -> bytes:
        """The envelope of the device's act of that id, encrypted."""
        return self._encrypt(envelope, device, act)

    def open_act(self, device: str, act: str, cipher: bytes) -> bytes:
        """The envelope that ``seal_act`` was given; ``VaultError`` if it was not."""
        return self._decrypt(cipher, device, act)

    def _encrypt(self, plain: bytes, *place: str) -> bytes:
        nonce = self._chance(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, self._binding(place))

    def _decrypt(self, cipher: bytes, *place: str) -> bytes:
        nonce, rest = cipher[:_NONCE_BYTES], cipher[_NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, rest, self._binding(place))
        except (InvalidTag, ValueError):
            raise VaultError(f"what lies at {'/'.join(place)} does not open") from None

    def _binding(self, place: Iterable[str]) -> bytes:
        return "/".join((self._venue, *place)).encode()
