"""COSE_Sign1 checked by itself: signed acts and checkpoints (RFC 9052, sections 4.2 and 4.4).

Only deterministic CBOR is taken (FORMAT.md, section 5), so no two envelopes say the same.
"""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ACT = "application/vnd.paizhuo.act.v1+cbor"
CHECKPOINT = "application/vnd.paizhuo.checkpoint.v1+cbor"

LARGEST = 8192
"""Bytes of the largest envelope."""

_SIGN1 = 18
_EDDSA = -8


class BadEnvelope(Exception):
    """An envelope that cannot be read or whose signature is not good."""


def signed_by(public_key: bytes, envelope: bytes, content: str, topic: str) -> Any:
    """The CBOR value that this key (32 bytes) signed as ``content`` for the topic.

    ``BadEnvelope`` if the envelope is anything else.
    """
    protected, payload, signature = _parts(envelope)
    kid = hashlib.sha256(public_key).digest()[:8]
    if protected != cbor2.dumps({1: _EDDSA, 3: content, 4: kid}):
        raise BadEnvelope("signed with another key, or as something else")
    structure = cbor2.dumps(["Signature1", protected, topic.encode(), payload])
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, structure)
    except (InvalidSignature, ValueError):
        raise BadEnvelope("the signature is not good") from None
    value = _value(payload)
    if cbor2.dumps(value, canonical=True) != payload:
        raise BadEnvelope("what was signed is not in deterministic CBOR")
    return value


def _parts(envelope: bytes) -> tuple[bytes, bytes, bytes]:
    """Protected header, payload, signature: all that an envelope may hold."""
    if len(envelope) > LARGEST:
        raise BadEnvelope(f"more than {LARGEST} bytes")
    match _value(envelope[1:]):
        case (bytes() as protected, _, bytes() as payload, bytes() as signature):
            parts = [protected, {}, payload, signature]
            if cbor2.dumps(cbor2.CBORTag(_SIGN1, parts)) == envelope:
                return protected, payload, signature
    raise BadEnvelope("not a COSE_Sign1 message")


def _value(raw: bytes) -> Any:
    try:
        return cbor2.loads(
            raw, max_depth=4, allow_indefinite=False, allow_duplicate_keys=False, semantic_decoders=_NO_TAGS
        )
    except (cbor2.CBORDecodeError, ValueError, TypeError, OverflowError):
        raise BadEnvelope("not CBOR") from None


def _refuse_tag(*_: object) -> NoReturn:
    raise ValueError("a tag has no place here")


_NO_TAGS = dict.fromkeys(range(1 << 16), _refuse_tag)
"""What the reader makes of a tag can take it seconds (a pattern, a power of ten): it gets none."""
