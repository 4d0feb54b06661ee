"""The note beside the controls: what is, then what to do."""

from __future__ import annotations

from broker.engine.cards import wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.combinations import Reading
from broker.engine.guandan.compare import bomb_class
from terminal.picture.glance import Glance
from terminal.picture.stations import laid
from terminal.picture.turn import exchange_note, turn
from terminal.wording import Note, is_highest


def note(now: Glance) -> Note:
    """The note at play; the most pressing thing wins."""
    words = now.words
    if now.stale and now.pending is None:
        return Note(words.text("note.stale"), words.text("note.stale_do"))
    if now.notice is not None:
        return Note(words.notice(now.notice.key, now.notice.article, **now.notice.fields))
    if now.pending is not None:
        return Note(words.text("note.sent"), words.text("note.sent_do"))
    if now.is_out:
        return Note(words.text("note.watch"))
    if now.owes is None:
        return _later(now)
    return _selection(now) if now.selected else _prompt(now)


def strip_note(now: Glance, yours: bool) -> Note:
    """The note in the strip of compact screens, which also tells the own last play."""
    if yours or now.notice is not None:
        return note(now)
    words = now.words
    if now.is_out:
        return Note("", turn(now).line)
    own, told = laid(now, now.own), exchange_note(now)
    if told is not None and not own.caption:
        return Note("", told.head)
    what = own.caption if own.cards and own.caption else own.word
    if not what:
        return Note("", note(now).line)
    return Note("", words.text("laid.own_top" if own.top else "laid.own", what=what))


def choice_note(now: Glance) -> str:
    """What is selected, while a reading is chosen."""
    wilds = now.selected.count(wild(now.public.level))
    return now.words.text(
        "note.choice_wild" if wilds else "note.choice", count=len(now.selected), wilds=wilds
    )


def _later(now: Glance) -> Note:
    words = now.words
    if now.selected:
        return Note(words.text("note.chosen", count=len(now.selected)), words.text("note.later"))
    told = exchange_note(now)
    return Note(told.head if told else turn(now).head, words.text("note.later_do"))


def _prompt(now: Glance) -> Note:
    words, table = now.words, now.to_beat
    if now.owes is DecisionKind.LEAD or table is None:
        told, free = exchange_note(now), words.text("note.lead")
        return Note(told.head, free) if told else Note(free)
    if now.must_pass:
        return Note(words.text("note.must_pass"), words.text("note.must_pass_do"))
    return Note(words.text("note.follow", play=words.named(table)), words.text(_follow(now, table)))


def _follow(now: Glance, table: Reading) -> str:
    """What may be done about a play that something in the hand beats."""
    if bomb_class(table) >= 0:
        return "note.follow_bomb"
    return "note.follow_only_bomb" if is_highest(table, now.public.level) else "note.follow_do"


def _selection(now: Glance) -> Note:
    words, table = now.words, now.to_beat
    if now.problem is not None:
        return words.problem(now.problem, now.selected, now.public.level, table)
    if len(now.options) > 1:
        return Note(words.text("note.ways", ways=len(now.options)), words.text("note.ways_do"))
    if not now.options:
        return Note(words.text("note.chosen", count=len(now.selected)))
    may = (
        words.text("note.may_lead") if table is None else words.text("note.may_beat", play=words.named(table))
    )
    return Note(words.play(now.options[0]), may)
