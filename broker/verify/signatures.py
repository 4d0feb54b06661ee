"""COSE_Sign1 checked by itself: signed acts and checkpoints (RFC 9052, sections 4.2 and 4.4)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import cbor2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

_SIGN1 = 18
_EDDSA = -8

ACT = "application/vnd.paizhuo.act.v1+cbor"
CHECKPOINT = "application/vnd.paizhuo.checkpoint.v1+cbor"


class BadEnvelope(Exception):
    """An envelope that cannot be read or whose signature is not good."""


@dataclass(frozen=True)
class Signed:
    """An envelope taken apart; nothing is proved before ``payload_of``."""

    protected: bytes
    payload: bytes
    signature: bytes
    kid: bytes


def parse(envelope: bytes, content: str) -> Signed:
    """The parts of a COSE_Sign1 envelope with that content type; ``BadEnvelope`` if it is none."""
    stream = BytesIO(envelope)
    try:
        message = cbor2.CBORDecoder(stream).decode()
    except Exception as error:  # a decoder may fail in many ways on hostile bytes
        raise BadEnvelope("not CBOR") from error
    if stream.read(1) or not isinstance(message, cbor2.CBORTag) or message.tag != _SIGN1:
        raise BadEnvelope("not a COSE_Sign1 message")
    protected, payload, signature = _parts(message.value)
    header = _map(protected)
    if header.get(1) != _EDDSA:
        raise BadEnvelope("not signed with EdDSA")
    if header.get(3) != content:
        raise BadEnvelope(f"the content is not {content}")
    return Signed(protected, payload, signature, bytes(header.get(4, b"")))


def payload_of(signed: Signed, public_key: bytes, topic: str) -> Any:
    """The signed CBOR value; ``BadEnvelope`` if the key did not sign it for this topic."""
    structure = cbor2.dumps(["Signature1", signed.protected, topic.encode(), signed.payload])
    if signed.kid != hashlib.sha256(public_key).digest()[:8]:
        raise BadEnvelope("signed with another key")
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signed.signature, structure)
        return cbor2.loads(signed.payload)
    except (InvalidSignature, ValueError, cbor2.CBORDecodeError) as error:
        raise BadEnvelope("the signature is not good") from error


def _parts(value: Any) -> tuple[bytes, bytes, bytes]:
    match value:
        case [bytes() as protected, _, bytes() as payload, bytes() as signature]:
            return protected, payload, signature
    raise BadEnvelope("not a COSE_Sign1 message")


def _map(protected: bytes) -> dict[Any, Any]:
    try:
        header = cbor2.loads(protected)
    except Exception as error:  # as above
        raise BadEnvelope("the protected header cannot be read") from error
    if not isinstance(header, dict):
        raise BadEnvelope("the protected header is no map")
    return header
