"""The codec: every record there and back, its exact text, and the strictness of reading."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.engine.cards import parse_card, parse_cards
from broker.engine.game import Decision, DecisionKind
from broker.engine.games import GAMES, GUANDAN, by_wire_name
from broker.engine.guandan import actions, events, rules, views
from broker.engine.guandan.combinations import NO_RANK, PlayType, Reading
from broker.protocol import codec, happenings
from broker.protocol.messages import Announcement, Answer, ClockReading, Seating, Update
from broker.protocol.verdict import Malformed
from tests import strategies

PAIR_OF_SEVENS = Reading(PlayType.PAIR, 5, 2)
PLAYED = events.Played(2, parse_cards("S7 D7"), PAIR_OF_SEVENS, False)


def _is_plain(value: Any) -> bool:
    """Whether a value is JSON as it is, with no subclass of anything in it."""
    if type(value) is dict:
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, bool)


# --- there and back ------------------------------------------------------------------------------------


@settings(max_examples=400)
@given(strategies.events())
def test_events_come_back(event: Any) -> None:
    kind, public, secret = codec.encode_event(event)
    assert _is_plain(public)
    assert _is_plain(secret)
    stored = json.loads(json.dumps([public, secret]))
    assert codec.decode_event("guandan", kind, *stored) == event


@settings(max_examples=400)
@given(strategies.events())
def test_secret_fields_are_in_the_secret_part_alone(event: Any) -> None:
    _, public, secret = codec.encode_event(event)
    assert (secret is None) == (not event.SECRET)
    assert set(secret or ()) == set(event.SECRET)
    assert not public.keys() & set(event.SECRET)


@given(strategies.plays())
def test_acts_come_back(action: Any) -> None:
    kind, args = codec.encode_act(action)
    assert _is_plain(args)
    assert "seat" not in args
    assert codec.decode_act("guandan", kind, json.loads(json.dumps(args)), action.seat) == action


@given(strategies.records(rules.Rules))
def test_rules_come_back(value: rules.Rules) -> None:
    encoded = codec.encode_rules(value)
    assert _is_plain(encoded)
    assert codec.decode_rules("guandan", encoded) == value


@given(strategies.records(views.PublicView))
def test_public_views_come_back(view: views.PublicView) -> None:
    raw = codec.encode_public_view(view)
    assert _is_plain(json.loads(raw))
    assert codec.decode_public_view("guandan", raw) == view


@given(strategies.records(views.OwnView))
def test_own_views_come_back(view: views.OwnView) -> None:
    assert codec.decode_own_view("guandan", codec.encode_own_view(view)) == view


def test_every_wire_name_means_one_thing() -> None:
    own = {codec.encode_event(one)[0] for one in (happenings.Resumed(1), happenings.SeatFound(0, 1))}
    assert own == {"resumed", "seat_found"}
    for game in GAMES.values():
        assert len(game.events) == len(set(game.events.values()))
        assert not game.events.keys() & by_wire_name(*happenings.HAPPENINGS).keys()


# --- exact text ----------------------------------------------------------------------------------------


def test_text_of_a_play() -> None:
    assert codec.encode_event(PLAYED) == (
        "played",
        {
            "seat": 2,
            "cards": "S7 D7",
            "reading": {"type": "pair", "rank": "7", "size": 2},
            "automatic": False,
        },
        None,
    )


def test_text_of_a_deal_keeps_the_hands_apart() -> None:
    hands = tuple(parse_cards(text) for text in ("S2 BJ", "", "HT HT", "LJ"))
    dealt = events.Dealt(1, "b-1", 12, None, 3, parse_card("H3"), hands)
    assert codec.encode_event(dealt) == (
        "dealt",
        {"deal": 1, "board": "b-1", "level": "A", "level_side": None, "first": 3, "turned": "H3"},
        {"hands": ["S2 BJ", "", "HT HT", "LJ"]},
    )


def test_text_of_exchanges() -> None:
    exchanged = events.Exchanged((events.Exchange(3, 0, parse_card("BJ"), parse_card("C2")),))
    assert codec.encode_event(exchanged)[1] == {
        "exchanges": [{"payer": 3, "receiver": 0, "paid": "BJ", "returned": "C2"}]
    }


def test_text_of_a_result_past_a() -> None:
    ended = events.DealEnded(4, (1, 3), 1, 4, (5, 12), (5, 13), (0, 0), None, None, None)
    public = codec.encode_event(ended)[1]
    assert public["order"] == [1, 3]
    assert public["levels_before"] == ["7", "A"]
    assert public["levels_after"] == ["7", "A+"]
    assert public["next_level"] is None
    assert public["failed_a"] == [0, 0]


def test_text_of_transfers_and_causes() -> None:
    assigned = events.TributesAssigned(((2, 1), (0, 3)))
    assert codec.encode_event(assigned)[1] == {"transfers": [[2, 1], [0, 3]]}
    given_lead = events.LeadGiven(1, events.LeadCause.HEART_THREE)
    assert codec.encode_event(given_lead)[1] == {"seat": 1, "cause": "heart_three"}


def test_text_of_an_open_decision() -> None:
    opened = happenings.DecisionOpened(3, DecisionKind.GIVE_BACK, 30_000)
    assert codec.encode_event(opened)[:2] == (
        "decision_opened",
        {"seat": 3, "decision": "give_back", "limit": 30_000},
    )


def test_text_of_the_own_view() -> None:
    own = views.OwnView(parse_cards("S7 S7 LJ"), parse_cards("S7"), None, parse_card("LJ"))
    assert json.loads(codec.encode_own_view(own)) == {
        "hand": "S7 S7 LJ",
        "allowed": "S7",
        "chosen": None,
        "received": "LJ",
    }


@given(strategies.records(views.PublicView))
def test_text_of_the_public_view(view: views.PublicView) -> None:
    tribute = views.TributeView((1, 3), (0, 2), (3,), (), (events.JokersHeld(1, 2),), ())
    laid = views.Laid(1, PLAYED.cards, PAIR_OF_SEVENS)
    shown = replace(
        view,
        level=8,
        open=(Decision(3, DecisionKind.FOLLOW),),
        table=laid,
        laid=(None, laid, None, None),
        acts=(views.Act.PASSED, None, None, views.Act.STOPPED),
        tribute=tribute,
    )
    decoded = json.loads(codec.encode_public_view(shown))
    assert decoded["level"] == "T"
    assert decoded["open"] == [{"seat": 3, "kind": "follow"}]
    assert decoded["laid"][1] == decoded["table"]
    assert decoded["table"]["cards"] == "S7 D7"
    assert decoded["acts"] == ["passed", None, None, "stopped"]
    assert decoded["tribute"]["chosen"] == [3]
    assert decoded["tribute"]["jokers"] == [{"seat": 1, "held": 2}]


def test_text_of_acts() -> None:
    play = actions.Play(2, PLAYED.cards, PAIR_OF_SEVENS)
    assert codec.encode_act(play) == ("play", {"cards": "S7 D7", "type": "pair", "rank": "7"})
    four = actions.Play(0, parse_cards("LJ LJ BJ BJ"), Reading(PlayType.JOKER_BOMB, NO_RANK, 4))
    assert codec.encode_act(four)[1] == {"cards": "LJ LJ BJ BJ", "type": "joker_bomb", "rank": None}
    assert codec.encode_act(actions.Pass(1)) == ("pass", {})
    assert codec.encode_act(actions.PayTribute(1, 51)) == ("pay_tribute", {"card": "DA"})
    assert codec.encode_act(actions.GiveBack(1, 0)) == ("give_back", {"card": "S2"})


# --- strictness ----------------------------------------------------------------------------------------


def test_cards_of_an_act_may_come_in_any_order() -> None:
    act = codec.decode_act("guandan", "play", {"cards": "D7 S7", "type": "pair", "rank": "7"}, 2)
    assert act == actions.Play(2, PLAYED.cards, PAIR_OF_SEVENS)


GOOD = {"cards": "S7 D7", "type": "pair", "rank": "7"}


@pytest.mark.parametrize(
    ("kind", "args", "message"),
    [
        ("fly", {}, "no act"),
        ("pass", {"why": 1}, "unknown field 'why'"),
        ("pass", {"seat": 3}, "unknown field 'seat'"),
        ("play", {}, "cards: is missing"),
        ("play", {**GOOD, "seat": 0}, "unknown field 'seat'"),
        ("play", {**GOOD, "reading": {}}, "unknown field 'reading'"),
        ("play", {**GOOD, "size": 2}, "unknown field 'size'"),
        ("play", {"cards": "S7 D7", "rank": "7"}, "type: is missing"),
        ("play", {"cards": "S7 D7", "type": "pair"}, "rank: is missing"),
        ("play", {**GOOD, "cards": "S7 D77"}, "'D77'"),
        ("play", {**GOOD, "cards": "s7 D7"}, "'s7'"),
        ("play", {**GOOD, "cards": "S7  D7"}, "one blank"),
        ("play", {**GOOD, "cards": "S7 D7 "}, "one blank"),
        ("play", {**GOOD, "cards": "S7\tD7"}, "one blank"),
        ("play", {**GOOD, "cards": "S7\u00a0D7"}, "one blank"),
        ("play", {**GOOD, "cards": ""}, "size"),
        ("play", {**GOOD, "cards": "S7 S7 S7"}, "two packs"),
        ("play", {**GOOD, "cards": " ".join(["S7"] * 29)}, "at most 28"),
        ("play", {**GOOD, "cards": "S7 " * 5000}, "at most 28"),
        ("play", {**GOOD, "cards": ["S7", "D7"]}, "text"),
        ("play", {**GOOD, "cards": None}, "text"),
        ("play", {**GOOD, "type": "PAIR"}, "one of"),
        ("play", {**GOOD, "type": "ſingle"}, "one of"),
        ("play", {**GOOD, "type": 1}, "one of"),
        ("play", {**GOOD, "type": []}, "one of"),
        ("play", {**GOOD, "rank": 5}, "a rank"),
        ("play", {**GOOD, "rank": "10"}, "a rank"),
        ("play", {**GOOD, "rank": "A+"}, "a rank"),
        ("play", {**GOOD, "rank": None}, "joker bomb"),
        ("play", {"cards": "LJ LJ BJ BJ", "type": "joker_bomb", "rank": "BJ"}, "joker bomb"),
        ("pay_tribute", {"card": "S7 D7"}, "a card"),
        ("pay_tribute", {"card": 3}, "a card"),
        ("give_back", {"card": ""}, "a card"),
        ("give_back", {"card": None}, "a card"),
    ],
)
def test_odd_acts_are_malformed(kind: str, args: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        codec.decode_act("guandan", kind, args, 0)


def test_unknown_game_is_malformed() -> None:
    with pytest.raises(Malformed, match="no game"):
        codec.decode_act("bridge", "pass", {}, 0)


def _played(**changes: Any) -> tuple[str, dict[str, Any], None]:
    return "played", {**codec.encode_event(PLAYED)[1], **changes}, None


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": 4},
        {"seat": -1},
        {"seat": True},
        {"seat": 2.0},
        {"seat": "2"},
        {"cards": "D7 S7"},
        {"automatic": 0},
        {"automatic": None},
        {"reading": None},
        {"reading": {"type": "pair", "rank": "7"}},
        {"reading": {"type": "pair", "rank": "7", "size": 0}},
        {"reading": {"type": "pair", "rank": "7", "size": 2, "more": 1}},
        {"reading": ["pair", "7", 2]},
        {"more": 1},
    ],
)
def test_odd_events_are_malformed(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="played: "):
        codec.decode_event("guandan", *_played(**changes))


def test_events_need_exactly_their_secret_part() -> None:
    kind, public, secret = codec.encode_event(events.TributePaid(1, 5, False))
    assert secret == {"card": "S7"}
    for parts in [(public, None), (public, {}), ({**public, **secret}, None), (public, {**secret, "x": 1})]:
        with pytest.raises(Malformed, match="secret part"):
            codec.decode_event("guandan", kind, *parts)
    with pytest.raises(Malformed, match="secret part"):
        codec.decode_event("guandan", "passed", {"seat": 1}, {"automatic": False})
    with pytest.raises(Malformed, match="no event"):
        codec.decode_event("guandan", "flown", {}, None)


def test_all_mistakes_of_rules_are_told_at_once() -> None:
    encoded = codec.encode_rules(rules.NATIONAL_2017)
    del encoded["must_play_a"]
    wrong = {
        **encoded,
        "rise_thrid": 2,
        "tribute": 1,
        "pass_a": "perhaps",
        "level_fixed": "Z",
        "clock": {**encoded["clock"], "play": -1},
    }
    with pytest.raises(Malformed) as caught:
        codec.decode_rules("guandan", wrong)
    for part in [
        "must_play_a: is missing",
        "unknown field 'rise_thrid', did you mean rise_third?",
        "tribute: must be true or false, not 1",
        "pass_a: must be one of partner_not_fourth, double_down, not 'perhaps'",
        "level_fixed: must be a level",
        "clock.play: must be a whole number",
    ]:
        assert part in str(caught.value)


def test_faults_name_the_item_of_a_list() -> None:
    kind, public, _ = codec.encode_event(events.Exchanged((events.Exchange(3, 0, 1, 2),) * 2))
    public["exchanges"][1]["paid"] = "ZZ"
    with pytest.raises(Malformed, match=r"exchanged: exchanges\.1\.paid: must be a card, not 'ZZ'"):
        codec.decode_event("guandan", kind, public, None)


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"null", b"\xff", b'{"hand":1}', b"[" * 100_000, b'"\\ud800"', b"NaN", b"1e999"]
)
def test_odd_views_are_malformed(raw: bytes) -> None:
    with pytest.raises(Malformed):
        codec.decode_public_view("guandan", raw)
    with pytest.raises(Malformed):
        codec.decode_own_view("guandan", raw)
    with pytest.raises(Malformed):
        codec.decode_told(raw)


def test_messages_quote_no_control_characters() -> None:
    for args in ({"cards": "\x1b[2J\n" * 100}, {"\x1b[2J\n" * 100: 1}):
        with pytest.raises(Malformed) as caught:
            codec.decode_act("guandan", "play", {**GOOD, **args}, 0)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 300
    with pytest.raises(Malformed) as caught:
        codec.decode_hello({"boot": "", "software": "", "\x1b[2J\n" * 100: ""})
    assert str(caught.value).isprintable()


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([*GUANDAN.events.values(), *happenings.HAPPENINGS]), JSONS, st.data())
def test_whatever_stands_in_a_field_reading_is_malformed_or_an_event(
    record: type[Any], value: Any, data: st.DataObject
) -> None:
    kind, public, secret = codec.encode_event(data.draw(strategies.records(record)))
    part = data.draw(st.sampled_from([part for part in (public, secret) if part] or [public]))
    part[data.draw(st.sampled_from([*part, "other"]))] = value
    try:
        event = codec.decode_event("guandan", kind, public, secret)
    except Malformed:
        return
    assert codec.encode_event(event) == (kind, public, secret)


# --- hello, ready, told --------------------------------------------------------------------------------


def test_hello_and_ready() -> None:
    assert codec.decode_hello({"boot": "ab", "software": "1.0"}).boot == "ab"
    assert codec.decode_ready({"nonce": "0f" * 16}).nonce == "0f" * 16


@pytest.mark.parametrize(
    "nonce", ["", "0f" * 15, "0f" * 17, "0F" * 16, "zz" * 16, " " + "0f" * 15 + "0", 7, None]
)
def test_odd_nonces_are_malformed(nonce: Any) -> None:
    with pytest.raises(Malformed, match="ready"):
        codec.decode_ready({"nonce": nonce})


@pytest.mark.parametrize("args", [{}, {"boot": "x"}, {"boot": 1, "software": ""}])
def test_odd_hellos_are_malformed(args: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="hello"):
        codec.decode_hello(args)


def test_told_comes_back() -> None:
    update = Update(
        table="t-1",
        epoch=1,
        n=9,
        hash="ab" * 32,
        records=('{"n":9}',),
        view=msgspec.Raw(b'{"phase":"waiting"}'),
        clocks=(ClockReading(seat=1, decision="lead", answers=9, limit=25_000, remaining=1, running=True),),
        snapshot=True,
    )
    assert codec.decode_told(codec.encode_told(update)) == update
    answer = Answer(id="0" * 32, code="ok", table="t-1", n=3, hash="00")
    assert codec.decode_told(codec.encode_told(answer)) == answer
    words = Announcement(key="call", fields={"seat": "1"})
    assert codec.decode_told(codec.encode_told(words)) == words
    seating = Seating(
        venue="hall",
        event="cup",
        stage="s",
        round=1,
        table="t-1",
        seat=0,
        players=("甲", "乙", "丙", "丁"),
        session="a",
        boot="b",
        epoch=1,
        game="guandan",
        rules=codec.encode_rules(rules.HUAIAN),
        authority_key="00",
    )
    assert codec.decode_told(codec.encode_told(seating)) == seating


def test_told_ignores_fields_of_a_newer_minor_version() -> None:
    raw = b'{"type":"answer","id":"0","code":"ok","newer":[1]}'
    assert codec.decode_told(raw) == Answer(id="0", code="ok")
