"""Texts read in one way only: JSON, hex and base64 of which every value has a single form.

Each function raises ``ValueError`` for anything else, whatever was put in.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any

_HEX = re.compile(r"(?:[0-9a-f]{2})*")


def json_value(text: str) -> Any:
    """The value of a JSON text without duplicate names, fractions, NaN or lone surrogates."""
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_float=_refused, parse_constant=_refused)
        if "\\u" in text:  # an escape may stand for half a character, which has no bytes
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def hex_bytes(text: Any, size: int | None = None) -> bytes:
    """The bytes of a text in lower-case hex; all of ``size`` if that is given."""
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise ValueError("not lower-case hex")
    value = bytes.fromhex(text)
    if size is not None and len(value) != size:
        raise ValueError(f"{len(value)} bytes instead of {size}")
    return value


def base64_bytes(text: Any) -> bytes:
    """The bytes of a text in base64 with padding (RFC 4648, section 4)."""
    if not isinstance(text, str):
        raise ValueError("not base64")
    value = b64decode(text, validate=True)
    if b64encode(value).decode() != text:
        raise ValueError("not base64 in its one form")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice in an object")
    return value


def _refused(text: str) -> Any:
    raise ValueError(f"not a whole number: {text[:20]}")
