"""The score of a game: the points of both sides, of 26."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.theme import Type
from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane


class Score(Pane):
    """Shows label, points and whether it is the own side, for each side."""

    def paint(self, brush: Brush) -> None:
        """Two boxes; the points of the winner in amber."""
        numbers = {int(points) for _, points, _ in self.face}
        best = max(numbers) if len(numbers) > 1 else None
        places = self.rect.columns(len(self.face), self.theme.dp(12))
        for (label, points, own), place in zip(self.face, places, strict=True):
            self._side(brush, place, (label, points), own, leads=int(points) == best)

    def _side(self, brush: Brush, place: Rect, words: tuple[str, str], own: bool, leads: bool) -> None:
        theme, palette = self.theme, self.palette
        fill, border = (palette.zone, palette.strong) if own else (palette.bar, palette.line)
        brush.box(place, fill, border, max(1, theme.dp(2)), theme.dp(8))
        inner = place.inset(theme.dp(18), theme.dp(4))
        size = min(theme.sp(Type.TITLE), inner.h * 0.86, inner.w * 0.38)
        colour = palette.accent if leads else palette.text
        brush.text(words[1], inner, size, colour, bold=True, align="right")
        label = inner.from_left(inner.w * 0.5)
        brush.text(words[0], label, min(theme.sp(Type.HEADING), inner.h * 0.5), palette.text, bold=True)
