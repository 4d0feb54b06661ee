"""A whole deal over real MQTT on each server, and the same seed twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from broker import mosquitto
from tests.e2e.conftest import KINDS


def demo(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "broker", "demo", "--headless", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, object]]:
    kinds = [kind for kind in KINDS if kind != "mosquitto" or mosquitto.find()]
    return {
        kind: result(demo("--deals", "1", "--seed", "7", "--json", "--mqtt-server", kind)) for kind in kinds
    }


def result(ran: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert ran.returncode == 0, ran.stderr
    found: dict[str, object] = json.loads(ran.stdout)
    assert set(found) == {"deals", "score", "actions", "verified", "ack_ms", "mqtt_server"}
    return found


def test_a_deal_is_played_and_verified_on_each_server(results: dict[str, dict[str, object]]) -> None:
    for kind, found in results.items():
        assert found["mqtt_server"] == kind
        assert found["verified"] is True
        (deal,) = found["deals"]  # type: ignore[misc]
        assert len(deal["order"]) in (2, 4)
        assert deal["levels_before"] == ["2", "2"]
        assert sum(found["score"]) == 26  # type: ignore[arg-type]
        assert found["actions"] > 50  # type: ignore[operator]
        assert 0 < found["ack_ms"]["p50"] <= found["ack_ms"]["p99"]  # type: ignore[index]


def test_the_same_seed_is_the_same_game(results: dict[str, dict[str, object]]) -> None:
    for found in (*results.values(), result(demo("--deals", "1", "--seed", "7", "--json"))):
        assert found["deals"] == next(iter(results.values()))["deals"]
        assert found["actions"] == next(iter(results.values()))["actions"]


def test_text_and_progress_and_a_kept_venue(tmp_path: Path) -> None:
    ran = demo("--deals", "1", "--language", "en", "--policy", "random", "--data", str(tmp_path / "kept"))
    assert ran.returncode == 0, ran.stderr
    assert "Deal 1, level 2" in ran.stderr and "is out, place 1" in ran.stderr
    assert "The log is verified" in ran.stdout
    replay = [sys.executable, "-m", "broker", "replay", "demo", "--config", str(tmp_path / "kept/venue.toml")]
    shown = subprocess.run(replay, capture_output=True, text=True, timeout=60, check=False)
    assert "本局结束" in shown.stdout
    again = demo("--data", str(tmp_path / "kept"))
    assert again.returncode == 2
    assert "is not empty" in again.stderr


def test_nonsense_is_refused() -> None:
    for words in (("--deals", "0"), ("--deals", "x"), ("--seed", "-1"), ("--preset", "huaian")):
        ran = demo(*words)
        assert ran.returncode == 2
        assert "Traceback" not in ran.stderr


def test_a_program_takes_the_place_of_a_window_that_cannot_open() -> None:
    command = [sys.executable, "-m", "broker", "demo", "--deals", "1", "--think-ms", "0", "--json"]
    nowhere = {**os.environ, "DISPLAY": ":987", "SDL_VIDEODRIVER": "x11"}
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=nowhere)
    assert result(ran)["verified"] is True
    assert "由程序接着打" in ran.stderr or "四席都由程序打" in ran.stderr
    assert "Traceback" not in ran.stderr
