"""A stage under test: one screen in the window, touched and drawn as in real use."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from terminal.layout import Rect
from terminal.screens.stage import Stage
from terminal.theme import Theme, dpi_of
from tests.terminal.screens.scene import Scene


class Stand:
    """Shows a scene at a size in a language; a context manager."""

    def __init__(self, size: tuple[int, int], language: str, **looks: Any) -> None:
        self.theme = Theme(size[0], size[1], dpi_of(*size), **looks)
        self.language = language
        self.scene: Scene
        self.stage: Stage

    def __enter__(self) -> Stand:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.clear()

    def clear(self) -> None:
        """Empties the window."""
        for child in list(Window.children):
            Window.remove_widget(child)

    @property
    def page(self) -> Any:
        """The screen that is shown."""
        return self.stage.page

    def play(self, scene: Scene) -> Stand:
        """Puts a scene on."""
        EventLoop.ensure_window()
        EventLoop.status = "started"
        self.scene = scene
        self.stage = Stage(scene.session, self.theme, self.language, lambda: scene.now)
        Window.add_widget(self.stage)
        self.redraw()
        return self

    def redraw(self) -> None:
        """Brings every pane up to date and in its place; nothing is rendered yet."""
        self.stage.refresh()
        Clock.tick()

    def frame(self) -> None:
        """Runs one frame: what is shown is rendered."""
        EventLoop.idle()

    def serve(self) -> None:
        """Lets the table answer, and renders what comes of it."""
        self.scene.serve()
        self.redraw()
        self.frame()

    def press(self, pane: Any) -> None:
        """Touches the middle of a pane and lets go."""
        self.tap(_middle(pane.rect))

    def tap(self, at: tuple[float, float]) -> None:
        """Touches a point and lets go."""
        self.drag((at,))

    def drag(self, points: tuple[tuple[float, float], ...]) -> None:
        """Touches the first point, moves over the others, lets go."""
        self.scene.now += 200
        touch = UnitTestTouch(*points[0])
        touch.touch_down()
        for point in points[1:]:
            touch.touch_move(*point)
        touch.touch_up()
        self.redraw()

    def card(self, slot: int) -> tuple[float, float]:
        """A point on the strip of a card in the hand."""
        hand = self.page.hand
        rect: Rect = hand.layout.slots[slot].rect.moved(0, hand.lifts[slot])
        return (rect.x + rect.w / 2, rect.top - 5)

    def slots(self, *cards: int) -> list[int]:
        """Slots of the hand that hold these faces, none twice."""
        found: list[int] = []
        for card in cards:
            places = (
                i
                for i, slot in enumerate(self.page.hand.layout.slots)
                if slot.card == card and i not in found
            )
            found.append(next(places))
        return found

    def picture(self, path: Path) -> None:
        """Writes what is shown."""
        self.redraw()
        self.frame()
        self.stage.export_to_png(str(path))


def _middle(rect: Rect) -> tuple[float, float]:
    return (rect.x + rect.w / 2, rect.y + rect.h / 2)
