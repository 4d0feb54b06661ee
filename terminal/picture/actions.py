"""The controls under the hand."""

from __future__ import annotations

from broker.engine.game import DecisionKind
from terminal.picture.glance import Glance
from terminal.picture.note import note
from terminal.picture.records import ActionsFace, ButtonFace


def play_actions(now: Glance, has_groups: bool, brief: bool = False) -> ActionsFace:
    """The action bar at play. ``has_groups``: the player has set cards aside."""
    return ActionsFace(_passing(now), sort_buttons(now, has_groups, brief), _commit(now), note(now))


def sort_buttons(now: Glance, has_groups: bool, brief: bool) -> tuple[ButtonFace, ButtonFace, ButtonFace]:
    """Group, straight flush, undo: they work at any time."""
    words, count = now.words, len(now.flushes)
    flush = (words.short if brief else words.text)("action.flush", count=count)
    free = now.pending is None or not now.pending.cards
    return (
        ButtonFace(words.text("action.sort"), enabled=free and bool(now.selected)),
        ButtonFace(flush, enabled=free and count > 0),
        ButtonFace(words.text("action.restore"), enabled=has_groups or (free and bool(now.selected))),
    )


def _can_act(now: Glance) -> bool:
    return now.pending is None and not now.stale and not now.paused


def _passing(now: Glance) -> ButtonFace:
    """Pass is never sent while cards are selected; why it cannot be pressed stands on it."""
    words = now.words
    asked = now.owes is DecisionKind.FOLLOW and _can_act(now)
    why = ""
    if asked and now.selected:
        why = "note.put_down"
    elif now.owes is DecisionKind.LEAD and _can_act(now):
        why = "note.must_lead"
    sub = words.text(why) if why else ""
    return ButtonFace(words.text("action.pass"), sub, "outline", asked and not now.selected)


def _commit(now: Glance) -> ButtonFace:
    words = now.words
    if now.pending is not None:
        reading = now.pending.reading
        sub = words.text("action.sent", play=words.play(reading, short=True)) if reading else ""
        return ButtonFace(words.text("action.waiting"), sub, "commit", enabled=False)
    ways = len(now.options)
    if ways > 1:
        hint = words.text("action.choose_hint", ways=ways)
        return ButtonFace(words.text("action.choose"), hint, "commit", _can_act(now))
    return ButtonFace(words.text("action.play"), "", "commit", ways == 1 and _can_act(now))
