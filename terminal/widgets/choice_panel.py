"""The panel of readings: each tile shows one with its cards, and a touch plays it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from terminal.layout import Rect, gap, laid_cards, laid_size, laid_step
from terminal.picture.choice import MOST_OPTIONS
from terminal.picture.records import ChoiceFace
from terminal.theme import Palette, Theme, Type
from terminal.widgets.brush import LEAST_SENTENCE, Brush
from terminal.widgets.card import CardWords
from terminal.widgets.control import Touchable
from terminal.widgets.laid import draw_row, laid_style
from terminal.widgets.pane import Pane


class ChoicePanel(Widget):
    """Shows a ``ChoiceFace``; ``choose`` gets the place of the reading that was touched."""

    def __init__(self, theme: Theme, words: CardWords, choose: Callable[[int], None]) -> None:
        super().__init__(size_hint=(None, None))
        self.theme = theme
        self.frame = ChoiceFrame(theme)
        self.tiles = tuple(OptionTile(theme, partial(choose, i), words) for i in range(MOST_OPTIONS))
        for pane in (self.frame, *self.tiles):
            self.add_widget(pane)

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.frame.face is not None

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing under an open panel is touched."""
        return super().on_touch_down(touch) or (self.is_open and self.collide_point(*touch.pos))

    def show(self, face: ChoiceFace | None, rect: Rect, palette: Palette) -> None:
        """Shows the readings; None closes the panel."""
        self.pos, self.size = rect[:2], rect[2:]
        self.frame.show(face, rect, palette)
        places = self._places(len(face.options), rect) if face else ()
        for i, tile in enumerate(self.tiles):
            there = face is not None and i < len(places)
            shown = (face.options[i], face.button, face.level) if there and face else None
            tile.show(shown, places[i] if there else Rect(0, 0, 0, 0), palette)

    def _places(self, count: int, rect: Rect) -> tuple[Rect, ...]:
        theme = self.theme
        inner = rect.inset(theme.dp(12 if theme.tight else 20), theme.dp(8 if theme.tight else 14))
        area = Rect(inner.x, inner.y, inner.w, inner.h - title_height(theme) - theme.dp(4))
        if count <= 3:
            return area.middle(area.w, area.h).columns(max(2, count), gap(theme) * 2)[:count]
        if theme.tight:
            return area.columns(count, gap(theme))
        upper, lower = area.rows(2, gap(theme))
        return (*upper.columns(3, gap(theme)), *lower.columns(3, gap(theme)))[:count]


def title_height(theme: Theme) -> float:
    """Height of the title of a panel."""
    return theme.sp(Type.BODY if theme.tight else Type.HEADING) * 1.4


class ChoiceFrame(Pane):
    """The border and title of the panel."""

    def paint(self, brush: Brush) -> None:
        """Amber border: this is the own next commit."""
        theme, palette = self.theme, self.palette
        brush.box(self.rect, palette.bar, palette.accent, max(2, theme.dp(2)), theme.dp(10))
        inner = self.rect.inset(theme.dp(12 if theme.tight else 24), theme.dp(6 if theme.tight else 10))
        row = inner.from_top(title_height(theme))
        size = theme.sp(Type.BODY if theme.tight else Type.HEADING)
        title = brush.text(self.face.title, row.from_left(row.w * 0.7), size, palette.text, bold=True)
        rest = Rect(title.right + theme.dp(16), row.y, row.right - title.right - theme.dp(16), row.h)
        size = theme.sp(Type.CAPTION)
        brush.text(self.face.aside, rest, size, palette.muted, align="right", least=LEAST_SENTENCE)


class OptionTile(Touchable):
    """One reading."""

    def __init__(self, theme: Theme, act: Callable[[], None], words: CardWords) -> None:
        super().__init__(theme, act)
        self._words = words

    def paint(self, brush: Brush) -> None:
        """Cards in order, the name under them, and with room a button that says what a touch does."""
        theme, palette = self.theme, self.palette
        brush.box(self.rect, palette.zone, palette.text, max(2, theme.dp(3)), theme.dp(8))
        inner = self.rect.inset(theme.dp(6 if theme.tight else 10), theme.dp(5))
        size = theme.sp(Type.BODY)
        roomy = inner.h > laid_size(theme)[1] * 2.2
        if roomy:
            inner, size = inner.inset(0, theme.dp(8)), theme.sp(Type.BUTTON)
        height = min(laid_size(theme)[1], int(inner.h - size * 1.3))
        self._cards(brush, inner.from_top(height))
        below = Rect(inner.x, inner.y, inner.w, inner.h - height)
        name = below.from_top(below.h * 0.42) if roomy else below
        brush.text(
            self.face[0].name,
            name,
            size,
            palette.text,
            bold=True,
            align="center",
            least=LEAST_SENTENCE,
        )
        if roomy:
            self._button(brush, below)

    def _cards(self, brush: Brush, area: Rect) -> None:
        option, _, level = self.face
        full_w, full_h = laid_size(self.theme)
        scale = area.h / full_h
        width, step = round(full_w * scale), round(laid_step(self.theme) * scale)
        places = laid_cards(area, len(option.cards), (width, int(area.h)), step, "center")
        style = laid_style(self.theme, self._words, width)
        draw_row(brush, option.cards, places, style, self.palette, level)

    def _button(self, brush: Brush, below: Rect) -> None:
        theme, palette = self.theme, self.palette
        button = Rect(below.x, below.y, below.w, min(theme.dp(62), below.h * 0.55))
        button = button.middle(min(below.w, theme.dp(236)), button.h)
        brush.fill(button, palette.block, theme.dp(10))
        size = min(theme.sp(Type.BUTTON), button.h * 0.55)
        brush.text(self.face[1], button, size, palette.on_block, bold=True, align="center")
