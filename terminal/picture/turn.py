"""Whose turn it is, and the own clock."""

from __future__ import annotations

from broker.engine.game import DecisionKind
from broker.engine.seats import Seat
from terminal.picture.glance import Glance
from terminal.picture.records import TurnFace
from terminal.wording import Note

LAST_SECONDS = 10
_TIMES = {
    DecisionKind.TRIBUTE: "turn.tribute_time",
    DecisionKind.GIVE_BACK: "turn.give_back_time",
}


def turn(now: Glance) -> TurnFace:
    """The turn at play."""
    words, acting = now.words, now.acting
    if now.own in acting:
        leads = now.owes is DecisionKind.LEAD
        head = words.text("turn.lead" if leads else "turn.yours")
        return _own_clock(now, head)
    seconds = now.seconds(acting[0]) if acting else None
    if now.is_out:
        place = words.text(f"place.{now.public.out.index(now.own) + 1}")
        return TurnFace(False, words.text("turn.finished", place=place), _waiting_for(now), seconds)
    return TurnFace(False, _waiting_for(now), seconds=seconds)


def decision_time(now: Glance) -> TurnFace | None:
    """The own clock under a panel; None while nothing is owed."""
    if now.own not in now.acting or now.owes is None:
        return None
    return _own_clock(now, now.words.text(_TIMES.get(now.owes, "turn.time")))


def edge(now: Glance) -> Seat | None:
    """The seat whose edge of the screen carries the bar: the own one first, none if several others act."""
    if now.stale or now.paused or not now.acting:
        return None
    if now.own in now.acting:
        return now.own
    return now.acting[0] if len(now.acting) == 1 else None


def _own_clock(now: Glance, head: str) -> TurnFace:
    clock, seconds = now.clocks.get(now.own), now.seconds(now.own)
    if clock is None or seconds is None:
        return TurnFace(True, head)
    whole = max(1, clock.limit // 1000)
    last = seconds <= LAST_SECONDS
    return TurnFace(True, head, _under(now, seconds, whole), seconds, min(1.0, seconds / whole), last)


def _under(now: Glance, seconds: int, whole: int) -> str:
    words = now.words
    if not now.clocks[now.own].running:
        return words.text("turn.stands")
    if seconds == 0:
        return words.text("turn.over")
    if seconds <= LAST_SECONDS:
        return words.text("turn.last")
    clock = now.rules.clock
    first = now.owes is DecisionKind.LEAD and whole * 1000 == clock.first_lead != clock.play
    return words.text("turn.lead_limit" if first else "turn.limit", seconds=whole)


def _waiting_for(now: Glance) -> str:
    if not now.acting:
        return ""
    seat = now.acting[0]
    key = "turn.other_leads" if now.public.open[0].kind is DecisionKind.LEAD else "turn.other"
    return now.words.text(key, seat=now.words.seat(seat), name=now.name(seat))


def exchange_note(now: Glance) -> Note | None:
    """What was exchanged with oneself, until the first trick has ended."""
    words = now.words
    for one in now.exchanged.exchanges if now.exchanged else ():
        cards = {"paid": words.card(one.paid), "returned": words.card(one.returned)}
        if one.payer == now.own:
            return Note(words.text("tribute.own_paid", seat=words.seat(one.receiver), **cards))
        if one.receiver == now.own:
            return Note(words.text("tribute.own_received", seat=words.seat(one.payer), **cards))
    return None
