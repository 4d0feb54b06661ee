"""The program of a seat with a window: settings, keys, window, connection, screens, in this order."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provisioning.identity import DeviceIdentity
from terminal import SOFTWARE, window
from terminal.config import Config, Language
from terminal.fonts import FontMissing
from terminal.link import Link
from terminal.session import Session
from terminal.theme import Theme, dpi_of

if TYPE_CHECKING:
    from terminal.screens.stage import Stage

_LANGUAGES = {Language.CHINESE: "zh_CN", Language.ENGLISH: "en"}
_PUMP = 1 / 60
"""Seconds between two looks for messages: the one thread crossing is emptied here."""
_TICK = 0.25
"""Seconds between two redraws of what moves by itself: clocks and ages."""


def run(config: Config) -> int:
    """Plays one seat until the window is closed: 0; 1 if there can be no window.

    ``IdentityError`` if the seat's keys cannot be used.
    """
    identity = DeviceIdentity.load(Path(config.identity))
    window.prepare(config.width, config.height, config.fullscreen)
    try:
        opened = window.open_window()
    except (window.WindowMissing, FontMissing) as missing:
        print(missing, file=sys.stderr)
        return 1
    _serve(config, identity, opened)
    return 0


def theme_of(config: Config, width: int, height: int) -> Theme:
    """The looks that the settings ask for, on a window of that size."""
    return Theme(
        width=width,
        height=height,
        dpi=config.dpi or dpi_of(width, height),
        text_scale=config.text_scale / 100,
        four_colours=config.four_colour,
        high_contrast=config.high_contrast,
        left_handed=config.left_handed,
        movement=config.movement,
    )


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


def _serve(config: Config, identity: DeviceIdentity, opened: Any) -> None:
    from kivy.base import runTouchApp

    from terminal.screens.stage import Stage

    session = Session(identity, SOFTWARE, _now)
    link = Link(identity, config.host, config.port, session)
    stage = Stage(session, theme_of(config, *opened.size), _LANGUAGES[config.language], _now)
    opened.set_title("牌桌 Paizhuo")
    opened.bind(size=lambda _, size: stage.use(theme_of(config, *size), stage.language))
    _stop_on_signals()
    _keep_drawing(session, link, stage)
    link.start()
    try:
        runTouchApp(stage)
    finally:
        link.stop()


def _stop_on_signals() -> None:
    from kivy.base import stopTouchApp

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopTouchApp())


def _keep_drawing(session: Session, link: Link, stage: Stage) -> None:
    """Redraws when the session has changed, and clocks as time passes."""
    from kivy.clock import Clock

    drawn = -1

    def pump(_: float) -> None:
        nonlocal drawn
        link.pump()
        if session.version != drawn:
            stage.refresh()
            drawn = session.version

    Clock.schedule_interval(pump, _PUMP)
    Clock.schedule_interval(lambda _: stage.refresh(), _TICK)
