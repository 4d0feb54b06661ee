"""Outlines: round corners and dashes."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, isclose

from terminal.layout import Rect
from terminal.outline import coverage, dashes, round_outline


def _length(points: tuple[tuple[float, ...], ...]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))


def test_a_round_square_is_full_inside_and_empty_in_the_corners() -> None:
    size = 17
    opacity = coverage(size, 7)
    assert opacity[0] == 0 and opacity[size * size - 1] == 0
    assert opacity[size * size // 2] == 255
    assert opacity[size // 2] == 255
    assert any(0 < value < 255 for value in opacity)


def test_a_frame_is_empty_inside() -> None:
    size = 17
    opacity = coverage(size, 7, 2)
    assert opacity[size * size // 2] == 0
    assert opacity[size // 2] == opacity[size // 2 + size] == 255
    assert opacity[size // 2 + 2 * size] == 0


def test_an_outline_is_closed_and_stays_in_its_rectangle() -> None:
    rect = Rect(10, 20, 80, 40)
    outline = round_outline(rect, 8)
    assert outline[0] == outline[-1]
    assert all(rect.x <= p.x <= rect.right and rect.y <= p.y <= rect.top for p in outline)


def test_dashes_are_equally_long_and_leave_gaps() -> None:
    outline = round_outline(Rect(0, 0, 200, 60), 10)
    pieces = dashes(outline, 6, 5)
    lengths = [_length(tuple((p.x, p.y) for p in piece)) for piece in pieces]
    assert all(isclose(length, lengths[0], rel_tol=1e-6) for length in lengths)
    assert 0.4 < sum(lengths) / _length(tuple((p.x, p.y) for p in outline)) < 0.7
