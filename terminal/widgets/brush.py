"""The brush: flat and round rectangles, borders, dashes and text, put into one canvas group.

Round corners come from small textures of pixel coverage stretched in nine parts, so that they
are smooth without multisampling. What text was written where is kept in ``marks``: tests look
there whether everything fits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from kivy.graphics import BorderImage, Color, InstructionGroup, Mesh, Rectangle
from kivy.graphics.texture import Texture

from terminal.layout import Rect
from terminal.outline import coverage, dashes, round_outline
from terminal.theme import Colour
from terminal.widgets import ink

LEAST_SHRINK = 0.8
"""Text gets no smaller than this part of its size before it is cut."""
LEAST_SENTENCE = 0.65
"""A sentence shrinks further: its end must be read."""
LEAST_NAME = 0.58
"""So does a long name."""


class Mark(NamedTuple):
    """A text as it was written: the rectangle it was given, and how much it was shrunk."""

    text: str
    rect: Rect
    room: Rect
    scale: float
    cut: bool


class Run(NamedTuple):
    """A piece of a line in one look."""

    text: str
    size: float
    colour: Colour
    bold: bool = False


class Brush:
    """Draws into a group, later over earlier."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self.marks: list[Mark] = []

    def fill(self, rect: Rect, colour: Colour, radius: int = 0) -> None:
        """A filled rectangle."""
        self._group.add(Color(*colour))
        if radius:
            self._nine(rect, _patch(radius, None), radius)
        else:
            self._group.add(Rectangle(pos=rect[:2], size=rect[2:]))

    def frame(self, rect: Rect, colour: Colour, width: int, radius: int = 0) -> None:
        """A border inside the edge of a rectangle."""
        self._group.add(Color(*colour))
        self._nine(rect, _patch(radius, width), max(radius, width) + 1)

    def box(self, rect: Rect, fill: Colour, border: Colour, width: int, radius: int) -> None:
        """A filled rectangle with a border."""
        self.fill(rect, border, radius)
        self.fill(rect.inset(width), fill, max(0, radius - width))

    def dashed(self, rect: Rect, colour: Colour, width: float, radius: int, dash: float = 6) -> None:
        """A dashed border inside the edge of a rectangle."""
        vertices: list[float] = []
        indices: list[int] = []
        outline = round_outline(rect.inset(width / 2), max(0.0, radius - width / 2))
        for piece in dashes(outline, dash, dash * 0.8):
            for i, point in enumerate(piece):
                at = len(vertices) // 4
                for side in (width / 2, -width / 2):
                    vertices += [point.x + point.nx * side, point.y + point.ny * side, 0, 0]
                if i:
                    indices += [at - 2, at - 1, at, at, at - 1, at + 1]
        self._group.add(Color(*colour))
        self._group.add(Mesh(vertices=vertices, indices=indices, mode="triangles"))

    def polygon(self, points: tuple[tuple[float, float], ...], colour: Colour) -> None:
        """A filled convex polygon."""
        vertices = [value for x, y in points for value in (x, y, 0, 0)]
        self._group.add(Color(*colour))
        self._group.add(Mesh(vertices=vertices, indices=list(range(len(points))), mode="triangle_fan"))

    def text(
        self,
        text: str,
        room: Rect,
        size: float,
        colour: Colour,
        bold: bool = False,
        align: str = "left",
        squeeze: float = 1.0,
        least: float = LEAST_SHRINK,
    ) -> Rect:
        """One line of text in the middle of the height of its room; where it came to stand.

        Too long, it shrinks to ``least`` and is then cut. ``squeeze`` narrows it.
        """
        return self.runs((Run(text, size, colour, bold),), room, align, squeeze, least)

    def runs(
        self,
        runs: tuple[Run, ...],
        room: Rect,
        align: str = "left",
        squeeze: float = 1.0,
        least: float = LEAST_SHRINK,
    ) -> Rect:
        """Pieces of text on one line; where they came to stand."""
        runs = tuple(run for run in runs if run.text)
        if not runs:
            return Rect(room.x, room.y, 0, room.h)
        wide = sum(ink.line(run.text, run.size, run.bold).width for run in runs) * squeeze
        scale = min(1.0, max(least, room.w / wide)) if wide else 1.0
        cut = wide * scale > room.w + 1
        if cut:
            runs = _cut(runs, room.w / scale / squeeze)
            wide = sum(ink.line(run.text, run.size, run.bold).width for run in runs) * squeeze
        width = wide * scale
        at = room.aligned(width, align)
        x = at.x
        for run in runs:
            piece = ink.line(run.text, run.size, run.bold)
            x += self._write(piece, run, x, room, scale, squeeze)
        height = max(run.size for run in runs) * scale
        self.marks.append(Mark("".join(run.text for run in runs), at.middle(width, height), room, scale, cut))
        return at

    def _write(self, piece: ink.Line, run: Run, x: float, room: Rect, scale: float, squeeze: float) -> float:
        width, height = piece.width * scale * squeeze, piece.height * scale
        y = room.y + (room.h - height) / 2 + run.size * scale * ink.SINK
        crisp = scale == squeeze == 1.0
        self._group.add(Color(*run.colour))
        self._group.add(
            Rectangle(
                texture=piece.texture,
                pos=(round(x), round(y)) if crisp else (x, y),
                size=(width, height),
            )
        )
        return width

    def _nine(self, rect: Rect, texture: Texture, border: int) -> None:
        edge = min(border, int(rect.w / 2), int(rect.h / 2))
        self._group.add(
            BorderImage(
                texture=texture,
                pos=rect[:2],
                size=rect[2:],
                border=(border,) * 4,
                display_border=(edge,) * 4,
            )
        )


def _cut(runs: tuple[Run, ...], width: float) -> tuple[Run, ...]:
    """The runs as far as they fit, with an ellipsis."""
    kept: list[Run] = []
    for run in runs:
        wide = ink.line(run.text, run.size, run.bold).width
        if wide <= width:
            kept.append(run)
            width -= wide
            continue
        text = run.text
        while text and ink.line(text + "…", run.size, run.bold).width > width:
            text = text[:-1]
        kept.append(run._replace(text=text + "…"))
        break
    return tuple(kept)


@lru_cache(maxsize=64)
def _patch(radius: int, border: int | None) -> Texture:
    """A white round square, or its frame, as small as it can be stretched from."""
    size = 2 * max(radius, border or 0) + 3
    opacity = coverage(size, radius, border)
    texture = Texture.create(size=(size, size), colorfmt="rgba")
    pixels = b"".join(b"\xff\xff\xff" + opacity[i : i + 1] for i in range(len(opacity)))
    texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
    return texture
