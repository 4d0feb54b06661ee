"""``kill -9`` of the authority in the middle of games: see ``kills``."""

from __future__ import annotations

import pytest

from tests.e2e import kills


@pytest.mark.timeout(300)
def test_nothing_acknowledged_is_lost_and_nothing_happens_twice() -> None:
    findings = kills.run(20, "auto", seed=20)
    print(findings)
    assert not findings.faults
    assert findings.kills >= 20
    assert findings.acknowledged > 100
    assert len(findings.going_on) >= 10
