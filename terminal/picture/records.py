"""Records that widgets draw: equal records look the same, so nothing is drawn twice."""

from __future__ import annotations

from typing import NamedTuple

from broker.engine.cards import Card, Cards, Rank
from terminal.wording import Note


class BarFace(NamedTuple):
    """The top bar. ``link`` is online, connecting or offline."""

    title: str
    deal: str
    levels: tuple[tuple[str, str, str], ...]
    """Label, level, and look (own, level, other) of the three chips; none before a game."""
    link: str
    link_text: str


class PlateFace(NamedTuple):
    """The plate of a player."""

    seat: str
    name: str
    second: str
    own_side: bool
    brief: str = ""
    """The second line where that has no room."""
    chip: str = ""
    """Announced count or place."""
    seconds: int | None = None
    """Time left of a player who is to act."""
    acting: bool = False


class ShownCard(NamedTuple):
    """A card on the table. ``stands_for`` is the band of a wild, ``rank`` its short form."""

    card: Card
    stands_for: str = ""
    rank: str = ""
    dimmed: bool = False


class LaidFace(NamedTuple):
    """What lies before a player."""

    cards: tuple[ShownCard, ...] = ()
    word: str = ""
    """Instead of cards, or beside them."""
    caption: str = ""
    top: str = ""
    """The mark of the play to beat."""
    level: Rank = 0


class StationFace(NamedTuple):
    """One player at the table."""

    plate: PlateFace
    laid: LaidFace


class TurnFace(NamedTuple):
    """Whose turn it is, and the own clock."""

    yours: bool
    head: str
    line: str = ""
    seconds: int | None = None
    part: float = 1.0
    """Of the limit that is left."""
    last: bool = False
    """The last ten seconds."""


class ButtonFace(NamedTuple):
    """A control. ``look`` is commit, plain, outline or block; disabled ones have a dashed border."""

    text: str
    sub: str = ""
    look: str = "plain"
    enabled: bool = True


class ActionsFace(NamedTuple):
    """The action bar at play."""

    passing: ButtonFace
    sorts: tuple[ButtonFace, ButtonFace, ButtonFace]
    commit: ButtonFace
    note: Note


class OptionFace(NamedTuple):
    """One reading that may be chosen."""

    cards: tuple[ShownCard, ...]
    name: str


class ChoiceFace(NamedTuple):
    """The panel of readings."""

    title: str
    aside: str
    options: tuple[OptionFace, ...]
    button: str
    level: Rank


class PartyFace(NamedTuple):
    """One player of a tribute: the plate, what lies beside it, and what is said of that.

    ``card`` is None with ``back`` empty: a place that is to be filled.
    """

    plate: PlateFace
    card: Card | None
    back: str
    note: Note


class ExchangeFace(NamedTuple):
    """The panel of tribute or return: who hands a card to whom."""

    title: str
    rule: str
    givers: tuple[PartyFace, ...]
    takers: tuple[PartyFace, ...]
    level: Rank


class PanelFace(NamedTuple):
    """The panel that says what is wrong: connection or stoppage."""

    title: str
    lines: tuple[str, ...]
    alarm: bool
    short: str = ""


class HandFace(NamedTuple):
    """The own hand. ``mode``: play, choose (allowed cards only), sent or rest."""

    hand: Cards
    level: Rank
    selected: Cards
    mode: str
    allowed: Cards = ()


class LadderFace(NamedTuple):
    """The levels of one side: which were just climbed, and which is reached."""

    label: str
    change: str
    before: int
    after: int


class RowFace(NamedTuple):
    """One place of a result."""

    place: str
    number: str
    seat: str
    name: str
    side: str
    own_side: bool


class ResultFace(NamedTuple):
    """The result of a deal or a game."""

    title: str
    summary: str
    rows: tuple[RowFace, ...]
    ladders: tuple[LadderFace, ...]
    next: Note
    score: tuple[tuple[str, str, bool], ...] = ()
    """Label, points, whether it is the own side; for a game."""
    heading: str = ""
    """Over the right half."""
    rows_heading: str = ""


class HallFace(NamedTuple):
    """Before the game: where one sits and who is there."""

    table: str
    seat: str
    lines: tuple[str, ...]
    state: str
    plates: tuple[PlateFace, ...]
    """From the own seat on, in playing order."""
    ready: tuple[bool, ...]
    """By plate."""
    ready_words: tuple[str, str]
    order: Note
    button: ButtonFace
