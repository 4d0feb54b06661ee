"""The players at the table: plates, and what lies before each."""

from __future__ import annotations

from broker.engine.cards import BIG_JOKER, RANK_OF, Card
from broker.engine.guandan.arrangement import arrange
from broker.engine.guandan.views import Act, Laid, Phase, TributeView
from broker.engine.seats import Seat, side_of
from terminal.picture.glance import Glance
from terminal.picture.records import LaidFace, PlateFace, ShownCard, StationFace
from terminal.wording import RANK_SIGNS, Wording


def station(now: Glance, seat: Seat, timed: bool = True) -> StationFace:
    """One player; ``timed``: with the time left on the plate of the one to act."""
    return StationFace(plate(now, seat, timed=timed), laid(now, seat))


def plate(now: Glance, seat: Seat, second: str = "", timed: bool = True) -> PlateFace:
    """The plate of a player; ``second`` instead of how the player stands to oneself."""
    words = now.words
    acting = seat in now.acting and now.public.phase is Phase.PLAYING
    return PlateFace(
        seat=words.seat(seat),
        name=now.name(seat),
        second=second or relation(now, seat),
        brief="" if second else _brief(now, seat),
        own_side=side_of(seat) == now.side,
        chip=_chip(now, seat),
        seconds=now.seconds(seat) if timed and acting and seat != now.own and not now.stale else None,
        acting=acting and seat != now.own and not now.stale,
    )


def relation(now: Glance, seat: Seat) -> str:
    """How a player stands to oneself."""
    words = now.words
    if seat == now.own:
        return words.text("relation.own")
    return words.text("plate.second", relation=words.relation(seat, now.own), side=words.side(seat, now.own))


def _brief(now: Glance, seat: Seat) -> str:
    """The one word that matters: the partner, or who plays before and after."""
    partnered = seat != now.own and side_of(seat) == now.side
    words = now.words
    return words.side(seat, now.own) if partnered else words.relation(seat, now.own)


def _chip(now: Glance, seat: Seat) -> str:
    public = now.public
    if seat in public.out:
        return now.words.text(f"place.{public.out.index(seat) + 1}")
    count = public.counts[seat]
    return "" if count is None else now.words.text("plate.count", count=count)


def laid(now: Glance, seat: Seat) -> LaidFace:
    """What lies before a player: the last play of the trick, or what was exchanged before the first."""
    public = now.public
    if public.phase is not Phase.PLAYING:
        return LaidFace(level=public.level)
    play, act = public.laid[seat], public.acts[seat]
    if now.exchanged is not None and play is None and act is None:
        return _exchanged(now, seat, now.exchanged)
    word = "" if act is None else now.words.text("laid.passed" if act is Act.PASSED else "laid.stopped")
    if play is None:
        return LaidFace(word=word, level=public.level)
    top = public.table is not None and public.table.seat == seat
    return LaidFace(
        cards=shown(play, now.words, public.level, dimmed=act is not None),
        word=word,
        caption=_caption(now, play),
        top=now.words.text("laid.top") if top else "",
        level=public.level,
    )


def shown(play: Laid, words: Wording, level: int, dimmed: bool = False) -> tuple[ShownCard, ...]:
    """The cards of a play in proper order, the wild in the place it stands for."""
    return tuple(_shown(card, face, words, dimmed) for card, face in arrange(play.cards, play.reading, level))


def _shown(card: Card, face: Card | None, words: Wording, dimmed: bool) -> ShownCard:
    if face is None:
        return ShownCard(card, dimmed=dimmed)
    rank = RANK_SIGNS[RANK_OF[face]]
    return ShownCard(card, words.text("card.stands_for", rank=rank), rank, dimmed)


def _caption(now: Glance, play: Laid) -> str:
    name = now.words.play(play.reading, short=True)
    if play.seat != now.public.leader:
        return name
    return now.words.text("plate.second", relation=name, side=now.words.text("laid.led"))


def _exchanged(now: Glance, seat: Seat, tribute: TributeView) -> LaidFace:
    """The card that a player handed over, or the jokers that it showed."""
    words, level = now.words, now.public.level
    for one in tribute.exchanges:
        if seat == one.payer:
            word = words.text("laid.paid", seat=words.seat_of(one.receiver, now.own))
            return LaidFace((ShownCard(one.paid),), word, level=level)
        if seat == one.receiver:
            word = words.text("laid.returned", seat=words.seat_of(one.payer, now.own))
            return LaidFace((ShownCard(one.returned),), word, level=level)
    held = next((joker.held for joker in tribute.jokers if joker.seat == seat), 0)
    if held:
        return LaidFace((ShownCard(BIG_JOKER),) * held, words.text("laid.resisted"), level=level)
    return LaidFace(level=level)
