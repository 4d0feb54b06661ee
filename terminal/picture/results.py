"""Results: of a deal, and of the game."""

from __future__ import annotations

from broker.engine.guandan.events import DealEnded, GameEnded
from broker.engine.seats import SEATS, Seat, opponents_of, side_of
from terminal.picture.glance import Glance
from terminal.picture.records import LadderFace, ResultFace, RowFace
from terminal.wording import Note


def deal_result(now: Glance) -> ResultFace | None:
    """The result of the deal that has just ended; None if there is none to show."""
    ended = now.public.result
    if ended is None:
        return None
    words = now.words
    who = words.text("result.own_wins" if ended.winner == now.side else "result.other_wins")
    return ResultFace(
        title=words.text("result.title", deal=ended.deal),
        summary=words.text("result.summary", who=who, how=_how(now, ended)),
        rows=_rows(now, ended.order),
        ladders=_ladders(now, ended),
        next=_next(now, ended),
        heading=words.text("result.levels"),
        rows_heading=words.text("result.places" if ended.order else "result.no_places"),
    )


def game_result(now: Glance) -> ResultFace | None:
    """The result of the game; None while it goes on."""
    game, ended = now.public.game, now.public.result
    if game is None:
        return None
    words, other = now.words, opponents_of(now.side)
    cause = words.text(f"game.cause.{game.cause.value}", deals=now.public.deal)
    score = (
        (words.text("bar.own"), str(game.score[now.side]), True),
        (words.text("bar.other"), str(game.score[other]), False),
    )
    return ResultFace(
        title=words.text("game.title"),
        summary=words.text("result.summary", who=words.text(_winner(now, game)), how=cause),
        rows=_rows(now, ended.order) if ended else (),
        ladders=tuple(_ladder(now, side, game.levels[side], game.levels[side]) for side in (now.side, other)),
        next=Note(words.text("game.kept")),
        score=score,
        heading=words.text("game.score"),
        rows_heading=words.text("game.last_deal"),
    )


def _winner(now: Glance, game: GameEnded) -> str:
    if game.winner is None:
        return "game.draw"
    return "game.own_wins" if game.winner == now.side else "game.other_wins"


def _how(now: Glance, ended: DealEnded) -> str:
    """The places of the winners, and by how much their level rose."""
    words = now.words
    return words.text("result.how", places=words.text(_places(ended)), rise=_rise(now, ended))


def _rise(now: Glance, ended: DealEnded) -> str:
    """What was won: levels as far as there were any to climb; at a fixed level what it counts."""
    words = now.words
    if now.rules.level_fixed is not None:
        return words.text("result.counts", rise=ended.rise)
    risen = ended.levels_after[ended.winner] - ended.levels_before[ended.winner]
    return words.text("result.rises", rise=risen) if risen > 0 else words.text("result.stays")


def _places(ended: DealEnded) -> str:
    if not ended.order:
        return "result.lost"
    if len(ended.order) == 2:
        return "result.double_down"
    return "result.third" if side_of(ended.order[2]) == ended.winner else "result.fourth"


def _rows(now: Glance, order: tuple[Seat, ...]) -> tuple[RowFace, ...]:
    """Places as far as there are any; after a double-down the losers share the last two."""
    words = now.words
    placed = [(str(i), words.text(f"place.{i}"), seat) for i, seat in enumerate(order, 1)]
    if len(order) == 2:
        placed += [("–", words.text("result.shared"), seat) for seat in SEATS if seat not in order]
    return tuple(
        RowFace(place, number, words.seat(seat), now.name(seat), _side(now, seat), side_of(seat) == now.side)
        for number, place, seat in placed
    )


def _side(now: Glance, seat: Seat) -> str:
    words = now.words
    return words.text("relation.own") if seat == now.own else words.side(seat, now.own)


def _ladders(now: Glance, ended: DealEnded) -> tuple[LadderFace, ...]:
    sides = (now.side, opponents_of(now.side))
    return tuple(_ladder(now, side, ended.levels_before[side], ended.levels_after[side]) for side in sides)


def _ladder(now: Glance, side: int, before: int, after: int) -> LadderFace:
    words = now.words
    label = words.text("bar.own" if side == now.side else "bar.other")
    if told := _failed(now, side):
        label = words.text("result.summary", who=label, how=told)
    if now.public.game is not None:
        change = words.level(after)
    elif before == after:
        change = words.text("result.unchanged", level=words.level(after))
    else:
        change = words.text("result.rise", before=words.level(before), after=words.level(after))
    return LadderFace(label, change, before, after)


def _failed(now: Glance, side: int) -> str:
    """How often a side has failed at its own A, if that counts."""
    words, ended, failed = now.words, now.public.result, now.public.failed_a[side]
    if ended is not None and ended.demoted == side:
        return words.text("result.demoted")
    if failed and now.rules.failed_a_limit is not None:
        return words.text("result.failed_a", count=failed)
    return ""


def _next(now: Glance, ended: DealEnded) -> Note:
    """What the next deal plays and who pays."""
    words = now.words
    if ended.next_level is None:
        return Note(words.text("result.dealing"))
    head = words.text("result.next", level=words.level(ended.next_level))
    return Note(head, _payers(now, ended.order))


def _payers(now: Glance, order: tuple[Seat, ...]) -> str:
    words = now.words
    if not now.rules.tribute or not order:
        return words.text("result.no_tribute")
    if len(order) == 2:
        first, second = (words.seat(seat) for seat in SEATS if seat not in order)
        return words.text("result.pays_double", first=first, second=second)
    return words.text("result.pays", payer=words.seat(order[-1]), receiver=words.seat(order[0]))
