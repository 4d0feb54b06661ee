"""The panel of tribute and return, with its controls."""

from __future__ import annotations

from broker.engine.cards import Card, wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.rules import ReturnLimit
from broker.engine.guandan.views import Phase, TributeView
from broker.engine.seats import Seat, partner
from terminal.picture.glance import Glance
from terminal.picture.records import ButtonFace, ExchangeFace, PartyFace
from terminal.picture.stations import plate, relation
from terminal.wording import Note, by_order

_LIMITS = {
    ReturnLimit.ANY: "tribute.any",
    ReturnLimit.BELOW_A: "tribute.below_a",
    ReturnLimit.TEN_OR_LOWER: "tribute.ten_or_lower",
}


def exchange(now: Glance) -> ExchangeFace | None:
    """The panel while tributes are chosen or returned; None at any other time."""
    tribute = now.public.tribute
    if tribute is None:
        return None
    if now.public.phase is Phase.TRIBUTE:
        return _tribute(now, tribute)
    return _give_back(now, tribute) if now.public.phase is Phase.GIVING_BACK else None


def exchange_note(now: Glance) -> Note:
    """What may be handed over, or what is waited for."""
    words = now.words
    if now.stale:
        return Note(words.text("note.stale"), words.text("note.stale_do"))
    if now.notice is not None:
        return Note(words.notice(now.notice.key, now.notice.article, **now.notice.fields))
    if now.pending is not None:
        return Note(words.text("note.sent"))
    match now.owes:
        case DecisionKind.TRIBUTE:
            return _tribute_note(now)
        case DecisionKind.GIVE_BACK:
            return _return_note(now)
        case _:
            return Note(words.text("tribute.wait"), words.text("tribute.together"))


def exchange_commit(now: Glance) -> ButtonFace | None:
    """The button that hands the chosen card over; None while nothing is owed."""
    words = now.words
    if now.pending is not None:
        return ButtonFace(words.text("action.waiting"), "", "commit", enabled=False)
    if now.owes not in (DecisionKind.TRIBUTE, DecisionKind.GIVE_BACK):
        return None
    pays = now.owes is DecisionKind.TRIBUTE
    card = chosen_card(now)
    if card is None:
        return ButtonFace(words.text("action.pay_none" if pays else "action.give_none"), "", "commit", False)
    text = words.text("action.pay" if pays else "action.give", card=words.card(card))
    return ButtonFace(text, "", "commit", not now.stale and not now.paused)


def chosen_card(now: Glance) -> Card | None:
    """The one card that is selected and may be handed over."""
    if len(now.selected) == 1 and now.selected[0] in now.private.allowed:
        return now.selected[0]
    return None


def _tribute(now: Glance, tribute: TributeView) -> ExchangeFace:
    words = now.words
    double = len(tribute.payers) > 1
    payers = sorted(tribute.payers, key=lambda seat: seat != now.own)
    return ExchangeFace(
        title=words.text("tribute.title_double" if double else "tribute.title"),
        rule=words.text("tribute.rule_double" if double else "tribute.rule")
        + words.article(now.rules.articles.tribute),
        givers=tuple(_giver(now, seat, tribute, "tribute.payer") for seat in payers),
        takers=tuple(_taker(now, seat, "tribute.receiver") for seat in tribute.receivers),
        level=now.public.level,
    )


def _give_back(now: Glance, tribute: TributeView) -> ExchangeFace:
    words = now.words
    transfers = sorted(tribute.transfers, key=lambda one: now.own not in one)
    return ExchangeFace(
        title=words.text("tribute.give_title"),
        rule=words.text("tribute.rule_give") + words.article(now.rules.articles.give_back),
        givers=tuple(_giver(now, receiver, tribute, "tribute.receiver") for _, receiver in transfers),
        takers=tuple(_taker(now, payer, "tribute.payer") for payer, _ in transfers),
        level=now.public.level,
    )


def _giver(now: Glance, seat: Seat, tribute: TributeView, role: str) -> PartyFace:
    words = now.words
    face = plate(now, seat, _role(now, seat, role))
    together = words.text("tribute.together")
    if seat in tribute.chosen and seat != now.own:
        return PartyFace(
            face, None, words.text("card.chosen"), Note(words.text("tribute.confirmed"), together)
        )
    if seat != now.own:
        return PartyFace(face, None, "", Note(words.text("tribute.choosing")))
    if seat in tribute.chosen:
        return PartyFace(face, now.private.chosen, "", Note(_done(now), together))
    card = chosen_card(now)
    head = (
        words.text("tribute.please") if card is None else words.text("tribute.chosen", card=words.card(card))
    )
    return PartyFace(face, card, "", Note(head, _own_line(now, card)))


def _done(now: Glance) -> str:
    """What oneself has chosen and confirmed."""
    if now.private.chosen is None:
        return now.words.text("tribute.confirmed")
    paid = now.public.phase is Phase.TRIBUTE
    key = "tribute.done" if paid else "tribute.done_give"
    return now.words.text(key, card=now.words.card(now.private.chosen))


def _own_line(now: Glance, card: Card | None) -> str:
    if now.private.received is not None:
        return now.words.text("tribute.received", card=now.words.card(now.private.received))
    return "" if card is None else now.words.text("tribute.unconfirmed")


def _taker(now: Glance, seat: Seat, role: str) -> PartyFace:
    words = now.words
    line = ""
    if seat == now.own and now.private.chosen is not None:
        line = words.text("tribute.done", card=words.card(now.private.chosen))
    return PartyFace(
        plate(now, seat, _role(now, seat, role)), None, "", Note(words.text("tribute.hidden"), line)
    )


def _role(now: Glance, seat: Seat, role: str) -> str:
    words = now.words
    who = relation(now, seat) if seat == now.own else words.side(seat, now.own)
    return words.text(role, who=who)


def _tribute_note(now: Glance) -> Note:
    words = now.words
    allowed = by_order(now.private.allowed, now.public.level)
    head = words.short("tribute.only", cards=words.cards(allowed))
    article = words.article(now.rules.articles.tribute)
    has_wild = wild(now.public.level) in now.private.hand
    return Note(head, words.text("tribute.no_wild", article=article) if has_wild else "")


def _return_note(now: Glance) -> Note:
    words, tribute = now.words, now.public.tribute
    payer = next(
        (p for p, receiver in (tribute.transfers if tribute else ()) if receiver == now.own), now.own
    )
    limits = now.rules.return_to_partner, now.rules.return_to_opponent
    limit = limits[0] if payer == partner(now.own) else limits[1]
    return Note(
        words.text("tribute.give_to", seat=words.seat(payer), name=now.name(payer)),
        words.text(_LIMITS[limit], article=words.article(now.rules.articles.give_back)),
    )
