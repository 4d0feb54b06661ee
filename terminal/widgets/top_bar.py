"""The top bar."""

from __future__ import annotations

from terminal.layout import Rect, margin
from terminal.theme import Type
from terminal.widgets import ink
from terminal.widgets.brush import Brush, Run
from terminal.widgets.pane import Pane


class TopBar(Pane):
    """Shows a ``BarFace``: table and deal at the left, levels in the middle, connection at the right."""

    def paint(self, brush: Brush) -> None:
        """Draws the bar."""
        brush.fill(self.rect, self.palette.bar)
        inner = self.rect.inset(margin(self.theme), 0)
        right = self._link(brush, inner)
        chips = self._chips(brush, inner)
        end = chips.x if chips else right.x
        self._title(brush, Rect(inner.x, inner.y, end - inner.x - self.theme.dp(12), inner.h))

    def _title(self, brush: Brush, room: Rect) -> None:
        theme, palette = self.theme, self.palette
        size = theme.sp(Type.BUTTON if not theme.tight else Type.BODY)
        brush.runs(
            (
                Run(self.face.title, size, palette.text, bold=True),
                Run("    " if self.face.deal else "", size, palette.text),
                Run(self.face.deal, size * 0.92, palette.muted),
            ),
            room,
        )

    def _chips(self, brush: Brush, inner: Rect) -> Rect | None:
        if not self.face.levels:
            return None
        theme = self.theme
        height = min(theme.dp(46), inner.h - theme.dp(14))
        size = min(theme.sp(Type.BUTTON if not theme.tight else Type.BODY), height * 0.66)
        widths = [self._chip_width(label, level, size) for label, level, _ in self.face.levels]
        space = theme.dp(8)
        total = sum(widths) + space * (len(widths) - 1)
        row = self.rect.middle(total, height)
        x = row.x
        for (label, level, look), width in zip(self.face.levels, widths, strict=True):
            self._chip(brush, Rect(round(x), row.y, round(width), row.h), (label, level, look), size)
            x += width + space
        return row

    def _chip_width(self, label: str, level: str, size: float) -> float:
        text = ink.line(label + " ", size).width + ink.line(level, size * 1.1, bold=True).width
        return max(text + 2 * self.theme.dp(14), self.theme.dp(100))

    def _chip(self, brush: Brush, rect: Rect, chip: tuple[str, str, str], size: float) -> None:
        theme, palette = self.theme, self.palette
        label, level, look = chip
        text = palette.text
        if look == "level":
            brush.fill(rect, palette.block, theme.dp(8))
            text = palette.on_block
        else:
            border = palette.strong if look == "own" else palette.line
            brush.frame(rect, border, max(1, theme.dp(2)), theme.dp(8))
        runs = (Run(label + " ", size, text), Run(level, size * 1.1, text, bold=True))
        brush.runs(runs, rect.inset(theme.dp(4), 0), align="center")

    def _link(self, brush: Brush, inner: Rect) -> Rect:
        """Connected: a round dot. Not connected: a hollow square."""
        theme, palette = self.theme, self.palette
        size = theme.sp(Type.BODY)
        width = ink.line(self.face.link_text, size).width
        text = inner.from_right(width)
        sign = round(theme.dp(17))
        place = Rect(text.x - theme.dp(8) - sign, inner.y + round((inner.h - sign) / 2), sign, sign)
        if self.face.link == "online":
            brush.fill(place, palette.connected, sign // 2)
            brush.text(self.face.link_text, text, size, palette.text)
        else:
            brush.frame(place, palette.danger, max(2, theme.dp(3)))
            brush.text(self.face.link_text, text, size, palette.danger)
        return place
