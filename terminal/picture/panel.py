"""The panel over a table that stands still: no connection, or a stoppage."""

from __future__ import annotations

from terminal.picture.glance import Glance
from terminal.picture.records import PanelFace

_ORDINARY = ("lost", "unreachable")
"""Causes that pass by themselves: of a player at the table nothing is asked."""


def panel(now: Glance) -> PanelFace | None:
    """What is wrong; None while play goes on."""
    if now.stale:
        return _offline(now)
    return _paused(now) if now.paused else None


def _offline(now: Glance) -> PanelFace:
    words, seconds = now.words, now.age // 1000
    if now.link.state == "connecting":
        title = words.text("offline.catching_up")
        return PanelFace(title, (words.text("offline.catching_up_do"), *_sent(now)), True, title)
    cause, kept = now.link.cause, now.selected and now.pending is None
    lines = (words.text("offline.old_kept" if kept else "offline.old", seconds=seconds), *_sent(now))
    if len(lines) < 2:
        known = words.catalogue.has(cause) and cause not in _ORDINARY
        lines = (*lines, words.text(cause if known else "offline.kept"))
    return PanelFace(
        words.text("offline.title", seconds=seconds),
        lines,
        True,
        words.short("offline.title", seconds=seconds),
    )


def _sent(now: Glance) -> tuple[str, ...]:
    if now.pending is None or not now.pending.cards:
        return ()
    return (now.words.text("offline.sent", count=len(now.pending.cards)),)


def _paused(now: Glance) -> PanelFace:
    words = now.words
    key = f"paused.{now.paused}"
    cause = words.text(key if words.catalogue.has(key) else "paused.other")
    title = words.text("paused.title")
    return PanelFace(title, (cause, words.text("paused.do")), False, f"{title} · {cause}")
