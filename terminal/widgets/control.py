"""Controls: they act on release, if the touch began and ended on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.input.motionevent import MotionEvent

from terminal.layout import Rect
from terminal.theme import Colour, Theme, Type
from terminal.widgets import ink
from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane


class Touchable(Pane):
    """A pane that acts on release. ``enabled`` decides whether it takes a touch."""

    def __init__(self, theme: Theme, act: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(theme, **kwargs)
        self._act = act

    @property
    def enabled(self) -> bool:
        """Whether it may be touched now."""
        return self.face is not None

    def on_touch_down(self, touch: MotionEvent) -> bool:
        """Takes a touch that begins here."""
        if not self.enabled or not self.rect.holds(*touch.pos):
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: MotionEvent) -> bool:
        """Acts if the touch ends where it began."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self.enabled and self.rect.holds(*touch.pos):
            self._act()
        return True


class Control(Touchable):
    """A labelled control; shows a ``ButtonFace``."""

    @property
    def enabled(self) -> bool:
        """Whether it may be pressed now."""
        return self.face is not None and self.face.enabled

    def paint(self, brush: Brush) -> None:
        """Filled or framed by its look; disabled without fill and with a dashed border."""
        radius = self.theme.dp(10)
        if self.face.enabled:
            fill, border, text = self._colours()
            brush.box(self.rect, fill, border, max(1, self.theme.dp(2)), radius)
        else:
            text = self.palette.disabled
            brush.dashed(self.rect, text, max(1, self.theme.dp(2)), radius, self.theme.dp(6))
        self._label(brush, text)

    def _label(self, brush: Brush, colour: Colour) -> None:
        theme, face = self.theme, self.face
        size = theme.sp(Type.PLAY if face.look in ("commit", "block") else Type.BUTTON)
        size = min(size, self.rect.h * 0.55)
        room = self.rect.inset(theme.dp(8), 0)
        sub_size = theme.sp(Type.CAPTION)
        if not face.sub or theme.tight:
            brush.text(face.text, room, size, colour, bold=True, align="center")
            return
        upper = Rect(room.x, room.y + room.h * 0.40, room.w, room.h * 0.52)
        lower = Rect(room.x, room.y + room.h * 0.10, room.w, room.h * 0.34)
        brush.text(face.text, upper, min(size, upper.h * 0.85), colour, bold=True, align="center")
        brush.text(face.sub, lower, min(sub_size, lower.h * 0.9), colour, align="center")

    def _colours(self) -> tuple[Colour, Colour, Colour]:
        palette = self.palette
        return {
            "commit": (palette.accent, palette.accent, palette.on_accent),
            "block": (palette.block, palette.block, palette.on_block),
            "outline": (palette.bar, palette.strong, palette.text),
            "plain": (palette.zone, palette.line, palette.text),
        }[self.face.look]


def label_width(text: str, theme: Theme) -> float:
    """Width of a control that holds the label."""
    padding = theme.dp(14 if theme.compact else 20)
    return max(theme.dp(64), ink.line(text, theme.sp(Type.BUTTON), bold=True).width + 2 * padding)
