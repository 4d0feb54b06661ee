"""Where things lie: rectangles computed from the size of the screen, without Kivy.

Coordinates are pixels from the lower left corner. Everything follows from the theme, so one set
of rules serves 1280×800, 800×480 and what is between.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import NamedTuple

from terminal.theme import MM_TARGET, Theme, Type


class Rect(NamedTuple):
    """A rectangle by its lower left corner."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.h

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        """Smaller on all sides."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float, dy: float) -> Rect:
        """The same size elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def from_top(self, height: float, offset: float = 0) -> Rect:
        """The band of that height, ``offset`` below the upper edge."""
        return Rect(self.x, self.top - offset - height, self.w, height)

    def from_left(self, width: float, offset: float = 0) -> Rect:
        """The strip of that width, ``offset`` right of the left edge."""
        return Rect(self.x + offset, self.y, width, self.h)

    def from_right(self, width: float, offset: float = 0) -> Rect:
        """The strip of that width, ``offset`` left of the right edge."""
        return Rect(self.right - offset - width, self.y, width, self.h)

    def aligned(self, width: float, align: str) -> Rect:
        """The strip of that width at the left, at the right, or in the middle."""
        start = {"left": self.x, "right": self.right - width}.get(align, self.x + (self.w - width) / 2)
        return Rect(start, self.y, width, self.h)

    def middle(self, width: float, height: float) -> Rect:
        """A rectangle of that size around the same centre, on whole pixels."""
        return Rect(
            round(self.x + (self.w - width) / 2), round(self.y + (self.h - height) / 2), width, height
        )

    def columns(self, count: int, gap: float) -> tuple[Rect, ...]:
        """Equal columns from left to right, on whole pixels."""
        step = (self.w + gap) / count
        edges = [round(self.x + i * step) for i in range(count + 1)]
        return tuple(
            Rect(left, self.y, right - gap - left, self.h) for left, right in itertools.pairwise(edges)
        )

    def rows(self, count: int, gap: float) -> tuple[Rect, ...]:
        """Equal rows from top to bottom, on whole pixels."""
        step = (self.h + gap) / count
        edges = [round(self.top - i * step) for i in range(count + 1)]
        return tuple(
            Rect(self.x, bottom + gap, self.w, upper - bottom - gap)
            for upper, bottom in itertools.pairwise(edges)
        )

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies in it."""
        return self.x <= x < self.right and self.y <= y < self.top

    def contains(self, other: Rect) -> bool:
        """Whether the other lies wholly in it."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right + 0.01
            and other.top <= self.top + 0.01
        )

    def overlaps(self, other: Rect) -> bool:
        """Whether the two share an area."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.top and other.y < self.top


@dataclass(frozen=True, slots=True)
class Zones:
    """The bands of the screen at a table, from top to bottom."""

    bar: Rect
    others: Rect
    """Plates and last plays of the others; with room also the turn block and the own plate."""
    strip: Rect | None
    """Turn and clock on compact screens."""
    hand: Rect
    actions: Rect
    panel: Rect
    """What panels may cover: the others, and the strip."""


@dataclass(frozen=True, slots=True)
class Station:
    """Where one player is shown: plate, last play, name of the play."""

    plate: Rect
    laid: Rect
    caption: Rect | None
    """None: no room for the name of the play."""
    align: str
    """``left``, ``center`` or ``right``: where the cards begin."""


@dataclass(frozen=True, slots=True)
class Stations:
    """All players by place on the screen. The next player sits at the right."""

    right: Station
    opposite: Station
    left: Station
    own: Station | None
    """None: the own last play is not shown apart."""
    turn: Rect
    """The turn block or strip."""


def margin(theme: Theme) -> int:
    """Distance from the edge of the screen."""
    return theme.dp(10) if theme.tight else theme.dp(16)


def gap(theme: Theme) -> int:
    """Least distance between targets."""
    return theme.dp(8)


def zones(theme: Theme) -> Zones:
    """The bands of the table screen."""
    width, height = theme.width, theme.height
    bar = Rect(0, height - bar_height(theme), width, bar_height(theme))
    actions = Rect(0, 0, width, action_height(theme))
    between = bar.y - actions.top
    if not theme.compact:
        others = round(between * 0.506)
        panel = Rect(0, bar.y - others, width, others)
        return Zones(bar, panel, None, Rect(0, actions.top, width, between - others), actions, panel)
    strip_height = theme.dp(42) if theme.tight else theme.dp(92)
    others_height = _compact_others(theme)
    others_rect = Rect(0, bar.y - others_height, width, others_height)
    strip = Rect(0, others_rect.y - strip_height, width, strip_height)
    hand = Rect(0, actions.top, width, strip.y - actions.top - theme.dp(4))
    panel = Rect(0, strip.y, width, others_height + strip_height)
    return Zones(bar, others_rect, strip.inset(margin(theme), 0), hand, actions, panel)


def bar_height(theme: Theme) -> int:
    """Height of the top bar."""
    return round(theme.height * 0.08) if not theme.tight else theme.dp(62)


def action_height(theme: Theme) -> int:
    """Height of the action bar."""
    return round(theme.height * 0.11) if not theme.tight else theme.dp(64)


def edge_height(theme: Theme) -> int:
    """Thickness of the bar along the edge where the player to act sits."""
    return theme.dp(4 if theme.tight else 7)


def _plate_height(theme: Theme) -> int:
    if theme.tight:
        return theme.dp(46)
    return theme.dp(64) if theme.text_scale < 1.25 else theme.dp(84)


def _caption_height(theme: Theme) -> int:
    return round(theme.sp(Type.CAPTION) * 1.3)


def _compact_others(theme: Theme) -> int:
    caption = 0 if theme.tight else _caption_height(theme) + theme.dp(4)
    return _plate_height(theme) + laid_size(theme)[1] + caption + 4 * theme.dp(4)


def laid_size(theme: Theme) -> tuple[int, int]:
    """Width and height of a card on the table."""
    return (theme.dp(57), theme.dp(68)) if theme.tight else (theme.dp(66), theme.dp(92))


def stations(theme: Theme) -> Stations:
    """Where the players stand."""
    return _row_of_stations(theme) if theme.compact else _ring_of_stations(theme)


def _ring_of_stations(theme: Theme) -> Stations:
    zone = zones(theme).others.inset(margin(theme), theme.dp(13))
    plate_w, plate_h = theme.dp(354), _plate_height(theme)
    card_h, caption = laid_size(theme)[1], _caption_height(theme)
    drop = theme.dp(39)

    def station(x: float, y: float, width: float, align: str) -> Station:
        plate = Rect(x, y - plate_h, width, plate_h)
        laid = Rect(x, plate.y - theme.dp(12) - card_h, width, card_h)
        return Station(plate, laid, Rect(x, laid.y - theme.dp(4) - caption, width, caption), align)

    middle_w = theme.dp(388)
    middle_x = round(zone.x + (zone.w - middle_w) / 2)
    opposite = station(middle_x, zone.top, middle_w, "center")
    block_top = opposite.caption.y - theme.dp(6) if opposite.caption else opposite.laid.y
    turn = Rect(middle_x, zone.y, middle_w, block_top - zone.y)
    own_plate = Rect(zone.x, zone.y, plate_w, plate_h)
    caption_rect = Rect(turn.x, turn.y, turn.w, caption)
    laid = Rect(turn.x, caption_rect.top + theme.dp(2), turn.w, card_h)
    return Stations(
        right=station(zone.right - plate_w, zone.top - drop, plate_w, "right"),
        opposite=opposite,
        left=station(zone.x, zone.top - drop, plate_w, "left"),
        own=Station(own_plate, laid, caption_rect, "center"),
        turn=turn,
    )


def _row_of_stations(theme: Theme) -> Stations:
    area = zones(theme)
    zone = area.others.inset(margin(theme), 0)
    plate_h, card_h = _plate_height(theme), laid_size(theme)[1]
    caption_h = _caption_height(theme)

    def station(column: Rect, align: str) -> Station:
        plate = column.from_top(plate_h, theme.dp(4))
        laid = column.from_top(card_h, plate_h + 2 * theme.dp(4))
        caption = None if theme.tight else Rect(column.x, column.y + theme.dp(2), column.w, caption_h)
        return Station(plate, laid, caption, align)

    left, middle, right = zone.columns(3, gap(theme))
    assert area.strip is not None
    return Stations(
        station(right, "right"), station(middle, "center"), station(left, "left"), None, area.strip
    )


def laid_cards(rect: Rect, count: int, size: tuple[int, int], full_step: int, align: str) -> tuple[Rect, ...]:
    """Rectangles of cards in a row, closed up as far as the width demands."""
    width, height = size
    if not count:
        return ()
    step: float = full_step
    if count > 1:
        step = min(full_step, (rect.w - width) / (count - 1))
    total = width + step * (count - 1)
    start = rect.aligned(total, align).x
    return tuple(Rect(round(start + i * step), rect.y, width, height) for i in range(count))


def laid_step(theme: Theme) -> int:
    """Distance of cards on the table that do not overlap."""
    return laid_size(theme)[0] + theme.dp(4)


@dataclass(frozen=True, slots=True)
class ActionBar:
    """Controls under the hand: pass at one end, play at the other, sorting between."""

    passing: Rect
    sorts: tuple[Rect, Rect, Rect]
    note: Rect
    commit: Rect


@dataclass(frozen=True, slots=True)
class CommitBar:
    """Controls under a panel: words, the own clock, the commit; or back, words, the clock."""

    note: Rect
    time: Rect
    commit: Rect
    back: Rect
    beside_back: Rect


def action_bar(theme: Theme, sort_widths: tuple[float, float, float]) -> ActionBar:
    """The action bar at play; the widths are what the three labels need.

    Pass stays at least 40 dp from the next control.
    """
    row = _action_row(theme)
    passing = row.from_left(theme.dp(135 if theme.tight else 180))
    commit = _commit(theme, row)
    sorts = []
    x = passing.right + theme.dp(48 if theme.tight else 56)
    room = commit.x - x - 3 * gap(theme)
    squeeze = min(1.0, room / sum(sort_widths))
    for width in sort_widths:
        sorts.append(Rect(x, row.y, int(width * squeeze), row.h))
        x = sorts[-1].right + gap(theme)
    note = Rect(x + theme.dp(8), row.y, max(0, commit.x - x - theme.dp(24)), row.h)
    bar = ActionBar(passing, (sorts[0], sorts[1], sorts[2]), note, commit)
    return _mirrored_bar(bar, theme) if theme.left_handed else bar


def commit_bar(theme: Theme) -> CommitBar:
    """The action bar under a panel."""
    row = _action_row(theme)
    commit = _commit(theme, row)
    time = Rect(commit.x - theme.dp(24) - commit.w, commit.y, commit.w, commit.h)
    back = row.from_left(theme.dp(170 if theme.tight else 215))
    note = Rect(row.x, row.y, time.x - row.x - theme.dp(16), row.h)
    beside = Rect(back.right + theme.dp(24), row.y, commit.x - back.right - theme.dp(48), row.h)
    bar = CommitBar(note, time, commit, back, beside)
    if not theme.left_handed:
        return bar
    flip = theme.width
    return CommitBar(*(_mirrored(rect, flip) for rect in (note, time, commit, back, beside)))


def _action_row(theme: Theme) -> Rect:
    zone = zones(theme).actions
    edge = edge_height(theme) if theme.tight else 0
    height = min(theme.dp(MM_TARGET if theme.tight else 68), zone.h - edge - theme.dp(2))
    row = zone.inset(margin(theme), 0)
    return Rect(row.x, round(zone.y + edge + (zone.h - edge - height) / 2), row.w, height)


def _commit(theme: Theme, row: Rect) -> Rect:
    """The one large control, at the end of the row."""
    width = theme.dp(255 if theme.tight else 296)
    height = row.h if theme.tight else min(theme.dp(77), zones(theme).actions.h - theme.dp(8))
    return row.from_right(width).middle(width, height)


def _mirrored(rect: Rect, width: float) -> Rect:
    return Rect(width - rect.right, rect.y, rect.w, rect.h)


def _mirrored_bar(bar: ActionBar, theme: Theme) -> ActionBar:
    passing, note, commit = (_mirrored(rect, theme.width) for rect in (bar.passing, bar.note, bar.commit))
    first, second, third = (_mirrored(rect, theme.width) for rect in bar.sorts)
    return ActionBar(passing, (first, second, third), note, commit)
