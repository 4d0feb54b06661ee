"""What the parts of the screen show, computed from a real session without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import parse_card, parse_cards, parse_rank, wild
from broker.engine.guandan.readings import readings
from broker.engine.guandan.state import Playing
from terminal.i18n import load
from terminal.picture.actions import play_actions
from terminal.picture.bar import table_bar
from terminal.picture.choice import MOST_OPTIONS, choice
from terminal.picture.exchange import exchange
from terminal.picture.glance import Glance, Glances
from terminal.picture.hall import hall
from terminal.picture.hand import hand
from terminal.picture.note import note
from terminal.picture.panel import panel
from terminal.picture.results import deal_result, game_result
from terminal.picture.stations import laid, plate
from terminal.picture.turn import edge, turn
from terminal.wording import Wording
from tests.terminal.screens import states
from tests.terminal.screens.scene import CHINESE_NAMES, Scene
from tests.terminal.screens.scene import laid as play_of

ZH = Wording(load("zh_CN"))


def seen(name: str) -> Glance:
    return look(states.STATES[name](CHINESE_NAMES))


def look(scene: Scene) -> Glance:
    now = Glances(scene.session, ZH).now()
    assert now is not None
    return now


# --- the players -----------------------------------------------------------------------------------


def test_a_count_is_shown_only_where_it_was_announced() -> None:
    now = seen("follow")
    assert [plate(now, seat).chip for seat in range(4)] == ["", "余 8", "", ""]


def test_a_player_who_is_out_shows_the_place() -> None:
    assert plate(seen("finished"), 2).chip == "上游"


def test_the_play_to_beat_is_marked_and_the_lead_too() -> None:
    now = seen("follow")
    west, east = laid(now, 1), laid(now, 3)
    assert west.top == "最大" and east.top == ""
    assert east.caption == "三带对 7 · 首出" and west.caption == "三带对 Q"
    assert laid(now, 0).word == "不出"


def test_a_wild_lies_in_the_place_it_stands_for() -> None:
    west = laid(seen("follow"), 1)
    assert [card.card for card in west.cards] == list(parse_cards("CQ DQ")) + [
        parse_card(text) for text in ("HT", "S6", "C6")
    ]
    assert [card.stands_for for card in west.cards] == ["", "", "作Q", "", ""]


def test_a_sequence_lies_in_its_order() -> None:
    straight = play_of(1, "SA D2 C3 H4 S5", level=6)
    scene = Scene()
    scene.connect()
    state = states.playing(parse_cards("S2"), (None, straight, None, None), straight)
    scene.show(replace(state, standing=replace(state.standing, level=6)))
    assert [ZH.card(card.card) for card in laid(look(scene), 1).cards] == ["♠A", "♦2", "♣3", "♥4", "♠5"]


def test_a_play_that_its_player_has_passed_since_is_dimmed() -> None:
    north = laid(seen("others-turn"), 0)
    assert north.word == "不出" and all(card.dimmed for card in north.cards)
    assert laid(seen("others-turn"), 1).word == "停一手"


def test_what_was_exchanged_is_shown_to_all_until_the_first_play() -> None:
    now = seen("exchanged")
    shown = [(ZH.card(laid(now, seat).cards[0].card), laid(now, seat).word) for seat in range(4)]
    assert shown == [("♠A", "进贡给西"), ("♦4", "还给北"), ("♠10", "进贡给东"), ("♣3", "还给您")]
    assert note(now) == ("进贡 ♠10 给东，收到还牌 ♣3", "可出任意牌型")


def test_an_exchange_stays_in_sight_over_the_first_trick() -> None:
    scene = states.STATES["exchanged"](CHINESE_NAMES)
    glances = Glances(scene.session, ZH)
    assert glances.now() is not None
    led = play_of(2, "SA HA CA S5 D5")
    scene.show(states.playing(states.EXCHANGED_HAND, (None, None, led, None), led, turn=3, leader=2), 9_000)
    now = glances.now()
    assert now is not None and now.public.tribute is None
    assert (laid(now, 0).word, laid(now, 3).word, laid(now, 2).word) == ("进贡给西", "还给您", "")
    assert note(now).head == "进贡 ♠10 给东，收到还牌 ♣3"
    scene.show(states.playing(states.EXCHANGED_HAND, turn=3), 9_000)
    now = glances.now()
    assert now is not None and not any(laid(now, seat).word for seat in range(4))


def test_a_card_that_is_given_stays_raised_until_it_is_shown() -> None:
    face = hand(seen("tribute-paid"))
    assert (face.mode, face.selected) == ("sent", parse_cards("CT"))


def test_a_tribute_that_has_left_the_hand_raises_no_other_card() -> None:
    """The payer holds another card of that face while the receiver chooses what to give back."""
    transfers = (states.Transfer(2, 3, parse_card("SA")), states.Transfer(0, 1, parse_card("SK")))
    scene = states.STATES["give-back"](CHINESE_NAMES)
    scene.show(states.give_back(transfers), 9_000)
    face = hand(look(scene))
    assert parse_card("SA") in face.hand and face.selected == ()


def test_jokers_that_cancel_a_tribute_are_shown_with_their_holders() -> None:
    now = seen("resisted")
    assert [len(laid(now, seat).cards) for seat in range(4)] == [1, 0, 1, 0]


# --- the turn ------------------------------------------------------------------------------------


def test_the_own_turn_is_told_in_words_numeral_and_bar() -> None:
    now = seen("follow")
    face = turn(now)
    assert (face.yours, face.head, face.seconds, face.last) == (True, "轮到您", 24, False)
    assert edge(now) == 2


def test_another_s_turn_fills_that_plate_and_moves_the_bar() -> None:
    now = seen("others-turn")
    assert turn(now).head == "轮到 东 陈国强" and not turn(now).yours
    assert [plate(now, seat).acting for seat in range(4)] == [False, False, False, True]
    assert plate(now, 3).seconds == 14 and edge(now) == 3


def test_of_several_who_are_to_act_the_own_edge_carries_the_bar_or_none() -> None:
    scene = states.STATES["tribute"](CHINESE_NAMES)
    scene.show(states.tribute((0, 2), (1, 3)), 12_000)
    now = look(scene)
    assert now.acting == (0, 2) and edge(now) == 2
    now = seen("awaiting-return")
    assert len(now.acting) == 2 and edge(now) is None


@pytest.mark.parametrize(("left", "seconds", "last"), [(10_001, 11, False), (10_000, 10, True), (1, 1, True)])
def test_seconds_are_rounded_up_and_the_last_ten_stand_out(left: int, seconds: int, last: bool) -> None:
    scene = states.STATES["follow"](CHINESE_NAMES)
    scene.show(states.FOLLOWING, left)
    face = turn(look(scene))
    assert (face.seconds, face.last) == (seconds, last)


def test_the_clock_runs_between_two_looks_without_a_message() -> None:
    scene = states.STATES["follow"](CHINESE_NAMES)
    glances = Glances(scene.session, ZH)
    before = glances.now()
    scene.now += 5_000
    after = glances.now()
    assert before and after and before.seconds(2) == 24 and after.seconds(2) == 19


def test_a_stopped_clock_says_so() -> None:
    scene = states.STATES["follow"](CHINESE_NAMES)
    scene.show(states.FOLLOWING, 17_000, running=False)
    scene.now += 9_000
    assert turn(look(scene)).seconds == 17 and turn(look(scene)).line == "计时暂停"


# --- honesty about the connection ------------------------------------------------------------------


def test_a_lost_connection_shows_its_age_and_nobody_s_turn() -> None:
    now = seen("offline-idle")
    face = panel(now)
    assert face is not None and "23 秒" in face.title and face.alarm
    assert edge(now) is None and not any(plate(now, seat).acting for seat in range(4))
    assert table_bar(now).link == "offline"


def test_an_act_on_its_way_is_told_and_never_shown_as_done() -> None:
    now = seen("offline")
    face = panel(now)
    assert face is not None and any("5 张已发出" in line for line in face.lines)
    assert hand(now).mode == "sent" and len(hand(now).hand) == 27
    assert laid(now, 2).cards == ()


def test_a_stoppage_of_unknown_cause_is_told_too() -> None:
    scene = states.STATES["follow"](CHINESE_NAMES)
    scene.show(states.FOLLOWING, 17_000, paused="fire_drill")
    face = panel(look(scene))
    assert face is not None and face.lines[0] == "请等候裁判" and not face.alarm


# --- controls ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "passing", "commit"),
    [
        ("follow", True, False),
        ("illegal", False, False),
        ("playable", False, True),
        ("lead", False, False),
        ("others-turn", False, False),
        ("pending", False, False),
        ("paused", False, False),
        ("offline-idle", False, False),
    ],
)
def test_pass_and_play_are_possible_only_when_they_count(name: str, passing: bool, commit: bool) -> None:
    face = play_actions(seen(name), has_groups=False)
    assert (face.passing.enabled, face.commit.enabled) == (passing, commit)


def test_a_disabled_pass_says_what_to_do_first() -> None:
    assert play_actions(seen("illegal"), False).passing.sub == "先放下所选"


def test_a_leader_is_told_why_there_is_no_pass() -> None:
    assert play_actions(seen("lead"), False).passing.sub == "领出须出牌"


def test_what_only_a_bomb_beats_says_so() -> None:
    assert note(seen("highest")) == ("须大于大王", "只能出炸弹，或按“不出”")
    assert note(seen("highest-illegal")).line == "须出炸弹（第 9 条）"


def test_a_choice_is_said_to_be_kept_only_if_there_is_one() -> None:
    scene = states.STATES["offline-idle"](CHINESE_NAMES)
    before = panel(look(scene))
    assert before is not None and before.lines[0].endswith("您的选牌保留")
    scene.session.clear()
    after = panel(look(scene))
    assert after is not None and after.lines[0] == "显示的是 23 秒前的牌局"


def test_every_reading_has_its_own_picture() -> None:
    face = choice(look(states.choice_scene("choice-most", CHINESE_NAMES)))
    assert len(face.options) == 6
    assert len({option.name for option in face.options}) == 6
    assert all(len(option.cards) == 5 for option in face.options)


@given(st.integers(0, 12), st.integers(1, 2), st.data())
def test_the_panel_of_readings_has_room_for_all(level: int, wilds: int, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from((5, 6)))
    suit, low = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 12))
    near = st.integers(0, 5).map(lambda step: suit * 13 + (low + step) % 13)
    naturals = data.draw(st.lists(near, min_size=size - wilds, max_size=size - wilds))
    assert len(readings(tuple(sorted([*naturals, *[wild(level)] * wilds])), level)) <= MOST_OPTIONS


def test_a_chosen_tribute_of_another_stays_face_down() -> None:
    face = exchange(seen("tribute-double"))
    assert face is not None
    own, partner = face.givers
    assert own.card == parse_card("ST") and partner.card is None and partner.back == "已选"
    assert all(taker.card is None for taker in face.takers)


# --- before and after ------------------------------------------------------------------------------


def test_the_hall_says_who_is_waited_for() -> None:
    scene = states.STATES["waiting-ready"](CHINESE_NAMES)
    face = hall(scene.session, ZH)
    assert face is not None and face.state == "等待 东" and not face.button.enabled
    assert face.order.line == "南→东→北→西"


def test_the_result_of_a_deal_has_places_levels_and_what_comes_next() -> None:
    face = deal_result(seen("result"))
    assert face is not None and face.summary == "我方胜 · 上游和三游，升 2 级"
    assert [row.place for row in face.rows] == ["上游", "二游", "三游", "下游"]
    assert [ladder.change for ladder in face.ladders] == ["10 → Q", "8 不变"]
    assert face.next.head == "下一副打 Q" and face.next.line.startswith("西向南进贡")


def test_the_rise_is_what_the_level_rose_by() -> None:
    king, past = parse_rank("K"), states.ended((2, 0), 4, (11, 6), (12, 6))
    assert past.levels_before[0] == king
    scene = states.STATES["result"](CHINESE_NAMES)
    scene.show(states.between(past))
    face = deal_result(look(scene))
    assert face is not None and face.summary == "我方胜 · 双下，升 1 级"
    failed = deal_result(seen("result-failed-a"))
    assert failed is not None and failed.summary == "我方胜 · 上游和下游，级数不变"
    assert failed.ladders[0].label == "我方 · A 未过 2 次"


def test_a_side_sent_back_to_2_is_told_so_and_who_pays_too() -> None:
    face = deal_result(seen("result-demoted"))
    assert face is not None and face.ladders[0].label == "我方 · 三次未过 A"
    assert face.next == ("下一副打 10", "南向西进贡；持双大王则抗贡")


def test_after_a_double_down_the_last_two_places_are_shared() -> None:
    face = deal_result(seen("result-double-down"))
    assert face is not None and [row.place for row in face.rows] == ["上游", "二游", "末两位", "末两位"]


def test_a_deal_lost_by_ruling_has_no_places() -> None:
    face = deal_result(seen("result-ruling"))
    assert face is not None and face.rows == () and face.next.line == "不进贡"
    assert face.rows_heading == "本副由裁判判定，不计名次"


def test_the_result_of_a_game_has_the_score_of_both_sides() -> None:
    face = game_result(seen("game"))
    assert face is not None and face.score == (("我方", "17", True), ("对方", "9", False))
    past_a = game_result(seen("game-past-a"))
    assert past_a is not None and past_a.ladders[1].change == "过 A"
    draw = game_result(seen("game-draw"))
    assert draw is not None and draw.summary.startswith("平局")


def test_hidden_cards_of_others_change_nothing_on_the_screen() -> None:
    scene = states.STATES["follow"](CHINESE_NAMES)
    before = [plate(look(scene), seat) for seat in range(4)], [laid(look(scene), seat) for seat in range(4)]
    state = states.FOLLOWING
    assert isinstance(state, Playing)
    swapped = (state.hands[3][::-1], state.hands[0], state.hands[2], parse_cards("BJ BJ"))
    scene.show(replace(state, hands=swapped), 24_000)
    after = [plate(look(scene), seat) for seat in range(4)], [laid(look(scene), seat) for seat in range(4)]
    assert before == after
