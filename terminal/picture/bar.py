"""The top bar: table, deal, levels, connection."""

from __future__ import annotations

from broker.engine.seats import opponents_of
from broker.protocol.messages import Seating
from terminal.picture.glance import Glance
from terminal.picture.records import BarFace
from terminal.state import LinkState
from terminal.wording import Wording


def table_bar(now: Glance, brief: bool = False) -> BarFace:
    """The bar at a table; ``brief``: with the short form of the deal's number."""
    words, public = now.words, now.public
    say = words.short if brief else words.text
    levels = public.levels
    return BarFace(
        title=words.table(now.seating.table),
        deal=_deal(now, brief),
        levels=(
            (say("bar.own"), words.level(levels[now.side]), "own"),
            (say("bar.level"), words.level(public.level), "level"),
            (say("bar.other"), words.level(levels[opponents_of(now.side)]), "other"),
        ),
        link=now.link.state,
        link_text=words.text(f"link.{now.link.state}"),
    )


def hall_bar(words: Wording, seating: Seating | None, link: LinkState) -> BarFace:
    """The bar before the game: the event, if it is known. What never was cannot be broken."""
    if seating is None:
        state = words.text("link.unknown" if link.state == "offline" else f"link.{link.state}")
        return BarFace("", "", (), link.state, state)
    title = words.text("waiting.event", event=seating.event, round=seating.round)
    return BarFace(title, "", (), link.state, words.text(f"link.{link.state}"))


def _deal(now: Glance, brief: bool) -> str:
    say = now.words.short if brief else now.words.text
    if not now.public.deal:
        return ""
    if now.public.deals_per_game is None:
        return say("bar.deal_open", deal=now.public.deal)
    return say("bar.deal", deal=now.public.deal, of=now.public.deals_per_game)
