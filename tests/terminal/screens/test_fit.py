"""Nothing is cut, clipped or written over something else, in any state, size, language or scale."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from terminal.layout import Rect
from tests.terminal.screens import states
from tests.terminal.screens.conftest import LANGUAGES, SIZES, Play
from tests.terminal.screens.scene import CHINESE_NAMES, ENGLISH_NAMES

if TYPE_CHECKING:
    from tests.terminal.screens.stand import Stand

NAMES = {"zh_CN": CHINESE_NAMES, "en": ENGLISH_NAMES}
PLAIN: dict[str, Any] = {}
LARGER: dict[str, Any] = {"text_scale": 1.25}
LARGEST: dict[str, Any] = {"text_scale": 1.5, "left_handed": True}
LARGE, SMALL = SIZES
CASES = [
    *((size, language, PLAIN) for size in SIZES for language in LANGUAGES),
    (LARGE, "en", LARGER),
    (LARGE, "en", LARGEST),
    (LARGE, "zh_CN", LARGEST),
    (SMALL, "en", LARGEST),
]


def shown(play: Play, name: str, size: tuple[int, int], language: str, looks: dict[str, Any]) -> Stand:
    names = NAMES[language]
    if name not in states.CHOICES:
        return play(states.STATES[name](names), size, language, **looks)
    stand = play(states.choice_scene(name, names), size, language, **looks)
    stand.press(stand.page.controls.commit)
    return stand


def texts(stand: Stand) -> list[tuple[object, Any]]:
    """Every text outside the hand, with the pane that it stands on."""
    found = []
    for widget in stand.page.walk(restrict=True):
        if widget not in (stand.page, getattr(stand.page, "hand", None)):
            found += [(widget, mark) for mark in getattr(widget, "marks", ())]
    return found


@pytest.mark.parametrize(("size", "language", "looks"), CASES)
def test_every_text_is_whole_and_stands_alone(
    play: Play, size: tuple[int, int], language: str, looks: dict[str, Any]
) -> None:
    screen = Rect(0, 0, *size)
    faults = []
    for name in (*states.STATES, *states.CHOICES):
        stand = shown(play, name, size, language, looks)
        placed = texts(stand)
        assert placed, name
        faults += [(name, "cut", mark.text) for _, mark in placed if mark.cut]
        faults += [
            (name, "off the screen", mark.text) for _, mark in placed if not screen.contains(mark.rect)
        ]
        faults += [
            (name, "overlap", one.text, other.text)
            for (a, one), (b, other) in combinations(placed, 2)
            if one.rect.inset(1).overlaps(other.rect.inset(1)) and not _cards(a, b)
        ]
        stand.clear()
    assert not faults


_ON_CARDS = re.compile(r"10|[2-9JQKA]|[♠♥♣♦★☆]|[级配LW]|大王|小王|Big|Small")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_but_signs_on_cards_is_smaller_than_18_sp(
    play: Play, size: tuple[int, int], language: str
) -> None:
    small = []
    for name in (*states.STATES, *states.CHOICES):
        stand = shown(play, name, size, language, PLAIN)
        least = 18 * stand.theme.density
        small += [
            (name, mark.text, mark.rect.h)
            for _, mark in texts(stand)
            if mark.rect.h < least - 0.1 and not _ON_CARDS.fullmatch(mark.text)
        ]
        stand.clear()
    assert not small


def _cards(a: object, b: object) -> bool:
    """Cards on the table lie over each other, and their signs with them."""
    return a is b and type(a).__name__ in ("LaidCards", "OptionTile")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["result", "result-double-down"])
def test_seats_and_names_of_a_result_stand_in_columns(play: Play, name: str, language: str) -> None:
    face = play(states.STATES[name](NAMES[language]), language=language).page.rows
    names = [mark for mark in face.marks if mark.text in NAMES[language]]
    seats = [mark for mark in face.marks if mark.text in {row.seat for row in face.face}]
    assert len(names) == len(seats) == 4
    assert len({round(mark.rect.x) for mark in names}) == 1
    assert max(_centre(mark) for mark in seats) - min(_centre(mark) for mark in seats) < 1


def _centre(mark: Any) -> float:
    return mark.rect.x + mark.rect.w / 2


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["offline-idle", "others-turn", "exchanged", "resisted"])
def test_nothing_lies_on_anything_else_between_the_plates(
    play: Play, size: tuple[int, int], name: str
) -> None:
    page = play(states.STATES[name](CHINESE_NAMES), size).page
    places = [
        place
        for spot, pane in page.laid.items()
        if pane.face is not None and pane.face.cards
        for place in (page.spots[spot].laid, page.spots[spot].caption)
        if place is not None
    ]
    places += [pane.rect for pane in page.plates.values() if pane.face is not None]
    assert len(places) > 3
    assert not [1 for one, other in combinations(places, 2) if one.overlaps(other)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["tall-hand", "tall-columns", "ways", "tribute-double"])
def test_rank_and_suit_of_every_card_in_the_hand_are_seen(
    play: Play, size: tuple[int, int], name: str
) -> None:
    hand = play(states.STATES[name](CHINESE_NAMES), size).page.hand
    for i, (slot, card) in enumerate(zip(hand.layout.slots, hand.cards, strict=False)):
        strip = slot.strip or slot.rect.h
        seen = Rect(slot.rect.x, slot.rect.top - strip, slot.rect.w, strip)
        corner = card.marks[: 1 if slot.card >= 52 else 2]
        for mark in corner:
            assert not mark.cut and seen.contains(mark.rect.inset(0, mark.rect.h * 0.14)), (name, i, mark)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["offline", "offline-idle", "paused", "playable"])
def test_panels_and_clocks_cover_no_card(play: Play, size: tuple[int, int], name: str) -> None:
    page = play(states.STATES[name](CHINESE_NAMES), size).page
    covers = [pane.rect for pane in (page.alert, page.numeral, page.turn) if pane.face is not None]
    assert covers
    laid = [laid.rect for laid in page.laid.values() if laid.face is not None and laid.face.cards]
    cards = [slot.rect.moved(0, page.hand.lifts[i]) for i, slot in enumerate(page.hand.layout.slots)]
    assert not [1 for cover in covers for card in (*laid, *cards) if cover.overlaps(card)]
