"""A log in words: every kind of record has words in both languages."""

from __future__ import annotations

import json
import string

import pytest

from broker.engine.games import GAMES
from broker.protocol.codec import encode_event
from broker.protocol.happenings import HAPPENINGS
from broker.replay import _TEXTS, Language, lines

KINDS = {encode_event.__globals__["_KIND"][kind] for kind in HAPPENINGS} | {
    name for game in GAMES.values() for name in game.events
}


def record(n: int, kind: str, **body: object) -> bytes:
    return json.dumps({"n": n, "at": 0, "kind": kind, "body": body}).encode()


SEATED = [record(n, "seated", seat=n, player=name, device=f"d{n}") for n, name in enumerate("甲乙丙丁")]


def said(kind: str, language: Language, **body: object) -> str:
    return list(lines([*SEATED, record(9, kind, **body)], language))[-1]


def test_every_kind_of_record_has_words() -> None:
    assert set(_TEXTS) == KINDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_both_languages_tell_the_same_fields(kind: str) -> None:
    chinese, english = (
        {field for _text, field, _spec, _conversion in string.Formatter().parse(text) if field}
        for text in _TEXTS[kind]
    )
    assert chinese == english


def test_a_play_is_told_with_names_and_suits() -> None:
    body = {
        "seat": 2,
        "cards": "ST HT LJ",
        "reading": {"type": "pair", "rank": "T", "size": 2},
        "automatic": True,
    }
    assert said("played", Language.CHINESE, **body).endswith("丙：♠10 ♥10 小王  对子 10（超时自动）")
    assert said("played", Language.ENGLISH, **body).endswith("丙: ♠10 ♥10 SJ  pair 10 (time over)")


def test_a_joker_bomb_has_no_rank() -> None:
    body = {"seat": 0, "cards": "LJ LJ BJ BJ", "reading": {"type": "joker_bomb", "rank": None, "size": 4}}
    assert said("played", Language.CHINESE, **body, automatic=False).endswith("小王 小王 大王 大王  四王")


def test_a_winner_of_a_trick_is_a_seat_and_of_a_deal_a_side() -> None:
    assert "丁" in said("trick_ended", Language.CHINESE, winner=3, leader=1, partner_lead=True)
    ended = {"deal": 1, "order": [1, 3], "levels_before": ["2", "2"], "levels_after": ["2", "6"]}
    assert said("deal_ended", Language.ENGLISH, **ended).endswith("deal 1: 乙 丁; levels 2 : 2 → 2 : 6")


def test_a_tribute_is_told_once_it_is_shown() -> None:
    exchange = {"payer": 1, "receiver": 0, "paid": "BJ", "returned": "S3"}
    assert said("exchanged", Language.CHINESE, exchanges=[exchange]).endswith("乙 → 甲 贡 大王, 还 ♠3")


def test_an_unknown_kind_is_shown_as_it_is() -> None:
    assert said("danced", Language.CHINESE, seat=1, how="well").endswith('danced {"seat": 1, "how": "well"}')
