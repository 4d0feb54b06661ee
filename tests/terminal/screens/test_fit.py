"""Nothing is cut, clipped or written over something else, in any state, size, language or scale."""

from __future__ import annotations

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


def _cards(a: object, b: object) -> bool:
    """Cards on the table lie over each other, and their signs with them."""
    return a is b and type(a).__name__ in ("LaidCards", "OptionTile")


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
