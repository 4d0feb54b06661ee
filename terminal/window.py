"""The window: Kivy's settings, and a clear word where there can be none.

Kivy reads its settings when it is imported and opens a window when ``kivy.core.window`` is, so
``prepare`` comes before anything that imports Kivy's widgets.
"""

from __future__ import annotations

import os
from typing import Any

from terminal import fonts


class WindowMissing(Exception):
    """No window can be opened; the message says what is missing."""


_ADVICE = """\
打不开窗口：没有可用的显示或 OpenGL。
请接上屏幕（或设置 DISPLAY），并安装：apt install {packages}
没有屏幕时可以不开窗口：paizhuo-terminal --headless --seats FILE
No window can be opened: there is no display, or no OpenGL.
Connect a screen (or set DISPLAY), and install: apt install {packages}
Without a screen a seat can be played by a policy: paizhuo-terminal --headless --seats FILE"""

_PACKAGES = "libgl1 libegl1 libgles2 libgl1-mesa-dri libgbm1 libdrm2 libmtdev1"


def prepare(width: int, height: int, fullscreen: bool = False) -> None:
    """Sets up Kivy for one window of that size. No file of settings of the user's is read.

    Touches come in as SDL's mouse only: a second provider would report every tap twice.
    """
    os.environ.update(
        KIVY_NO_ARGS="1",
        KIVY_NO_CONFIG="1",
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",
        KIVY_WINDOW="sdl2",
    )
    # Named, because SDL would rather draw where nobody sees it than say that there is no screen.
    hosted = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    os.environ.setdefault("SDL_VIDEODRIVER", "x11,wayland" if hosted else "kmsdrm")
    if os.environ["SDL_VIDEODRIVER"] == "offscreen":
        # Mesa's threads keep every frame that an offscreen window draws.
        os.environ.setdefault("LP_NUM_THREADS", "0")
    fullscreen = fullscreen or os.environ["SDL_VIDEODRIVER"] == "kmsdrm"
    from kivy.config import Config

    for provider in list(Config.options("input")):
        Config.remove_option("input", provider)
    Config.set("input", "mouse", "mouse,disable_multitouch")
    for section, option, value in (
        ("graphics", "width", width),
        ("graphics", "height", height),
        ("graphics", "fullscreen", "auto" if fullscreen else 0),
        ("graphics", "show_cursor", 0 if fullscreen else 1),
        ("graphics", "multisamples", 0),
        ("kivy", "exit_on_escape", 0),
        ("kivy", "log_level", "warning"),
    ):
        Config.set(section, option, value)


def open_window() -> Any:
    """Kivy's window. ``WindowMissing`` if there can be none, ``FontMissing`` without a Chinese font."""
    fonts.find_font()
    try:
        from kivy.core.window import Window
    except (ImportError, SystemExit) as wrong:
        raise WindowMissing(_ADVICE.format(packages=_PACKAGES)) from wrong
    if Window is None:
        raise WindowMissing(_ADVICE.format(packages=_PACKAGES))
    fonts.register()
    return Window
