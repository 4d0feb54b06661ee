"""What ``status`` makes of retained messages: a device may have left anything there."""

from __future__ import annotations

import pytest

from broker.status import Picture

READY = b'{"v":1,"session":"aa","state":"ready"}'
ODD = (
    b"",
    b"garbage",
    b"\xff\xfe",
    b"[]",
    b"{}",
    b'{"v":1,"session":"\\u001b[2J","state":"ready"}',
    b'{"v":1,"session":"aa","state":"ready","more":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
)


@pytest.mark.parametrize("payload", ODD)
@pytest.mark.parametrize("leaf", ["dev/seat-1/status", "engine/status", "tbl/t1/state", "screen/x"])
def test_what_cannot_be_read_tells_nothing(leaf: str, payload: bytes) -> None:
    picture = Picture()
    picture.take("dev/seat-2/status", READY)
    picture.take(leaf, payload)
    assert set(picture.devices) == {"seat-2"}
    assert picture.engine is None and picture.tables == {}
