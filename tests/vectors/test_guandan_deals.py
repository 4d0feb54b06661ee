"""The vectors of tribute, tricks, levels and time-outs, through the contract of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from broker.engine.cards import Cards, format_cards, parse_card, parse_cards, parse_rank
from broker.engine.game import Board, Event
from broker.engine.guandan import phases
from broker.engine.guandan.actions import Action, GiveBack, OpenDeal, Pass, PayTribute, Play, TimeOut
from broker.engine.guandan.combinations import Reading, parse_reading_rank, parse_type
from broker.engine.guandan.events import (
    DealEnded,
    LeadCause,
    LeadGiven,
    Passed,
    Played,
    Resisted,
    TributesAssigned,
    TrickEnded,
)
from broker.engine.guandan.levels import PAST_A, settled
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, PassA, ReturnLimit, Rules
from broker.engine.guandan.state import BetweenDeals, Opening, Playing, Standing, State
from broker.engine.guandan.tribute import allowed
from broker.engine.guandan.views import Laid
from broker.engine.refusal import Refused

Case = dict[str, Any]

PRESETS: dict[str, Rules] = {
    "national": NATIONAL_2017,
    "huaian": HUAIAN,
    "county": replace(NATIONAL_2017, pass_a=PassA.DOUBLE_DOWN),
    "bank": replace(HUAIAN, failed_a_limit=3),
    "club": replace(NATIONAL_2017, rise_double_down=5, rise_third=3, failed_a_limit=3),
}
"""The level rules of the presets that the vectors name."""

LIMITS = {"national": ReturnLimit.BELOW_A, "huaian": ReturnLimit.TEN_OR_LOWER}


def fold(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = phases.evolve(state, event)
    return state


def find(kind: type[Event], events: tuple[Event, ...]) -> Any:
    """The event of that kind, or None."""
    return next((event for event in events if isinstance(event, kind)), None)


# --- tribute --------------------------------------------------------------------------------------------


def dealt(hands: dict[str, str]) -> Board:
    """The board that deals these hands."""
    cards = [parse_cards(hands[str(seat)]) for seat in range(4)]
    return Board("vector", tuple(cards[place % 4][place // 4] for place in range(108)), first=0, turned=0)


def between_deals(case: Case) -> BetweenDeals:
    """After a deal that ended in the case's order, before one at its level."""
    rules = replace(NATIONAL_2017, return_to_partner=LIMITS[case["return_limit"]])
    order = tuple(case["order"])
    last = settled(Standing(rules, deal=1), order, order[0] % 2)
    return BetweenDeals(Standing(rules, deal=1, level=parse_rank(case["level"]), results=(last,)))


def faces(cards: Cards) -> set[str]:
    return set(format_cards(cards).split())


@pytest.mark.vectors("guandan/tribute.json")
def test_tribute(case: Case) -> None:
    expect = case["expect"]
    state: State = between_deals(case)
    events = phases.decide(state, OpenDeal(dealt(case["hands"])))
    assert (find(Resisted, events) is not None) is expect["resisted"]
    if expect["resisted"]:
        assert find(LeadGiven, events).seat == expect["leader"]
        assert (expect["payments"], expect["returns"]) == ([], [])
        return
    state = fold(state, events)
    assert {owed.seat for owed in phases.open_decisions(state)} == {pay["from"] for pay in expect["payments"]}
    for pay in expect["payments"]:
        assert faces(allowed(state, pay["from"])) == set(pay["legal"])
    for pay in expect["payments"]:
        events = phases.decide(state, PayTribute(pay["from"], parse_card(case["chosen"][str(pay["from"])])))
        state = fold(state, events)
    transfers = {(pay["from"], pay["to"]) for pay in expect["payments"]}
    assert set(find(TributesAssigned, events).transfers) == transfers
    assert {(back["to"], back["from"]) for back in expect["returns"]} == transfers
    for back in expect["returns"]:
        assert faces(allowed(state, back["from"])) == set(back["legal"])
    for back in expect["returns"]:
        events = phases.decide(state, GiveBack(back["from"], parse_card(back["legal"][0])))
        state = fold(state, events)
    assert find(LeadGiven, events).seat == expect["leader"]


