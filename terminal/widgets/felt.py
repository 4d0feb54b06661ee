"""The table between the plates: a plain square with the order of play."""

from __future__ import annotations

from terminal.theme import Type
from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane


class Felt(Pane):
    """Shows a ``Note`` in the middle of a square."""

    def paint(self, brush: Brush) -> None:
        """The square, two centred lines."""
        theme, palette = self.theme, self.palette
        brush.box(self.rect, palette.zone, palette.line, max(1, theme.dp(2)), theme.dp(10))
        inner = self.rect.inset(theme.dp(6), 0)
        size = theme.sp(Type.CAPTION if theme.tight else Type.BODY)
        lines = inner.middle(inner.w, size * 3).rows(2, 0)
        brush.text(self.face.head, lines[0], size, palette.muted, align="center", least=0.75)
        brush.text(self.face.line, lines[1], size, palette.text, align="center", least=0.75)
