"""Checkpoints: the venue's signature under a state of a table's chain."""

from __future__ import annotations

from typing import Final

import cbor2
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.protocol import envelope, topics

CHECKPOINT: Final = "application/vnd.paizhuo.checkpoint.v1+cbor"
"""Content type in the envelope's header."""


def sign_checkpoint(
    key: Ed25519PrivateKey, *, venue: str, event: str, table: str, epoch: int, n: int, head: bytes
) -> bytes:
    """COSE_Sign1 over a CBOR map of ``venue``, ``event``, ``table``, ``epoch``, ``n`` and ``hash``
    (hex, after record ``n``), bound to the venue's checkpoint topic."""
    told = {"venue": venue, "event": event, "table": table, "epoch": epoch, "n": n, "hash": head.hex()}
    payload = cbor2.dumps(told, canonical=True)
    return envelope.sign(payload, key, topics.checkpoint(venue), CHECKPOINT)
