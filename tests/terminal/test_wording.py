"""Sentences: what is said of plays, seats and of selections that may not be played."""

from __future__ import annotations

import pytest

from broker.engine.cards import parse_cards, parse_rank
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading
from broker.engine.refusal import Reason, Refused
from terminal.i18n import load
from terminal.wording import Wording, by_order

ZH, EN = Wording(load("zh_CN")), Wording(load("en"))
TEN = parse_rank("T")
QUEENS = Reading(PlayType.FULL_HOUSE, parse_rank("Q"), 5)


@pytest.mark.parametrize(
    ("reading", "chinese", "english"),
    [
        (Reading(PlayType.SINGLE, TEN, 1), "单张 10", "Single 10"),
        (Reading(PlayType.SINGLE, 14, 1), "单张 大王", "Single Big"),
        (QUEENS, "三带对 Q", "Full house Q"),
        (Reading(PlayType.STRAIGHT, parse_rank("5"), 5), "顺子 A–5", "Straight A–5"),
        (Reading(PlayType.STRAIGHT, parse_rank("A"), 5), "顺子 10–A", "Straight 10–A"),
        (Reading(PlayType.TUBE, parse_rank("9"), 6), "三连对 7–9", "Tube 7–9"),
        (Reading(PlayType.PLATE, parse_rank("2"), 6), "三同连张 A–2", "Plate A–2"),
        (Reading(PlayType.BOMB, parse_rank("8"), 6), "6 张炸弹 8", "6-card bomb 8"),
        (Reading(PlayType.JOKER_BOMB, NO_RANK, 4), "四大天王", "Four jokers"),
    ],
)
def test_a_play_is_named_with_what_decides_it(reading: Reading, chinese: str, english: str) -> None:
    assert ZH.play(reading) == chinese
    assert EN.play(reading) == english


@pytest.mark.parametrize(
    ("cards", "head", "line"),
    [
        ("SK HK CK", "三张 K：不能跟三带对", "须三带对大于 Q，或炸弹（第9条）"),
        ("SJ HJ CJ S3 D3", "三带对 J：不大于桌上的牌", "须三带对大于 Q，或炸弹（第9条）"),
    ],
)
def test_what_does_not_beat_says_why_and_what_would(cards: str, head: str, line: str) -> None:
    refused = Refused(Reason.DOES_NOT_BEAT, "9")
    assert ZH.problem(refused, parse_cards(cards), TEN, QUEENS) == (head, line)


def test_a_bomb_that_is_too_low_needs_a_higher_one() -> None:
    bomb = Reading(PlayType.BOMB, parse_rank("8"), 4)
    note = ZH.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("S7 H7 C7 D7"), TEN, bomb)
    assert note == ("4 张炸弹 7：不大于桌上的牌", "须更大的炸弹（第9条）")


def test_nothing_beats_four_jokers() -> None:
    jokers = Reading(PlayType.JOKER_BOMB, NO_RANK, 4)
    note = EN.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("S7 H7 C7 D7"), TEN, jokers)
    assert note.line == "Nothing beats four jokers (art. 9)"


def test_a_selection_that_is_no_play_says_so() -> None:
    note = ZH.problem(Refused(Reason.NOT_A_PLAY, "8"), parse_cards("S7 S9"), TEN, None)
    assert note == ("所选 2 张不成牌型", "请改选（第8条）")


def test_an_article_that_is_not_there_is_not_named() -> None:
    assert ZH.article("-") == ZH.article("") == ""


@pytest.mark.parametrize(
    ("table", "name"), [("t12", "12 号桌"), ("table-007", "7 号桌"), ("final", "牌桌 final")]
)
def test_a_table_goes_by_its_number(table: str, name: str) -> None:
    assert ZH.table(table) == name


def test_relations_go_round_in_playing_order() -> None:
    assert [ZH.relation((3 + i) % 4, 3) for i in range(4)] == ["您", "下家", "对家", "上家"]
    assert [ZH.side(seat, 0) for seat in (1, 2, 3)] == ["对方", "同伴", "对方"]


def test_a_notice_nobody_knows_is_still_announced() -> None:
    assert ZH.notice("lunch_is_served", "") == ZH.text("unknown_notice")
    assert ZH.notice("timed_out", "6").endswith("（第6条）")


def test_cards_are_named_with_their_suit_from_the_highest() -> None:
    hand = parse_cards("D2 ST BJ SA")
    assert [ZH.card(card) for card in by_order(hand, TEN)] == ["大王", "♠10", "♠A", "♦2"]
