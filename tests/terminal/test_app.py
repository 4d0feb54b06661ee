"""The program of a seat with a window: looks from settings, and a clear end where it cannot run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from ctypes.util import find_library
from pathlib import Path

import pytest

from provisioning.ca import VenueAuthority
from terminal import fonts
from terminal.app import theme_of
from terminal.config import Config

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 9
"""A port on which nothing listens (discard)."""


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Settings of an enrolled seat whose venue cannot be reached."""
    venue = VenueAuthority.create(tmp_path / "venue", "hall")
    venue.issue_device(tmp_path / "seat", "seat-1")
    path = tmp_path / "terminal.toml"
    path.write_text(f'identity = "seat"\nhost = "127.0.0.1"\nport = {NOBODY}\nwidth = 800\nheight = 480\n')
    return path


def start(settings: Path, **env: str) -> subprocess.Popen[str]:
    inherited = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.Popen(
        [sys.executable, "-m", "terminal", "--config", str(settings)],
        cwd=ROOT,
        env={**inherited, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_without_a_screen_it_says_what_is_missing(settings: Path) -> None:
    seat = start(settings, SDL_VIDEODRIVER="x11")
    _, errors = seat.communicate(timeout=60)
    assert seat.returncode == 1
    assert "libgl1" in errors and "打不开窗口" in errors and "--headless" in errors
    assert "Traceback" not in errors


@pytest.mark.skipif(find_library("GL") is None, reason="libGL is missing (apt install libgl1)")
def test_it_runs_without_a_venue_until_it_is_told_to_stop(settings: Path) -> None:
    seat = start(settings, SDL_VIDEODRIVER="offscreen")
    try:
        while not _handles(seat.pid, signal.SIGTERM):
            assert seat.poll() is None, seat.stderr and seat.stderr.read()
            time.sleep(0.1)
        time.sleep(0.5)
        assert seat.poll() is None
        seat.send_signal(signal.SIGTERM)
        _, errors = seat.communicate(timeout=30)
    finally:
        seat.kill()
    assert seat.returncode == 0, errors
    assert "Traceback" not in errors


def _handles(pid: int, number: int) -> bool:
    """Whether the process has a handler for the signal: then its screens are up."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (number - 1) & 1)


def test_looks_follow_the_settings() -> None:
    config = Config(identity="seat", host="hall", text_scale=125, four_colour=True, left_handed=True)
    theme = theme_of(config, 800, 480)
    assert (theme.dpi, theme.text_scale, theme.four_colours, theme.left_handed) == (133.0, 1.25, True, True)
    assert theme_of(Config(identity="seat", host="hall", dpi=200), 800, 480).dpi == 200


def test_the_chinese_font_is_found() -> None:
    assert fonts.find_font().stat().st_size > 1_000_000


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_PACKAGE", ("no_such_font_package", "none.otf"))
    monkeypatch.setattr(fonts, "_SYSTEM", ())
    with pytest.raises(fonts.FontMissing, match="pylopdf-fonts-zh-cn"):
        fonts.find_font()
