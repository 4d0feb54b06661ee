"""One off-screen window for all tests that draw."""

from __future__ import annotations

import os
from collections.abc import Iterator
from ctypes.util import find_library
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from terminal import window
from tests.terminal.screens.scene import Scene

if TYPE_CHECKING:
    from tests.terminal.screens.stand import Stand

SIZES = ((1280, 800), (800, 480))
LANGUAGES = ("zh_CN", "en")


class Play(Protocol):
    """Puts a scene on a stand."""

    def __call__(
        self, scene: Scene, size: tuple[int, int] = SIZES[0], language: str = LANGUAGES[0], **looks: Any
    ) -> Stand: ...


@pytest.fixture(scope="session")
def opened() -> Any:
    """Kivy's window, off-screen, with real drawing."""
    if find_library("GL") is None:
        pytest.skip("libGL is missing (apt install libgl1): no screen is drawn")
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    window.prepare(*SIZES[0])
    from kivy.config import Config

    Config.set("graphics", "maxfps", 0)
    return window.open_window()


@pytest.fixture
def play(opened: Any) -> Iterator[Play]:
    """Shows scenes; the window is empty again afterwards."""
    from tests.terminal.screens.stand import Stand

    stands: list[Stand] = []

    def put_on(
        scene: Scene, size: tuple[int, int] = SIZES[0], language: str = LANGUAGES[0], **looks: Any
    ) -> Stand:
        stands.append(Stand(size, language, **looks).play(scene))
        return stands[-1]

    yield put_on
    for stand in stands:
        stand.clear()
