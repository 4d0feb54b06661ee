"""Whether a player is ready: a round dot and a word, or a hollow square and a word."""

from __future__ import annotations

from typing import NamedTuple

from terminal.layout import Rect
from terminal.theme import Type
from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane


class SignFace(NamedTuple):
    """The sign and its word."""

    ready: bool
    word: str


class ReadySign(Pane):
    """Shows a ``SignFace``."""

    def paint(self, brush: Brush) -> None:
        """Sign at the left, word beside it."""
        theme, palette = self.theme, self.palette
        side = round(theme.dp(16))
        place = Rect(round(self.rect.x), round(self.rect.y + (self.rect.h - side) / 2), side, side)
        colour = palette.text if self.face.ready else palette.accent
        if self.face.ready:
            brush.fill(place, palette.connected, side // 2)
        else:
            brush.frame(place, palette.accent, max(2, theme.dp(3)))
        room = Rect(place.right + theme.dp(8), self.rect.y, self.rect.w - side - theme.dp(8), self.rect.h)
        brush.text(self.face.word, room, theme.sp(Type.CAPTION), colour, bold=not self.face.ready)
