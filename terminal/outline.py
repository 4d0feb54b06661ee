"""Outlines of rounded rectangles: pixel coverage for textures and dashes for borders. No Kivy."""

from __future__ import annotations

import itertools
from math import cos, hypot, pi, sin
from typing import NamedTuple

from terminal.layout import Rect


class Point(NamedTuple):
    """A point on an outline with the direction that points out of it."""

    x: float
    y: float
    nx: float
    ny: float


def coverage(size: int, radius: float, border: float | None = None) -> bytes:
    """Opacity (0–255) of a square with round corners, ``size`` × ``size``, row by row.

    With ``border`` only a frame of that width is covered.
    """
    inner_radius = max(0.0, radius - border) if border is not None else 0.0
    rows = bytearray()
    for y in range(size):
        for x in range(size):
            opacity = _inside(x, y, size, 0.0, radius)
            if border is not None:
                opacity = min(opacity, 1.0 - _inside(x, y, size, border, inner_radius))
            rows.append(round(255 * opacity))
    return bytes(rows)


def _inside(x: int, y: int, size: int, inset: float, radius: float) -> float:
    """How much of a pixel lies in the square with that inset and radius, about."""
    half = size / 2 - inset
    dx = abs(x + 0.5 - size / 2) - (half - radius)
    dy = abs(y + 0.5 - size / 2) - (half - radius)
    distance = hypot(max(dx, 0.0), max(dy, 0.0)) + min(max(dx, dy), 0.0) - radius
    return min(1.0, max(0.0, 0.5 - distance))


def round_outline(rect: Rect, radius: float, corner_points: int = 5) -> tuple[Point, ...]:
    """The outline, counter-clockwise from the lower left, closed."""
    corners = (
        (rect.x + radius, rect.y + radius, pi),
        (rect.right - radius, rect.y + radius, 1.5 * pi),
        (rect.right - radius, rect.top - radius, 0.0),
        (rect.x + radius, rect.top - radius, 0.5 * pi),
    )
    points = []
    for x, y, start in corners:
        for i in range(corner_points):
            angle = start + 0.5 * pi * i / (corner_points - 1)
            nx, ny = cos(angle), sin(angle)
            points.append(Point(x + radius * nx, y + radius * ny, nx, ny))
    return (*points, points[0])


def dashes(outline: tuple[Point, ...], dash: float, space: float) -> tuple[tuple[Point, ...], ...]:
    """The outline cut into dashes of equal length, none broken at the seam."""
    length = sum(hypot(b.x - a.x, b.y - a.y) for a, b in itertools.pairwise(outline))
    count = max(1, round(length / (dash + space)))
    period = length / count
    lit = period * dash / (dash + space)
    return tuple(_cut(outline, i * period, i * period + lit) for i in range(count))


def _cut(outline: tuple[Point, ...], start: float, end: float) -> tuple[Point, ...]:
    points = []
    at = 0.0
    for a, b in itertools.pairwise(outline):
        step = hypot(b.x - a.x, b.y - a.y)
        if step and at + step >= start and at <= end:
            first, last = max(start, at), min(end, at + step)
            points += [_between(a, b, (first - at) / step), _between(a, b, (last - at) / step)]
        at += step
    return tuple(points)


def _between(a: Point, b: Point, part: float) -> Point:
    return Point(*(p + (q - p) * part for p, q in zip(a, b, strict=True)))
