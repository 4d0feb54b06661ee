"""The levels of a side, 2 … A: those just climbed are framed, the one reached is filled."""

from __future__ import annotations

from terminal.layout import Rect
from terminal.theme import Type
from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane
from terminal.wording import RANK_SIGNS

_TOP = len(RANK_SIGNS) - 1
"""The A; past it there is no place of its own."""


class Ladder(Pane):
    """Shows a ``LadderFace``."""

    def paint(self, brush: Brush) -> None:
        """Label and change over the row of levels."""
        theme, palette, face = self.theme, self.palette, self.face
        size = theme.sp(Type.BUTTON)
        height = min(theme.dp(48), self.rect.h * 0.5)
        head = self.rect.from_top(self.rect.h - height - theme.dp(6))
        brush.text(face.label, head, min(size, head.h * 0.8), palette.text, bold=True)
        colour = palette.accent if face.after > min(face.before, _TOP) else palette.text
        brush.text(face.change, head, min(size * 1.15, head.h * 0.86), colour, bold=True, align="right")
        row = Rect(self.rect.x, self.rect.y, self.rect.w, height)
        for rank, place in enumerate(row.columns(len(RANK_SIGNS), theme.dp(4))):
            self._level(brush, rank, place)

    def _level(self, brush: Brush, rank: int, place: Rect) -> None:
        theme, palette, face = self.theme, self.palette, self.face
        size, text = min(theme.sp(Type.BODY), place.w * 0.66), RANK_SIGNS[rank]
        if rank == min(face.after, _TOP):
            brush.fill(place, palette.block, theme.dp(5))
            brush.text(text, place, size, palette.on_block, bold=True, align="center")
            return
        climbed = face.before <= rank < face.after
        border = palette.strong if climbed else palette.line
        brush.frame(place, border, max(1, theme.dp(2 if climbed else 1)), theme.dp(5))
        brush.text(
            text, place, size, palette.text if climbed else palette.muted, bold=climbed, align="center"
        )
