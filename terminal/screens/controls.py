"""The controls of the table: the action bar at play, under a choice, and under an exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kivy.uix.widget import Widget

from terminal.layout import Rect, action_bar, commit_bar
from terminal.picture.records import ActionsFace, ButtonFace, TurnFace
from terminal.theme import Palette, Theme, Type
from terminal.widgets import ink
from terminal.widgets.brush import LEAST_SHRINK
from terminal.widgets.control import Control, label_width
from terminal.widgets.floor import Floor
from terminal.widgets.note_lines import NoteLines
from terminal.widgets.turn_block import TimeBox
from terminal.wording import Note

_NOWHERE = Rect(0, 0, 0, 0)


class Acts(NamedTuple):
    """What the controls do."""

    let_pass: Callable[[], None]
    set_aside: Callable[[], None]
    next_flush: Callable[[], None]
    restore: Callable[[], None]
    commit: Callable[[], None]
    back: Callable[[], None]


class Controls(Widget):
    """The action bar in its three forms."""

    def __init__(self, theme: Theme, acts: Acts) -> None:
        super().__init__(size_hint=(None, None))
        self.theme = theme
        self.floor = Floor(theme)
        self.passing = Control(theme, acts.let_pass)
        self.sorts = tuple(Control(theme, act) for act in (acts.set_aside, acts.next_flush, acts.restore))
        self.commit = Control(theme, acts.commit)
        self.back = Control(theme, acts.back)
        self.note = NoteLines(theme)
        self.time = TimeBox(theme)
        for pane in (self.floor, self.note, self.time, self.passing, *self.sorts, self.commit, self.back):
            self.add_widget(pane)

    def show_floor(self, zone: Rect, palette: Palette) -> None:
        """Draws the ground of the bar."""
        self.pos, self.size = zone[:2], zone[2:]
        self.floor.show("bar", zone, palette)

    def show_play(self, face: ActionsFace, chosen: str, palette: Palette) -> None:
        """At play. On compact screens the note stands elsewhere, and here ``chosen``, with room."""
        first, second, third = (label_width(one.text, self.theme) for one in face.sorts)
        places = action_bar(self.theme, (first, second, third))
        self.passing.show(face.passing, places.passing, palette)
        for control, one, place in zip(self.sorts, face.sorts, places.sorts, strict=True):
            control.show(one, place, palette)
        note = self._short_note(chosen, places.note) if self.theme.compact else face.note
        self.note.show(note, places.note, palette)
        self.commit.show(face.commit, places.commit, palette)
        self._hide((self.back, self.time), palette)

    def show_choice(self, note: Note, back: str, time: TurnFace | None, palette: Palette) -> None:
        """Under a choice of readings: back, words, the clock."""
        places = commit_bar(self.theme)
        self._hide((self.passing, *self.sorts, self.commit), palette)
        self.back.show(ButtonFace(back, look="outline"), places.back, palette)
        self.note.show(note, places.beside_back, palette)
        self.time.show(time, places.commit, palette)

    def show_exchange(
        self, note: Note, time: TurnFace | None, commit: ButtonFace | None, palette: Palette
    ) -> None:
        """Under tribute and return: words, the clock, the commit."""
        places = commit_bar(self.theme)
        self._hide((self.passing, *self.sorts, self.back), palette)
        self.note.show(note, places.note, palette)
        self.time.show(time, places.time, palette)
        self.commit.show(commit, places.commit, palette)

    def _hide(self, panes: tuple[Control | TimeBox, ...], palette: Palette) -> None:
        for pane in panes:
            pane.show(None, _NOWHERE, palette)

    def _short_note(self, chosen: str, room: Rect) -> Note | None:
        wide = ink.line(chosen, self.theme.sp(Type.BODY), bold=True).width if chosen else room.w * 2
        return Note(chosen) if wide * LEAST_SHRINK <= room.w else None