# --- tricks ---------------------------------------------------------------------------------------------


def leading(level: str, hands: list[str], leader: int) -> Playing:
    """A deal whose hands are these, with nothing on the table."""
    standing = Standing(NATIONAL_2017, deal=1, level=parse_rank(level))
    opening = Opening(standing, tuple(map(parse_cards, hands)), tribute=None)
    state = phases.evolve(opening, LeadGiven(leader, LeadCause.FIRST_PLACE))
    assert isinstance(state, Playing)
    return state


def action_of(step: Case) -> Action:
    if step.get("pass"):
        return Pass(step["seat"])
    return Play(step["seat"], parse_cards(step["cards"]), reading_of(step))


def reading_of(step: Case) -> Reading:
    size = len(step["cards"].split())
    return Reading(parse_type(step["type"]), parse_reading_rank(step["rank"]), size)


@pytest.mark.vectors("guandan/tricks.json")
def test_tricks(case: Case) -> None:
    hands = [case["hands"][str(seat)] for seat in range(4)]
    state: State = leading(case["level"], hands, case["leader"])
    for step, expect in zip(case["actions"], case["expect"], strict=True):
        if "refused" in expect:
            with pytest.raises(Refused) as refusal:
                phases.decide(state, action_of(step))
            assert refusal.value.reason.value == expect["refused"]
            assert turn_of(state) == expect["turn"]
            continue
        events = phases.decide(state, action_of(step))
        state = fold(state, events)
        ended = find(DealEnded, events)
        assert turn_of(state) == expect["turn"]
        assert (find(TrickEnded, events) is not None) is expect["trick_end"]
        assert (ended is not None) is expect["over"]
        assert list(ended.order if ended else phases.view(state, None).public.out) == expect["out"]


def turn_of(state: State) -> int | None:
    return phases.view(state, None).public.turn


# --- levels ---------------------------------------------------------------------------------------------


def level_of(text: str | None) -> int | None:
    if text is None:
        return None
    return PAST_A if text == "A+" else parse_rank(text)


@pytest.mark.vectors("guandan/levels.json")
def test_levels(case: Case) -> None:
    rules, expect = PRESETS[case["preset"]], case["expect"]
    one, two = map(parse_rank, case["levels"])
    standing = Standing(
        rules,
        deal=1,
        level=parse_rank(case["level"]),
        level_side=case["owner"],
        levels=(one, two),
        failed_a=tuple(case["failed_a"] or (0, 0)),
    )
    ended = settled(standing, tuple(case["order"]), case["order"][0] % 2)
    assert list(ended.levels_after) == [level_of(level) for level in expect["levels"]]
    assert (ended.next_level is None) is expect["game_over"]
    assert (ended.winner if ended.next_level is None else None) == expect["winner"]
    assert ended.failed_a == tuple(expect["failed_a"] or (0, 0))
    assert ended.demoted == expect["demoted"]
    assert (ended.next_level, ended.next_side) == (level_of(expect["next_level"]), expect["next_side"])


# --- time-outs ------------------------------------------------------------------------------------------


@pytest.mark.vectors("guandan/timeouts.json")
def test_timeouts(case: Case) -> None:
    state = leading(case["level"], [case["hand"], "S3 S4", "S3 S4", "S3 S4"], leader=0)
    if case["turn"] == "follow":
        table = Laid(3, parse_cards(case["table"]["cards"]), reading_of(case["table"]))
        state = replace(state, table=table, first_lead=False)
    done = phases.decide(state, TimeOut(0))[0]
    if case["expect"]["action"] == "pass":
        assert done == Passed(0, automatic=True)
    else:
        assert isinstance(done, Played)
        assert (done.automatic, done.cards) == (True, parse_cards(case["expect"]["cards"]))
