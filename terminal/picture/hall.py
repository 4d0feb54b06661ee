"""Before the game: where one sits, who is there, and the rules in short."""

from __future__ import annotations

from broker.engine.guandan.rules import Rules
from broker.engine.seats import Seat, after, before, partner, side_of
from broker.protocol.messages import Seating
from terminal.picture.records import ButtonFace, HallFace, PlateFace
from terminal.session import Session
from terminal.wording import Note, Wording


def hall(session: Session, words: Wording) -> HallFace | None:
    """The hall; None before a seat is assigned."""
    seating, rules = session.seating, session.rules
    if seating is None or rules is None:
        return None
    around = _around(seating.seat)
    ready = session.ready_seats
    return HallFace(
        table=words.table(seating.table),
        seat=words.text("waiting.you_sit", seat=words.text(f"seat.long.{seating.seat}")),
        lines=_lines(words, seating, rules),
        state=_state(words, seating.seat, ready),
        plates=tuple(_plate(words, seating, seat) for seat in around),
        ready=tuple(seat in ready for seat in around),
        ready_words=(words.text("waiting.ready"), words.text("waiting.not_ready")),
        order=Note(
            words.text("waiting.order"),
            words.text("waiting.arrow").join(words.seat(seat) for seat in around),
        ),
        button=_button(session, words, seating.seat in ready),
    )


def _around(own: Seat) -> tuple[Seat, ...]:
    return (own, after(own), partner(own), before(own))


def _plate(words: Wording, seating: Seating, seat: Seat) -> PlateFace:
    own = seating.seat
    second = words.text("relation.own") if seat == own else words.side(seat, own)
    return PlateFace(words.seat(seat), seating.players[seat], second, side_of(seat) == side_of(own))


def _lines(words: Wording, seating: Seating, rules: Rules) -> tuple[str, ...]:
    own = seating.seat
    opponents = words.text("seats.joined").join(seating.players[seat] for seat in (before(own), after(own)))
    name = words.text(rules.name) if words.catalogue.has(rules.name) else rules.name
    return (
        words.text("plate.second", relation=name, side=_length(words, rules)),
        words.text("plate.second", relation=_first_limit(words, rules), side=_limit(words, rules)),
        words.text("waiting.partner", name=seating.players[partner(own)]),
        words.text("waiting.opponents", names=opponents),
    )


def _length(words: Wording, rules: Rules) -> str:
    if rules.deals_per_game is not None:
        return words.text("waiting.deals", deals=rules.deals_per_game)
    if rules.game_minutes is not None:
        return words.text("waiting.minutes", minutes=rules.game_minutes)
    return words.text("waiting.past_a")


def _limit(words: Wording, rules: Rules) -> str:
    return words.text("waiting.limit", seconds=rules.clock.play // 1000)


def _first_limit(words: Wording, rules: Rules) -> str:
    return words.text("waiting.first_limit", seconds=rules.clock.first_lead // 1000)


def _state(words: Wording, own: Seat, ready: tuple[Seat, ...]) -> str:
    if own not in ready:
        return words.text("waiting.please")
    missing = [seat for seat in _around(own) if seat not in ready]
    if not missing:
        return words.text("waiting.dealing")
    return words.text("waiting.for", seats=words.seats(missing))


def _button(session: Session, words: Wording, done: bool) -> ButtonFace:
    if done:
        return ButtonFace(words.text("action.ready_done"), "", "commit", enabled=False)
    if session.pending is not None:
        return ButtonFace(words.text("action.waiting"), "", "commit", enabled=False)
    return ButtonFace(words.text("action.ready"), "", "commit", session.link.state == "online")
