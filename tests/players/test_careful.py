"""Careful play: strong against random play, always legal, and careful."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from broker.engine.cards import Cards, parse_card, parse_cards, parse_rank
from broker.engine.game import Decision, DecisionKind
from broker.engine.guandan import phases
from broker.engine.guandan.actions import GiveBack, Pass, PayTribute, Play
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Rules
from broker.engine.guandan.state import State
from broker.engine.guandan.views import Laid, OwnView, Phase, PublicView, View
from broker.players import POLICIES, Move
from tests.players.boards import board, play_deal, wins

CAREFUL, RANDOM = POLICIES["careful"], POLICIES["random"]
NOBODY = (None, None, None, None)


def view_of(
    hand: str,
    laid: str = "",
    by: int = 3,
    level: str = "2",
    counts: tuple[int | None, ...] = NOBODY,
    kind: DecisionKind | None = None,
    allowed: Cards = (),
) -> View:
    """What seat 0 sees; the play on the table is that of seat ``by``."""
    rank = parse_rank(level)
    table = Laid(by, parse_cards(laid), readings(parse_cards(laid), rank)[-1]) if laid else None
    owed = kind or (DecisionKind.FOLLOW if table else DecisionKind.LEAD)
    public = PublicView(
        phase=Phase.PLAYING,
        deal=1,
        deals_per_game=3,
        level=rank,
        level_side=None,
        levels=(0, 0),
        failed_a=(0, 0),
        rises=(0, 0),
        open=(Decision(0, owed),),
        turn=0,
        leader=0,
        table=table,
        laid=NOBODY,
        acts=NOBODY,
        counts=counts,
        out=(),
        tribute=None,
        result=None,
        game=None,
    )
    return View(0, public, OwnView(parse_cards(hand), allowed, None, None))


def move(view: View) -> Move:
    return CAREFUL(view, NATIONAL_2017, random.Random(0))


def cards_of(chosen: Move) -> Cards:
    assert isinstance(chosen, Play), chosen
    return chosen.cards


def test_wins_nine_deals_in_ten_against_random_play() -> None:
    assert wins(CAREFUL, RANDOM, boards=20) >= 36


@pytest.mark.parametrize("rules", [NATIONAL_2017, HUAIAN])
def test_whole_games_are_legal(rules: Rules) -> None:
    """Three deals with the tributes between them; a refused move would raise."""
    state: State = phases.start(replace(rules, deals_per_game=3))
    for number in range(3):
        state = play_deal(state, board(100 + number), (CAREFUL, CAREFUL), random.Random(number), rules)
    assert phases.is_over(state)


def test_same_view_same_move() -> None:
    view = view_of("S3 S4 H4 D7 C7 S9 H9 D9 CJ SK HK", "S6 H6")
    assert len({CAREFUL(view, NATIONAL_2017, random.Random(seed)) for seed in range(5)}) == 1


def test_goes_out_when_it_can_even_over_the_partner() -> None:
    assert cards_of(move(view_of("SA HA", "SQ HQ", by=2))) == parse_cards("SA HA")


def test_lets_the_partner_win() -> None:
    assert isinstance(move(view_of("S4 H6 SK HA SA", "DA", by=2)), Pass)
    assert isinstance(move(view_of("S4 H6 H9 D9 SK HA SA", "D5", by=2, counts=(None, None, 1, None))), Pass)


def test_keeps_its_bomb_from_a_small_play() -> None:
    hand = "S3 H4 D6 C8 ST HQ S5 H5 D5 C5"
    assert isinstance(move(view_of(hand, "SK HK")), Pass)
    assert cards_of(move(view_of(hand, "S4"))) == parse_cards("D6")


def test_bombs_an_opponent_that_is_nearly_out() -> None:
    hand = "S3 H4 D6 C8 S9 HT S5 H5 D5 C5 SJ HQ"
    chosen = cards_of(move(view_of(hand, "SK HK", counts=(None, None, None, 1))))
    assert chosen == parse_cards("S5 H5 D5 C5")


def test_does_not_lead_a_single_to_an_opponent_with_one_card() -> None:
    hand = "S3 H6 D6 C8 S9 HT"
    assert cards_of(move(view_of(hand))) == parse_cards("S3")
    assert cards_of(move(view_of(hand, counts=(None, 1, None, None)))) == parse_cards("H6 D6")


def test_leads_what_the_partner_can_go_out_with() -> None:
    hand = "S3 H3 D3 S4 H4 D6 C6 C8 S9"
    assert len(cards_of(move(view_of(hand, counts=(None, None, 1, None))))) == 1


def test_plays_its_last_but_one_before_the_loser() -> None:
    assert cards_of(move(view_of("BJ BJ S3"))) == parse_cards("BJ BJ")


def test_two_straight_flushes_are_not_taken_for_a_plain_straight() -> None:
    chosen = move(view_of("S3 S4 S5 S6 S7 H8 H9 HT HJ HQ"))
    assert isinstance(chosen, Play)
    assert chosen.reading.type is PlayType.STRAIGHT_FLUSH


def test_tribute_keeps_what_the_hand_needs() -> None:
    hand = "S9 S8 S7 S6 ST HT D4"
    view = view_of(hand, kind=DecisionKind.TRIBUTE, allowed=parse_cards("ST HT"))
    assert move(view) == PayTribute(0, parse_card("HT"))


def test_returns_a_small_useless_card() -> None:
    hand = "S3 H5 D5 C5 S5 SA HA"
    view = view_of(hand, kind=DecisionKind.GIVE_BACK, allowed=parse_cards("S3 H5 D5 C5 S5"))
    assert move(view) == GiveBack(0, parse_card("S3"))


def test_wild_stays_for_the_bomb() -> None:
    hand = "H7 S9 D9 C9 S3 HK DQ C5"
    chosen = move(view_of(hand, "D6", level="7"))
    assert cards_of(chosen) not in (parse_cards("H7"), parse_cards("S9"))


def test_owing_nothing_is_an_error() -> None:
    view = view_of("S3")
    nothing = replace(view, public=replace(view.public, open=()))
    with pytest.raises(ValueError, match="owes no decision"):
        move(nothing)


def test_reading_of_the_hand_is_reading_of_the_play() -> None:
    assert Reading(PlayType.PAIR, parse_rank("A"), 2) == move(view_of("SA HA")).reading  # type: ignore[union-attr]
