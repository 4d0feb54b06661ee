"""The panel of tribute and return, with its controls."""

from __future__ import annotations

from broker.engine.cards import Card, wild
from broker.engine.game import DecisionKind
from broker.engine.guandan.rules import ReturnLimit
from broker.engine.guandan.views import Phase, TributeView
from broker.engine.seats import Seat, partner
from terminal.picture.glance import Glance
from terminal.picture.records import ButtonFace, ExchangeFace, PartyFace, PlateFace
from terminal.picture.stations import plate, relation
from terminal.wording import Note, by_order

_LIMITS = {
    ReturnLimit.ANY: "tribute.any",
    ReturnLimit.BELOW_A: "tribute.below_a",
    ReturnLimit.TEN_OR_LOWER: "tribute.ten_or_lower",
}


def exchange(now: Glance, brief: bool = False) -> ExchangeFace | None:
    """The panel while tributes are chosen or returned; None at any other time. ``brief``: in short words."""
    tribute = now.public.tribute
    if tribute is None:
        return None
    if now.public.phase is Phase.TRIBUTE:
        return _tribute(now, tribute, brief)
    return _give_back(now, tribute, brief) if now.public.phase is Phase.GIVING_BACK else None


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


def _tribute(now: Glance, tribute: TributeView, brief: bool) -> ExchangeFace:
    words = now.words
    double = len(tribute.payers) > 1
    payers = sorted(tribute.payers, key=lambda seat: seat != now.own)
    return ExchangeFace(
        title=words.text("tribute.title_double" if double else "tribute.title"),
        rule=words.text("tribute.rule_double" if double else "tribute.rule")
        + words.article(now.rules.articles.tribute),
        givers=tuple(_giver(now, seat, _role(now, seat, "tribute.payer"), brief) for seat in payers),
        takers=tuple(
            _taker(now, seat, _role(now, seat, "tribute.receiver"), brief) for seat in tribute.receivers
        ),
        level=now.public.level,
    )


def _give_back(now: Glance, tribute: TributeView, brief: bool) -> ExchangeFace:
    words = now.words
    transfers = sorted(tribute.transfers, key=lambda one: now.own not in one)
    return ExchangeFace(
        title=words.text("tribute.give_title"),
        rule=words.text("tribute.rule_give") + words.article(now.rules.articles.give_back),
        givers=tuple(_giver(now, seat, _role(now, seat, "tribute.receiver"), brief) for _, seat in transfers),
        takers=tuple(_taker(now, seat, _role(now, seat, "tribute.payer"), brief) for seat, _ in transfers),
        level=now.public.level,
    )


def _giver(now: Glance, seat: Seat, role: str, brief: bool) -> PartyFace:
    """Who hands a card over; what others have chosen lies face down."""
    words, face = now.words, plate(now, seat, role)
    done = now.public.tribute is not None and seat in now.public.tribute.chosen
    if seat == now.own:
        return _own_giver(now, face, done, brief)
    if not done:
        return PartyFace(face, None, "", Note(words.text("tribute.choosing")))
    note = Note(words.text("tribute.confirmed"), words.short("tribute.together"))
    return PartyFace(face, None, words.text("card.chosen"), note)


def _own_giver(now: Glance, face: PlateFace, done: bool, brief: bool) -> PartyFace:
    words = now.words
    card = now.private.chosen if done else chosen_card(now)
    if card is None:
        head = words.text("tribute.confirmed" if done else "tribute.please")
    else:
        head = _about(now, _chosen(now) if done else "tribute.chosen", card, brief)
    line = words.text("tribute.unconfirmed") if card is not None else ""
    if done:
        line = words.short("tribute.together")
    elif now.private.received is not None:
        line = _about(now, "tribute.received", now.private.received, brief)
    return PartyFace(face, card, "", Note(head, line))


def _chosen(now: Glance) -> str:
    return "tribute.done" if now.public.phase is Phase.TRIBUTE else "tribute.done_give"


def _about(now: Glance, key: str, card: Card, brief: bool) -> str:
    say = now.words.short if brief else now.words.text
    return say(key, card=now.words.card(card, brief))


def _taker(now: Glance, seat: Seat, role: str, brief: bool) -> PartyFace:
    """Who will get a card; oneself is reminded of what was paid for it."""
    line = ""
    if seat == now.own and now.private.chosen is not None:
        line = _about(now, "tribute.gave", now.private.chosen, brief)
    return PartyFace(plate(now, seat, role), None, "", Note(now.words.text("tribute.hidden"), line))


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
