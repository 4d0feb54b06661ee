"""The base of what is drawn: a pane shows one record in one rectangle, and draws only what changed."""

from __future__ import annotations

from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.widget import Widget

from terminal.layout import Rect
from terminal.theme import Palette, Theme
from terminal.widgets.brush import Brush, Mark


class Pane(Widget):
    """A widget without children of its own that draws a record. Subclasses define ``paint``."""

    def __init__(self, theme: Theme, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self.theme = theme
        self.rect = Rect(0, 0, 0, 0)
        self.face: Any = None
        self.marks: list[Mark] = []
        self._drawn: object = None
        self._group = InstructionGroup()
        self.canvas.add(self._group)

    def show(self, face: Any, rect: Rect, palette: Palette) -> None:
        """Shows a record there; None shows nothing."""
        drawn = (face, rect, palette)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self.face, self.rect, self.palette = face, rect, palette
        self.pos, self.size = rect[:2], rect[2:]
        self._group.clear()
        brush = Brush(self._group)
        if face is not None:
            self.paint(brush)
        self.marks = brush.marks

    def paint(self, brush: Brush) -> None:
        """Draws ``face`` into ``rect`` with ``palette``: each kind of pane its own; a bare one is empty."""
