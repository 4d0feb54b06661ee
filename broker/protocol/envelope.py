"""The signed envelope: COSE_Sign1 (RFC 9052, section 4.2) with Ed25519, and the act inside it.

``18([protected, {}, payload, signature])`` where ``protected`` is ``{1: -8, 3: content type,
4: key id}`` and the signature runs over ``["Signature1", protected, topic, payload]``. The topic
is external data, so a message cannot be moved to another device or venue. Only the deterministic
encoding (RFC 8949, section 4.2.1) is accepted: the same act never has two envelopes, and there is
nothing in one that is not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import cbor2
import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from broker.protocol.fields import LARGEST, clean
from broker.protocol.messages import VERSION, Action
from broker.protocol.topics import is_id
from broker.protocol.verdict import Malformed

ACT: Final = "application/vnd.paizhuo.act.v1+cbor"
OWN_VIEW: Final = "application/vnd.paizhuo.own-view.v1+hpke"
"""Content types: a signature under one does not count under the other."""

MAX_BYTES: Final = 8192
"""The largest envelope that is looked at."""

_SIGN1: Final = 18
_ALG, _CONTENT, _KID = 1, 3, 4
_EDDSA: Final = -8
_KID_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_CONTEXT: Final = "Signature1"

_MAX_DEPTH: Final = 4
_MAX_ARGS: Final = 8
_MAX_TEXT: Final = 256
_HEX32: Final = re.compile(r"[0-9a-f]{32}")
_HEX64: Final = re.compile(r"[0-9a-f]{64}")
_KIND: Final = re.compile(r"[a-z_]{1,32}")


class BadSignature(Exception):
    """Not signed by the key that it should be signed by, or signed for something else."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """An envelope that was taken apart; nothing of it is proven before ``verify``."""

    kid: bytes
    content: str
    payload: bytes
    signature: bytes
    protected: bytes


def key_id(public_key: Ed25519PublicKey) -> bytes:
    """First 8 bytes of the SHA-256 of the raw public key."""
    return sha256(public_key.public_bytes_raw()).digest()[:_KID_BYTES]


def sign(payload: bytes, key: Ed25519PrivateKey, topic: str, content: str = ACT) -> bytes:
    """Envelope around exactly these payload bytes, bound to the topic."""
    protected = _protected(key_id(key.public_key()), content)
    return _encode(protected, payload, key.sign(_signed(protected, payload, topic)))


def open_envelope(envelope: bytes) -> Envelope:
    """The parts of an envelope; ``Malformed`` if these bytes are not exactly one."""
    if len(envelope) > MAX_BYTES:
        raise Malformed(f"envelope: {len(envelope)} bytes, the most is {MAX_BYTES}")
    tagged = _loads(envelope, "envelope")
    if not isinstance(tagged, cbor2.CBORTag) or tagged.tag != _SIGN1:
        raise Malformed("envelope: no COSE_Sign1")
    match tagged.value:
        case (bytes() as protected, unprotected, bytes() as payload, bytes() as signature):
            kid, content = _header(protected)
        case _:
            raise Malformed("envelope: no four parts of COSE_Sign1")
    if unprotected or len(signature) != _SIGNATURE_BYTES:
        raise Malformed("envelope: an unprotected header, or a signature of wrong length")
    if _encode(protected, payload, signature) != envelope:
        raise Malformed("envelope: not in deterministic encoding, or something follows it")
    return Envelope(kid, content, payload, signature, protected)


def verify(envelope: Envelope, public_key: Ed25519PublicKey, topic: str, content: str = ACT) -> bytes:
    """The payload, proven to be signed by that key for that topic; ``BadSignature`` if it is not."""
    if envelope.kid != key_id(public_key) or envelope.content != content:
        raise BadSignature("signed by another key, or as another kind of message")
    try:
        public_key.verify(envelope.signature, _signed(envelope.protected, envelope.payload, topic))
    except InvalidSignature:
        raise BadSignature("the signature does not fit the bytes and the topic") from None
    return envelope.payload


def encode_action(action: Action) -> bytes:
    """Deterministic CBOR of an act: the payload of its envelope."""
    return cbor2.dumps(msgspec.to_builtins(action), canonical=True)


def decode_action(payload: bytes) -> Action:
    """The act that ``encode_action`` wrote; ``Malformed`` for any other bytes."""
    fields = _loads(payload, "act")
    try:
        action = msgspec.convert(fields, Action)
    except (msgspec.ValidationError, RecursionError) as wrong:
        raise Malformed(f"act: {clean(str(wrong))}") from None
    if mistakes := _mistakes(action):
        raise Malformed(f"act: {', '.join(mistakes)} cannot be right")
    if encode_action(action) != payload:
        raise Malformed("act: not in deterministic encoding, or something follows it")
    return action


def _protected(kid: bytes, content: str) -> bytes:
    return cbor2.dumps({_ALG: _EDDSA, _CONTENT: content, _KID: kid})


def _signed(protected: bytes, payload: bytes, topic: str) -> bytes:
    """The Sig_structure (RFC 9052, section 4.4)."""
    return cbor2.dumps([_CONTEXT, protected, topic.encode(), payload])


def _encode(protected: bytes, payload: bytes, signature: bytes) -> bytes:
    return cbor2.dumps(cbor2.CBORTag(_SIGN1, [protected, {}, payload, signature]))


def _header(protected: bytes) -> tuple[bytes, str]:
    """Key id and content type; ``Malformed`` unless the header is exactly as ``sign`` makes it."""
    match _loads(protected, "header"):
        case {4: bytes() as kid, 3: str() as content} if len(kid) == _KID_BYTES:
            if _protected(kid, content) == protected:
                return kid, content
    raise Malformed("header: not exactly algorithm -8, content type and key id of 8 bytes")


def _loads(raw: bytes, what: str) -> Any:
    """What the bytes say, without any meaning of tags; ``Malformed`` if they say nothing."""
    try:
        return cbor2.loads(
            raw,
            max_depth=_MAX_DEPTH,
            allow_indefinite=False,
            allow_duplicate_keys=False,
            semantic_decoders=_NO_TAGS,
        )
    except (cbor2.CBORDecodeError, ValueError, TypeError, OverflowError) as wrong:
        raise Malformed(f"{what}: {clean(str(wrong))}") from None


def _refuse_tag(*_: object) -> Any:
    raise ValueError("a tag that has no place here")


_NO_TAGS: Final = dict.fromkeys(
    (*range(6), 25, *range(28, 31), *range(35, 38), 52, 54, 100, 256, 258, 260, 261, 1004, 43000, 55799),
    _refuse_tag,
)
"""Every tag that the reader would turn into something: a pattern of 8 KB alone would keep it busy
for seconds. Others stay tags, and no act has one."""


def _mistakes(action: Action) -> list[str]:
    """Names of the fields whose values cannot be right. Before it is seated, a device knows no
    event, table or hash and leaves them empty."""
    seen = action.seen
    checks = {
        "v": action.v == VERSION,
        "id": _HEX32.fullmatch(action.id),
        "device": is_id(action.device),
        "session": is_id(action.session),
        "seq": 1 <= action.seq <= LARGEST,
        "event": not action.event or is_id(action.event),
        "table": not action.table or is_id(action.table),
        "seen.hash": _HEX64.fullmatch(seen.hash) or (not seen.hash and not seen.n),
        "kind": _KIND.fullmatch(action.kind),
        "args": len(action.args) <= _MAX_ARGS and all(map(_is_plain, action.args.values())),
    }
    numbers = {
        "deal": action.deal,
        "answers": action.answers,
        "seen.epoch": seen.epoch,
        "seen.n": seen.n,
        "shown": action.shown,
        "acted": action.acted,
    }
    return [name for name, right in checks.items() if not right] + [
        name for name, number in numbers.items() if not 0 <= number <= LARGEST
    ]


def _is_plain(value: Any) -> bool:
    """Whether an argument is short text, a whole number, a truth value or nothing."""
    if type(value) is str:
        return len(value) <= _MAX_TEXT
    return value is None or type(value) is bool or (type(value) is int and abs(value) <= LARGEST)
