"""The places of a deal: one row a player."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.picture.records import RowFace
from terminal.theme import Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_NAME, Brush
from terminal.widgets.pane import Pane


class Places(Pane):
    """Shows a tuple of ``RowFace``."""

    def paint(self, brush: Brush) -> None:
        """Own side on a lighter ground with a white border; first place in amber."""
        rows = self.rect.rows(4, self.theme.dp(6 if self.theme.tight else 10))
        size = min(self.theme.sp(Type.HEADING), rows[0].h * 0.44)
        place_w = max((ink.line(face.place, size, bold=True).width for face in self.face), default=0)
        seat_w = max((ink.line(face.seat, size).width for face in self.face), default=0)
        self._rests: list[Rect] = []
        for face, row in zip(self.face, rows, strict=False):
            inner = row.inset(self.theme.dp(14), 0)
            self._number(brush, face, row, inner)
            self._words(brush, face, inner, size, (place_w, seat_w))
        self._sides(brush)

    def _number(self, brush: Brush, face: RowFace, row: Rect, inner: Rect) -> None:
        """The ground of a row, and the large number at its left."""
        theme, palette = self.theme, self.palette
        fill, border = (palette.zone, palette.strong) if face.own_side else (palette.bar, palette.line)
        brush.box(row, fill, border, max(1, theme.dp(2)), theme.dp(8))
        size = min(theme.sp(Type.TITLE) * 0.72, row.h * 0.74)
        colour = palette.accent if face is self.face[0] else palette.text
        brush.text(face.number, inner.from_left(theme.dp(52)), size, colour, bold=True, align="center")

    def _words(
        self, brush: Brush, face: RowFace, inner: Rect, size: float, widths: tuple[float, float]
    ) -> None:
        """Place, seat and name, each in a column of its own."""
        theme, palette = self.theme, self.palette
        place = inner.from_left(widths[0], theme.dp(60))
        brush.text(face.place, place, size, palette.text, bold=True)
        seat = inner.from_left(widths[1], place.right + theme.dp(16) - inner.x)
        brush.text(face.seat, seat, size, palette.muted, align="center")
        start = seat.right + theme.dp(16)
        name = Rect(start, inner.y, inner.right - start, inner.h)
        at = brush.text(face.name, name, size, palette.text, bold=True, least=LEAST_NAME)
        self._rests.append(Rect(at.right, name.y, name.right - at.right, name.h))

    def _sides(self, brush: Brush) -> None:
        """At the end of the rows how the players stand to oneself, if there is room in all of them."""
        theme = self.theme
        size = min(theme.sp(Type.CAPTION), self._rests[0].h * 0.36) if self._rests else 0.0
        pairs = list(zip(self.face, self._rests, strict=False))
        if all(ink.line(face.side, size).width + theme.dp(14) <= rest.w for face, rest in pairs):
            for face, rest in pairs:
                brush.text(face.side, rest, size, self.palette.muted, align="right")
