"""The panel in which one reading of several is chosen."""

from __future__ import annotations

from broker.engine.guandan.views import Laid
from terminal.picture.glance import Glance
from terminal.picture.records import ChoiceFace, OptionFace
from terminal.picture.stations import shown

MOST_OPTIONS = 6
"""Three suited cards with two wilds: three straight flushes and three straights."""


def choice(now: Glance, brief: bool = False) -> ChoiceFace:
    """The readings of the selection, each with its picture."""
    words = now.words
    say = words.short if brief else words.text
    options = tuple(
        OptionFace(
            shown(Laid(now.own, now.selected, reading), words, now.public.level),
            words.play(reading, short=True),
        )
        for reading in now.options
    )
    return ChoiceFace(
        title=say("choice.title", count=len(now.selected), ways=len(options)),
        aside=words.text("choice.once") + words.article(now.rules.articles.reading),
        options=options,
        button=words.text("choice.this"),
        level=now.public.level,
    )
