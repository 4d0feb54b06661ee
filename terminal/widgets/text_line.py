"""A line of text of its own."""

from __future__ import annotations

from typing import NamedTuple

from terminal.widgets.brush import LEAST_SENTENCE, Brush
from terminal.widgets.pane import Pane


class LineFace(NamedTuple):
    """A line; ``ink`` names a colour of the palette, ``ground`` one that is filled behind it."""

    text: str
    size: float
    ink: str = "text"
    bold: bool = False
    align: str = "left"
    ground: str = ""


class TextLine(Pane):
    """Shows a ``LineFace``."""

    def paint(self, brush: Brush) -> None:
        """Writes the line."""
        face = self.face
        if face.ground:
            brush.fill(self.rect, getattr(self.palette, face.ground), self.theme.dp(10))
        colour = getattr(self.palette, face.ink)
        brush.text(
            face.text, self.rect, face.size, colour, bold=face.bold, align=face.align, least=LEAST_SENTENCE
        )
