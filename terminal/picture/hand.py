"""The own hand: what may be done with its cards now."""

from __future__ import annotations

from broker.engine.guandan.views import Phase
from terminal.picture.glance import Glance
from terminal.picture.records import HandFace


def hand(now: Glance) -> HandFace:
    """The hand. Cards of an act that waits, or that all are shown later, stay raised as they were sent."""
    private, public = now.private, now.public
    if now.pending is not None and now.pending.cards:
        return HandFace(private.hand, public.level, now.pending.cards, "sent", private.allowed)
    if public.tribute is not None and now.own in public.tribute.chosen and private.chosen is not None:
        return HandFace(private.hand, public.level, (private.chosen,), "sent")
    if public.phase is Phase.PLAYING:
        return HandFace(private.hand, public.level, now.selected, "play")
    if private.allowed:
        return HandFace(private.hand, public.level, now.selected, "choose", private.allowed)
    return HandFace(private.hand, public.level, (), "rest")
