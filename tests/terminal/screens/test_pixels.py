"""What is really drawn: colours of single pixels, movement, and other sizes of the window."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

import pytest

from broker.engine.cards import parse_cards
from terminal.theme import FOUR_COLOURS, LIVE, STALE, Colour, Theme
from tests.terminal.screens import states
from tests.terminal.screens.conftest import SIZES, Play
from tests.terminal.screens.scene import CHINESE_NAMES as NAMES

if TYPE_CHECKING:
    from tests.terminal.screens.stand import Stand


class Picture:
    """The pixels of what a stand shows; without ``redraw`` as the next frame has them."""

    def __init__(self, stand: Stand, redraw: bool = True) -> None:
        if redraw:
            stand.redraw()
        stand.frame()
        texture = stand.stage.export_as_image().texture
        self._width, self._height = texture.size
        self._pixels: bytes = texture.pixels

    def at(self, x: float, y: float) -> tuple[int, ...]:
        """Red, green, blue at a point counted from the lower left."""
        start = ((self._height - 1 - int(y)) * self._width + int(x)) * 4
        return tuple(self._pixels[start : start + 3])

    def colours(self, x: float, y: float, width: float, height: float) -> set[tuple[int, ...]]:
        """All colours in a rectangle."""
        return {self.at(x + i, y + k) for i in range(int(width)) for k in range(int(height))}


def rgb(colour: Colour) -> tuple[int, ...]:
    return tuple(round(channel * 255) for channel in colour[:3])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_chosen_card_has_another_ground_and_a_border(play: Play, size: tuple[int, int]) -> None:
    stand = play(states.STATES["follow"](NAMES), size)
    (slot,) = stand.slots(*parse_cards("S2"))
    rect = stand.page.hand.layout.slots[slot].rect
    middle, edge = (rect.x + rect.w * 0.2, rect.y + rect.h * 0.4), (rect.x + rect.w / 2, rect.top - 1)
    assert Picture(stand).at(*middle) == rgb(LIVE.card)
    stand.tap(stand.card(slot))
    picture = Picture(stand)
    assert picture.at(*middle) == rgb(LIVE.chosen)
    lift = stand.page.hand.layout.lift
    assert picture.at(edge[0], edge[1] + lift - 1) == rgb(LIVE.accent)


def test_a_touched_card_is_chosen_in_the_next_frame(play: Play) -> None:
    from kivy.tests.common import UnitTestTouch

    stand = play(states.STATES["follow"](NAMES))
    (slot,) = stand.slots(*parse_cards("S2"))
    rect = stand.page.hand.layout.slots[slot].rect
    UnitTestTouch(*stand.card(slot)).touch_down()
    picture = Picture(stand, redraw=False)
    assert picture.at(rect.x + rect.w * 0.2, rect.y + rect.h * 0.5) == rgb(LIVE.chosen)
    assert any("1 张不成" in mark.text or "单张" in mark.text for mark in stand.page.marks)


def test_the_own_turn_is_amber_at_the_lower_edge_and_elsewhere_on_another_s(play: Play) -> None:
    own = Picture(play(states.STATES["follow"](NAMES)))
    assert own.at(640, 2) == rgb(LIVE.accent)
    other = Picture(play(states.STATES["others-turn"](NAMES)))
    assert other.at(640, 2) != rgb(LIVE.accent)
    assert other.at(1278, 400) == rgb(LIVE.accent)


def test_the_action_bar_is_flat_to_its_corners(play: Play) -> None:
    picture = Picture(play(states.STATES["others-turn"](NAMES)))
    height = Theme(1280, 800, 149.0).height * 11 // 100
    assert picture.at(0, height - 1) == picture.at(0, 0) == rgb(LIVE.bar)


def test_nobody_s_points_stand_out_in_a_draw(play: Play) -> None:
    for name, stands_out in (("game", True), ("game-draw", False)):
        stand = play(states.STATES[name](NAMES))
        rect = stand.page.score.rect
        colours = Picture(stand).colours(rect.x, rect.y, rect.w, rect.h)
        assert (rgb(LIVE.accent) in colours) == stands_out
        stand.clear()


def test_the_table_turns_grey_when_it_is_stale(play: Play) -> None:
    stand = play(states.STATES["follow"](NAMES))
    assert Picture(stand).at(5, 400) == rgb(LIVE.ground)
    stand.scene.session.offline("lost")
    picture = Picture(stand)
    assert picture.at(5, 400) == rgb(STALE.ground)
    (slot,) = stand.slots(*parse_cards("HQ"))
    rect = stand.page.hand.layout.slots[slot].rect
    assert rgb(STALE.suits[1]) in picture.colours(rect.x, rect.y, rect.w, rect.h)
    assert rgb(LIVE.suits[1]) not in picture.colours(rect.x, rect.y, rect.w, rect.h)


def test_four_colours_give_each_suit_its_own(play: Play) -> None:
    stand = play(states.STATES["follow"](NAMES), four_colours=True)
    picture = Picture(stand)
    for text, suit in (("S2", 0), ("HQ", 1), ("D6", 3)):
        (slot,) = stand.slots(*parse_cards(text))
        rect = stand.page.hand.layout.slots[slot].rect
        assert rgb(FOUR_COLOURS[suit]) in picture.colours(rect.x, rect.y, rect.w, rect.h), text


def test_the_font_has_every_sign_that_is_used(play: Play) -> None:
    """A sign that the font lacks looks like any other that it lacks."""
    from terminal.i18n import LANGUAGES, load
    from terminal.widgets import ink

    play(states.STATES["follow"](NAMES))
    missing = ink.line("\ue000", 40).texture.pixels
    catalogues = [load(language) for language in LANGUAGES]
    words = "".join(c.text(key, **dict.fromkeys(c.fields(key), "")) for c in catalogues for key in c.keys)
    signs = {sign for sign in words + "♠♥♣♦★☆×…–→·0123456789JQKA" if not sign.isspace()}
    assert not [sign for sign in sorted(signs) if ink.line(sign, 40).texture.pixels == missing]


def test_with_movement_a_card_glides_and_comes_to_the_same_place(play: Play) -> None:
    from kivy.clock import Clock

    stand = play(states.STATES["follow"](NAMES), movement=True)
    (slot,) = stand.slots(*parse_cards("S2"))
    stand.tap(stand.card(slot))
    card, lift = stand.page.hand.cards[slot], stand.page.hand.layout.lift
    assert stand.scene.session.selected == parse_cards("S2")
    assert card.height < lift
    for _ in range(400):
        sleep(0.005)
        Clock.tick()
        if card.height == lift:
            break
    assert card.height == lift


def test_a_second_touch_ends_a_movement_at_once(play: Play) -> None:
    stand = play(states.STATES["follow"](NAMES), movement=True)
    first, second = stand.slots(*parse_cards("S2 HQ"))
    stand.tap(stand.card(first))
    stand.tap(stand.card(second))
    assert stand.page.hand.cards[first].height == stand.page.hand.layout.lift
    assert set(stand.scene.session.selected) == set(parse_cards("S2 HQ"))


def test_another_size_of_the_window_lays_everything_out_anew(play: Play) -> None:
    stand = play(states.STATES["illegal"](NAMES))
    stand.stage.use(Theme(800, 480, 133.0), "en")
    stand.redraw()
    assert stand.page.seat.theme.width == 800
    assert len(stand.page.hand.raised) == 3
    assert any(mark.text == "Your turn" for mark in stand.page.marks)
