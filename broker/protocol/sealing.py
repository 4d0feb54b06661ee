"""Sealed own views: what one seat alone may know, readable by its device alone.

HPKE (RFC 9180, base mode: X25519, HKDF-SHA256, ChaCha20-Poly1305), then signed by the authority
and put into base64. ``info`` names venue, table, epoch, record and device, so that a view serves
in no other place; the signature is bound to the device's ``in`` topic.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from broker.protocol.envelope import OWN_VIEW, BadSignature, open_envelope, sign, verify
from broker.protocol.verdict import Malformed

_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_DOMAIN: Final = "paizhuo/1 own"


def seal_own(
    raw: bytes,
    device_public: X25519PublicKey,
    *,
    venue: str,
    table: str,
    epoch: int,
    n: int,
    device: str,
    signing_key: Ed25519PrivateKey,
    topic: str,
) -> str:
    """Base64 of the signed and sealed own view, for ``Update.own`` of record ``n``."""
    sealed = _SUITE.encrypt(raw, device_public, info=_info(venue, table, epoch, n, device))
    return base64.b64encode(sign(sealed, signing_key, topic, OWN_VIEW)).decode()


def open_own(
    text: str,
    device_private: X25519PrivateKey,
    *,
    venue: str,
    table: str,
    epoch: int,
    n: int,
    device: str,
    authority_public: Ed25519PublicKey,
    topic: str,
) -> bytes:
    """The own view. ``Malformed`` if the text cannot be read; ``BadSignature`` if it is not the
    authority's word for this device at this record."""
    try:
        signed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Malformed("own view: not base64") from None
    sealed = verify(open_envelope(signed), authority_public, topic, OWN_VIEW)
    try:
        return _SUITE.decrypt(sealed, device_private, info=_info(venue, table, epoch, n, device))
    except (InvalidTag, ValueError):
        raise BadSignature("own view: sealed for another device or record") from None


def _info(venue: str, table: str, epoch: int, n: int, device: str) -> bytes:
    return "\0".join((_DOMAIN, venue, table, str(epoch), str(n), device)).encode()
