"""What touches do: selecting, playing, passing, choosing a reading, paying and returning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from broker.engine.cards import parse_cards
from broker.engine.game import DecisionKind
from tests.terminal.screens import states
from tests.terminal.screens.conftest import SIZES, Play
from tests.terminal.screens.scene import CHINESE_NAMES as NAMES
from tests.terminal.screens.scene import WORST_HAND, Scene

if TYPE_CHECKING:
    from tests.terminal.screens.stand import Stand


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def stand(play: Play, request: pytest.FixtureRequest) -> Stand:
    """Own turn to follow a full house of queens, with the worst hand; both sizes."""
    return play(states.STATES["follow"](NAMES), request.param)


def selected(stand: Stand) -> tuple[int, ...]:
    return stand.scene.session.selected


# --- selecting ---------------------------------------------------------------------------------


def test_a_tap_selects_a_card_and_a_second_one_puts_it_down(stand: Stand) -> None:
    (king,) = parse_cards("HK")
    (slot,) = stand.slots(king)
    stand.tap(stand.card(slot))
    assert selected(stand) == (king,)
    assert stand.page.hand.lifts[slot] > 0
    stand.tap(stand.card(slot))
    assert selected(stand) == ()


def test_every_card_of_a_full_hand_can_be_touched(stand: Stand) -> None:
    for place in range(27):
        stand.tap(stand.card(place))
        assert selected(stand) == (stand.page.hand.layout.slots[place].card,)
        stand.tap(stand.card(place))
    assert selected(stand) == ()


def test_of_two_equal_cards_the_touched_one_is_raised(stand: Stand) -> None:
    first, second = stand.slots(*parse_cards("C5 C5"))
    stand.tap(stand.card(second))
    assert stand.page.hand.raised == {second}
    stand.tap(stand.card(first))
    assert stand.page.hand.raised == {first, second}
    stand.tap(stand.card(second))
    assert stand.page.hand.raised == {first}


def test_a_drag_toggles_each_card_once(stand: Stand) -> None:
    nine, eight, seven = stand.slots(*parse_cards("D9 C8 H7"))
    points = [stand.card(slot) for slot in (nine, eight, seven)]
    stand.drag((points[0], points[2], points[1], points[2]))
    assert set(selected(stand)) == set(parse_cards("D9 C8 H7"))
    stand.drag((points[2], points[0]))
    assert selected(stand) == ()


def test_a_column_s_head_selects_the_column_on_release(stand: Stand) -> None:
    hand = stand.page.hand
    (king,) = stand.slots(*parse_cards("SK"))
    head = hand.layout.head(hand.layout.slots[king].column, hand.lifts)
    stand.tap((head.x + head.w / 2, head.y + 4))
    assert selected(stand) == parse_cards("SK HK CK")
    head = hand.layout.head(hand.layout.slots[king].column, hand.lifts)
    stand.tap((head.x + head.w / 2, head.y + 4))
    assert selected(stand) == ()


def test_a_tap_beside_the_cards_selects_nothing(stand: Stand) -> None:
    zone = stand.page.zones.hand
    stand.tap((zone.x + 2, zone.top - 4))
    assert selected(stand) == ()


def test_two_providers_that_report_one_tap_select_once(stand: Stand) -> None:
    from kivy.tests.common import UnitTestTouch

    at = stand.card(stand.slots(*parse_cards("S2"))[0])
    for device, later in (("mouse", 0), ("mtdev", 40)):
        stand.scene.now += later
        touch = UnitTestTouch(*at)
        touch.device = device
        touch.touch_down()
        touch.touch_up()
    stand.redraw()
    assert selected(stand) == parse_cards("S2")


def test_cards_can_be_chosen_while_another_player_is_to_act(play: Play) -> None:
    stand = play(states.STATES["others-turn"](NAMES))
    stand.scene.session.clear()
    stand.redraw()
    stand.tap(stand.card(stand.slots(*parse_cards("SA"))[0]))
    assert selected(stand) == parse_cards("SA")
    stand.press(stand.page.controls.commit)
    assert "play" not in stand.scene.sent


# --- sorting -----------------------------------------------------------------------------------


def test_grouping_sets_chosen_cards_aside_and_undo_puts_them_back(stand: Stand) -> None:
    for slot in stand.slots(*parse_cards("S9 S8 S7")):
        stand.tap(stand.card(slot))
    stand.press(stand.page.controls.sorts[0])
    layout = stand.page.hand.layout
    assert {layout.slots[i].card for i in layout.members(0)} == set(parse_cards("S9 S8 S7"))
    assert selected(stand) == ()
    stand.press(stand.page.controls.sorts[2])
    assert stand.page.hand.groups == () and len(stand.page.hand.layout.slots) == 27


def test_the_straight_flush_button_goes_through_all_of_them(stand: Stand) -> None:
    button = stand.page.controls.sorts[1]
    count = len(stand.page.glances.now().flushes)
    seen = []
    for _ in range(count):
        stand.press(button)
        seen.append(selected(stand))
    assert count > 1 and len(set(seen)) == count
    assert all(stand.scene.session.options() or stand.scene.session.choose(cards) for cards in seen)
    stand.press(button)
    assert selected(stand) == seen[0]


# --- playing and passing -----------------------------------------------------------------------


def test_what_may_not_be_played_is_not_sent_and_says_why(stand: Stand) -> None:
    for slot in stand.slots(*parse_cards("SK HK CK")):
        stand.tap(stand.card(slot))
    assert not stand.page.controls.commit.enabled
    stand.press(stand.page.controls.commit)
    assert stand.scene.sent == ["hello"]
    assert any("三带对" in mark.text and "第 9 条" in mark.text for mark in stand.page.marks)


def test_play_sends_the_chosen_cards_and_shows_them_only_after_the_answer(stand: Stand) -> None:
    for slot in stand.slots(*parse_cards("SK HK CK C3 D3")):
        stand.tap(stand.card(slot))
    stand.press(stand.page.controls.commit)
    assert stand.scene.session.pending is not None
    assert len(stand.page.hand.layout.slots) == 27 and len(stand.page.hand.raised) == 5
    assert not stand.page.controls.commit.enabled
    stand.tap(stand.card(stand.slots(*parse_cards("S2"))[0]))
    assert set(selected(stand)) == set(parse_cards("SK HK CK C3 D3"))
    stand.serve()
    assert stand.scene.sent == ["hello", "play"]
    assert len(stand.page.hand.layout.slots) == 22
    assert stand.scene.session.view.public.laid[2].cards == parse_cards("SK HK CK C3 D3")


def test_a_control_acts_only_if_the_touch_ends_on_it(stand: Stand) -> None:
    passing = stand.page.controls.passing
    x, y = passing.rect.x + 5, passing.rect.y + 5
    stand.drag(((x, y), (x + 400, y + 200)))
    stand.drag(((x + 400, y), (x, y)))
    assert stand.scene.session.pending is None
    stand.press(passing)
    stand.serve()
    assert stand.scene.sent == ["hello", "pass"]


def test_pass_is_never_sent_while_cards_are_chosen(stand: Stand) -> None:
    stand.tap(stand.card(0))
    assert not stand.page.controls.passing.enabled
    stand.press(stand.page.controls.passing)
    assert stand.scene.session.pending is None
    stand.tap(stand.card(0))
    assert stand.page.controls.passing.enabled


def test_a_leader_cannot_pass(play: Play) -> None:
    stand = play(states.STATES["lead"](NAMES))
    assert not stand.page.controls.passing.enabled


def test_nothing_can_be_played_while_play_is_stopped_or_offline(play: Play) -> None:
    for name in ("paused", "offline-idle"):
        stand = play(states.STATES[name](NAMES))
        stand.scene.session.choose(parse_cards("SK HK CK C3 D3"))
        stand.redraw()
        assert not stand.page.controls.commit.enabled and not stand.page.controls.passing.enabled
        stand.clear()


def test_a_player_who_is_out_has_no_controls(play: Play) -> None:
    for size in SIZES:
        stand = play(states.STATES["finished"](NAMES), size)
        controls = stand.page.controls
        assert all(pane.face is None for pane in (controls.passing, *controls.sorts, controls.commit))
        stand.clear()


# --- nothing moves under a finger ----------------------------------------------------------------


def test_the_hand_is_not_laid_out_again_under_a_finger(stand: Stand) -> None:
    from kivy.tests.common import UnitTestTouch

    before = stand.page.hand.layout
    touch = UnitTestTouch(*stand.card(stand.slots(*parse_cards("S2"))[0]))
    touch.touch_down()
    fewer = tuple(card for card in WORST_HAND if card not in parse_cards("BJ LJ SA DA"))
    stand.scene.show(states.playing(fewer, turn=3), 20_000)
    stand.redraw()
    assert stand.page.hand.layout is before
    touch.touch_up()
    stand.redraw()
    assert len(stand.page.hand.layout.slots) == 23


def test_the_hand_stays_where_it_is_when_others_play(stand: Stand) -> None:
    before = stand.page.hand.layout
    stand.scene.show(states.others_turn_state().__class__(**_fields(states.FOLLOWING, turn=3)), 20_000)
    stand.redraw()
    assert stand.page.hand.layout is before


def _fields(state: object, **changes: object) -> dict[str, object]:
    names = state.__dataclass_fields__  # type: ignore[attr-defined]
    return {**{name: getattr(state, name) for name in names}, **changes}


# --- choice of a reading -------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", states.CHOICES)
def test_each_reading_is_offered_and_a_touch_plays_it(play: Play, size: tuple[int, int], name: str) -> None:
    wanted = len(states.choice_scene(name, NAMES).session.options())
    for place in range(wanted):
        stand = play(states.choice_scene(name, NAMES), size)
        options = stand.scene.session.options()
        stand.press(stand.page.controls.commit)
        assert stand.scene.session.pending is None and stand.page.choice.is_open
        stand.press(stand.page.choice.tiles[place])
        assert stand.scene.session.pending.reading == options[place]
        stand.serve()
        assert not stand.page.choice.is_open
        assert stand.scene.session.view.public.laid[2].reading == options[place]
        stand.clear()


def test_the_choice_can_be_left_without_playing(play: Play) -> None:
    stand = play(states.choice_scene("choice", NAMES))
    stand.press(stand.page.controls.commit)
    stand.press(stand.page.controls.back)
    assert not stand.page.choice.is_open and len(selected(stand)) == 6
    stand.tap(stand.card(stand.slots(*parse_cards("S7"))[0]))
    assert len(selected(stand)) == 5


def test_nothing_under_an_open_choice_is_touched_but_the_hand_is(play: Play) -> None:
    stand = play(states.choice_scene("choice", NAMES))
    stand.press(stand.page.controls.commit)
    stand.tap(stand.card(stand.slots(*parse_cards("S7"))[0]))
    assert len(selected(stand)) == 5 and not stand.page.choice.is_open


# --- tribute and return --------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_tribute_is_chosen_among_the_allowed_cards_only(play: Play, size: tuple[int, int]) -> None:
    stand = play(states.STATES["tribute-double"](NAMES), size)
    assert stand.scene.owes() is DecisionKind.TRIBUTE
    ace, ten, wild_ten = (stand.slots(*parse_cards(text))[0] for text in ("SA", "CT", "HT"))
    for slot in (ace, wild_ten):
        stand.tap(stand.card(slot))
        assert selected(stand) == parse_cards("ST")
    stand.tap(stand.card(ten))
    assert selected(stand) == parse_cards("CT")
    stand.press(stand.page.controls.commit)
    stand.serve()
    assert stand.scene.sent == ["hello", "pay_tribute"]


def test_a_card_is_returned(play: Play) -> None:
    stand = play(states.STATES["give-back-partner"](NAMES))
    assert stand.scene.owes() is DecisionKind.GIVE_BACK
    stand.tap(stand.card(stand.slots(*parse_cards("SA"))[0]))
    assert selected(stand) == parse_cards("D8")
    stand.tap(stand.card(stand.slots(*parse_cards("C4"))[0]))
    stand.press(stand.page.controls.commit)
    stand.serve()
    assert stand.scene.sent == ["hello", "give_back"]
    assert stand.scene.session.view.public.tribute.exchanges[0].returned == parse_cards("C4")[0]


def test_nothing_is_committed_before_a_card_is_chosen(play: Play) -> None:
    stand = play(states.STATES["give-back"](NAMES))
    stand.press(stand.page.controls.commit)
    assert stand.scene.session.pending is None


# --- before the game, language, notices ------------------------------------------------------------


def test_ready_is_told_once(play: Play) -> None:
    scene = Scene()
    scene.connect()
    scene.show(scene.state)
    stand = play(scene)
    stand.press(stand.page.ready)
    stand.serve()
    assert scene.ready == (2,) and not stand.page.ready.enabled
    stand.press(stand.page.ready)
    stand.serve()
    assert scene.sent == ["hello", "ready"]


def test_the_language_changes_on_the_spot(play: Play) -> None:
    stand = play(states.STATES["waiting"](NAMES))
    assert any(mark.text == "准备" for mark in stand.page.marks)
    stand.press(stand.page.language)
    assert any(mark.text == "Ready" for mark in stand.page.marks)
    stand.press(stand.page.language)
    assert any(mark.text == "准备" for mark in stand.page.marks)


def test_a_notice_goes_with_the_next_card_or_after_a_while(play: Play) -> None:
    stand = play(states.STATES["notice"](NAMES))
    assert any("时限" in mark.text for mark in stand.page.marks)
    stand.tap(stand.card(0))
    assert stand.scene.session.notice is None
    stand.clear()
    stand = play(states.STATES["notice"](NAMES))
    stand.scene.now += 8_001
    stand.redraw()
    stand.redraw()
    assert stand.scene.session.notice is None
