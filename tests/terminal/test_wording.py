"""Sentences: what is said of plays, seats and of selections that may not be played."""

from __future__ import annotations

import pytest

from broker.engine.cards import parse_cards, parse_rank
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading
from broker.engine.refusal import Reason, Refused
from terminal.i18n import load
from terminal.wording import Wording, by_order, is_highest

ZH, EN = Wording(load("zh_CN")), Wording(load("en"))
TEN = parse_rank("T")
QUEENS = Reading(PlayType.FULL_HOUSE, parse_rank("Q"), 5)


@pytest.mark.parametrize(
    ("reading", "chinese", "english"),
    [
        (Reading(PlayType.SINGLE, TEN, 1), "单张 10", "Single 10"),
        (Reading(PlayType.SINGLE, 14, 1), "大王", "Big joker"),
        (Reading(PlayType.PAIR, 13, 2), "对小王", "Pair of small jokers"),
        (QUEENS, "三带对 Q", "Full house Q"),
        (Reading(PlayType.STRAIGHT, parse_rank("5"), 5), "顺子 A–5", "Straight A–5"),
        (Reading(PlayType.STRAIGHT, parse_rank("A"), 5), "顺子 10–A", "Straight 10–A"),
        (Reading(PlayType.TUBE, parse_rank("9"), 6), "三连对 7–9", "Tube 7–9"),
        (Reading(PlayType.PLATE, parse_rank("2"), 6), "三同连张 A–2", "Plate A–2"),
        (Reading(PlayType.BOMB, parse_rank("8"), 6), "炸弹 6 张 8", "6-card bomb 8"),
        (Reading(PlayType.JOKER_BOMB, NO_RANK, 4), "四大天王", "Four jokers"),
    ],
)
def test_a_play_is_named_with_what_decides_it(reading: Reading, chinese: str, english: str) -> None:
    assert ZH.play(reading) == chinese
    assert EN.play(reading) == english


@pytest.mark.parametrize(
    ("cards", "head", "line"),
    [
        ("SK HK CK", "三张 K：不能跟三带对", "须大于三带对 Q，或出炸弹（第 9 条）"),
        ("SJ HJ CJ S3 D3", "三带对 J：不大于桌上的牌", "须大于三带对 Q，或出炸弹（第 9 条）"),
    ],
)
def test_what_does_not_beat_says_why_and_what_would(cards: str, head: str, line: str) -> None:
    refused = Refused(Reason.DOES_NOT_BEAT, "9")
    assert ZH.problem(refused, parse_cards(cards), TEN, QUEENS) == (head, line)


def test_a_bomb_that_is_too_low_needs_a_higher_one() -> None:
    bomb = Reading(PlayType.BOMB, parse_rank("8"), 4)
    note = ZH.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("S7 H7 C7 D7"), TEN, bomb)
    assert note == ("炸弹 4 张 7：不大于桌上的牌", "须更大的炸弹（第 9 条）")


def test_nothing_beats_four_jokers() -> None:
    jokers = Reading(PlayType.JOKER_BOMB, NO_RANK, 4)
    note = EN.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("S7 H7 C7 D7"), TEN, jokers)
    assert note.line == "Nothing beats four jokers (art. 9)"


@pytest.mark.parametrize(
    ("table", "only_bombs"),
    [
        (Reading(PlayType.SINGLE, 14, 1), True),
        (Reading(PlayType.SINGLE, 13, 1), False),
        (Reading(PlayType.PAIR, 14, 2), True),
        (Reading(PlayType.TRIPLE, TEN, 3), True),
        (Reading(PlayType.FULL_HOUSE, parse_rank("A"), 5), False),
        (Reading(PlayType.STRAIGHT, parse_rank("A"), 5), True),
        (Reading(PlayType.TUBE, parse_rank("K"), 6), False),
    ],
)
def test_where_no_play_of_the_kind_is_higher_only_a_bomb_is_named(table: Reading, only_bombs: bool) -> None:
    """At level 10: its rank is above A where ranks are compared, not in sequences."""
    note = ZH.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("S3"), TEN, table)
    assert (note.line == "须出炸弹（第 9 条）") == only_bombs
    assert is_highest(table, TEN) == only_bombs


def test_a_play_is_written_small_within_a_sentence() -> None:
    note = EN.problem(Refused(Reason.DOES_NOT_BEAT, "9"), parse_cards("SJ HJ CJ S3 D3"), TEN, QUEENS)
    assert note == ("Full house J is not higher", "Beat full house Q, or bomb it (art. 9)")


def test_chinese_has_no_blank_before_the_name_of_a_play() -> None:
    for key in ("note.follow", "note.may_beat", "note.beat_do"):
        assert "三带对 Q" in ZH.text(key, play=ZH.named(QUEENS), article="")
        assert " 三带对" not in ZH.text(key, play=ZH.named(QUEENS), article="")


def test_a_selection_that_is_no_play_says_so() -> None:
    note = ZH.problem(Refused(Reason.NOT_A_PLAY, "8"), parse_cards("S7 S9"), TEN, None)
    assert note == ("所选 2 张不成牌型", "请改选（第 8 条）")


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
    assert ZH.notice("timed_out", "6").endswith("（第 6 条）")


def test_cards_are_named_with_their_suit_from_the_highest() -> None:
    hand = parse_cards("D2 ST BJ SA")
    assert [ZH.card(card) for card in by_order(hand, TEN)] == ["大王", "♠10", "♠A", "♦2"]
