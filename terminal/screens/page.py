"""The base of the screens: a ground, panes on it, drawn again from the session."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.screenmanager import Screen
from kivy.uix.widget import Widget

from terminal.session import Session
from terminal.theme import Palette, Theme
from terminal.widgets.brush import Mark
from terminal.widgets.card import CardWords
from terminal.wording import Wording


@dataclass(frozen=True)
class Seat:
    """What a screen works with: the session, words and looks, and how to ask for a redraw."""

    session: Session
    words: Wording
    theme: Theme
    redraw: Callable[[], None]
    next_language: Callable[[], None]

    @property
    def card_words(self) -> CardWords:
        """What is written on cards."""
        say = self.words.short
        return CardWords(say("card.big_joker"), say("card.small_joker"), say("card.level"), say("card.wild"))


class Page(Screen):
    """A screen that draws one phase of the session."""

    def __init__(self, name: str, seat: Seat) -> None:
        super().__init__(name=name)
        self.seat = seat
        self._ground = InstructionGroup()
        self._ground_drawn: Palette | None = None
        self.canvas.before.add(self._ground)

    def put(self, *panes: Widget) -> None:
        """Adds panes, later ones above."""
        for pane in panes:
            self.add_widget(pane)

    @abstractmethod
    def refresh(self) -> None:
        """Draws what has changed in the session."""

    def ground(self, palette: Palette) -> None:
        """Fills the screen."""
        if palette is self._ground_drawn:
            return
        self._ground_drawn = palette
        theme = self.seat.theme
        self._ground.clear()
        self._ground.add(Color(*palette.ground))
        self._ground.add(Rectangle(pos=(0, 0), size=(theme.width, theme.height)))

    @property
    def marks(self) -> list[Mark]:
        """Every text on the screen."""
        panes = (widget for widget in self.walk(restrict=True) if widget is not self)
        return [mark for pane in panes for mark in getattr(pane, "marks", ())]
