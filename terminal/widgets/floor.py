"""A flat band: the ground of an action bar, or the bar at the edge of the player to act."""

from __future__ import annotations

from terminal.widgets.brush import Brush
from terminal.widgets.pane import Pane


class Floor(Pane):
    """Shows the colour of the palette that is named."""

    def paint(self, brush: Brush) -> None:
        """Fills the band."""
        brush.fill(self.rect, getattr(self.palette, self.face))
