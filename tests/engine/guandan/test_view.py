"""A view holds what may be known and nothing else (guandan: play, tribute, announcement)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker.engine.cards import Cards, parse_card
from broker.engine.guandan import phases
from broker.engine.guandan.actions import GiveBack, LoseDeal, NameLeader, OpenDeal, Pass, PayTribute, StopTurn
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Rules
from broker.engine.guandan.state import GivingBack, Playing, State, Tribute, start
from broker.engine.guandan.views import Act, Laid, OwnView, Phase, PublicView
from broker.engine.seats import SEATS, Seat
from tests.engine.guandan.games import after, between, board, course, expect, finished, playing, single

BOARD = board("BJ BJ", "", "", "")


def public(state: State) -> PublicView:
    return phases.view(state, None).public


def own(state: State, seat: Seat) -> OwnView:
    found = phases.view(state, seat).own
    assert found is not None
    return found


class TestPublic:
    def test_it_is_the_same_for_everybody(self) -> None:
        state = after(start(HUAIAN), OpenDeal(BOARD))
        assert all(phases.view(state, seat).public == public(state) for seat in SEATS)
        assert phases.view(state, None).own is None

    def test_each_phase_is_named(self) -> None:
        state: State = start(NATIONAL_2017)
        assert public(state).phase is Phase.WAITING
        state = finished(after(state, OpenDeal(BOARD)), (0, 2))
        assert public(state).phase is Phase.BETWEEN_DEALS
        state = after(state, OpenDeal(BOARD))
        assert public(state).phase is Phase.TRIBUTE
        state = after(state, *(phases.default_action(state, seat) for seat in (1, 3)))
        assert public(state).phase is Phase.GIVING_BACK
        state = after(state, *(phases.default_action(state, seat) for seat in (0, 2)))
        assert public(state).phase is Phase.PLAYING
        state = after(finished(state, (0, 2)), OpenDeal(BOARD), LoseDeal(0))
        assert public(state).phase is Phase.GAME_OVER
        (opened, *_) = phases.decide(start(NATIONAL_2017), OpenDeal(BOARD))
        assert public(phases.evolve(start(NATIONAL_2017), opened)).phase is Phase.OPENING

    def test_the_table_shows_the_present_trick_only(self) -> None:
        state: State = playing("S3 SK SQ", "S4 SA S8", "S6 S7", "S8 S9")
        state = after(state, single(0, "S3"), single(1, "S4"), Pass(2), Pass(3))
        shown = public(after(state, single(0, "SK"), Pass(1)))
        low, high = single(1, "S4"), single(0, "SK")
        assert shown.table == Laid(0, high.cards, high.reading)
        assert shown.laid == (shown.table, Laid(1, low.cards, low.reading), None, None)
        assert shown.acts == (None, Act.PASSED, Act.PASSED, Act.PASSED)
        assert (shown.leader, shown.turn) == (0, 2)

    def test_a_play_wipes_out_the_pass_before_it(self) -> None:
        state: State = playing("S3 SK SQ", "S4 SA S8", "S6 S7", "S8 S9")
        state = after(state, single(0, "S3"), Pass(1), single(2, "S6"), Pass(3), Pass(0))
        assert public(state).acts[1] is Act.PASSED
        assert public(after(state, single(1, "SA"))).acts[1] is None

    def test_a_stopped_turn_shows(self) -> None:
        state = after(playing("S3 SK", "S4 S5", "S6 S7", "S8 S9"), StopTurn(0))
        assert public(state).acts == (Act.STOPPED, None, None, None)

    def test_a_new_trick_begins_with_an_empty_table(self) -> None:
        state = after(playing("S3 SK", "S4 S5", "S6 S7", "S8 S9"), single(0, "S3"), Pass(1), Pass(2), Pass(3))
        shown = public(state)
        assert (shown.table, shown.laid, shown.acts) == (None, (None,) * 4, (None,) * 4)

    def test_the_result_stays_until_the_next_deal(self) -> None:
        state = finished(after(start(NATIONAL_2017), OpenDeal(BOARD)), (1, 3))
        result = public(state).result
        assert result is not None and result.order == (1, 3)
        assert public(after(state, OpenDeal(BOARD))).result is None

    def test_levels_and_rises_are_those_of_the_deals_that_count(self) -> None:
        state = finished(after(start(NATIONAL_2017), OpenDeal(BOARD)), (1, 3))
        shown = public(state)
        assert (shown.level, shown.level_side, shown.levels, shown.rises) == (4, 1, (0, 4), (0, 4))

    def test_a_leader_yet_to_be_named_can_be_told_from_the_view(self) -> None:
        lost = public(after(start(NATIONAL_2017), OpenDeal(BOARD), LoseDeal(0)))
        assert lost.result is not None
        assert (lost.result.order, lost.leader) == ((), None)

    def test_a_named_leader_shows(self) -> None:
        state = after(start(NATIONAL_2017), OpenDeal(BOARD), LoseDeal(0), NameLeader(3))
        assert public(state).leader == 3

    def test_the_game_shows_its_end(self) -> None:
        rules = replace(NATIONAL_2017, deals_per_game=1)
        shown = public(finished(after(start(rules), OpenDeal(BOARD)), (0, 2)))
        assert shown.game is not None and shown.game.score == (17, 9)
        assert shown.level == 0


class TestTribute:
    def test_who_has_chosen_is_public_and_what_is_not(self) -> None:
        state = expect(Tribute, after(between((0, 2)), OpenDeal(BOARD)))
        card = phases.default_action(state, 1)
        assert isinstance(card, PayTribute)
        chosen = after(state, card)
        shown = public(chosen).tribute
        assert shown is not None
        assert (shown.payers, shown.receivers, shown.chosen) == ((1, 3), (0, 2), (1,))
        assert own(chosen, 1).chosen == card.card
        assert own(chosen, 1).allowed == ()
        assert all(own(chosen, seat).chosen is None for seat in (0, 2, 3))
        assert own(chosen, 3).allowed != ()

    def test_the_receiver_sees_its_tribute_before_all_others(self) -> None:
        state: State = after(between((0, 1, 2, 3)), OpenDeal(board("S4", "BJ BJ", "", "")))
        paid = phases.default_action(state, 3)
        assert isinstance(paid, PayTribute)
        state = expect(GivingBack, after(state, paid))
        assert own(state, 0).received == paid.card
        assert own(state, 3).chosen == paid.card
        assert [own(state, seat).received for seat in (1, 2, 3)] == [None] * 3
        shown = public(state).tribute
        assert shown is not None
        assert (shown.transfers, shown.chosen, shown.exchanges) == (((3, 0),), (), ())
        assert parse_card("S4") in own(state, 0).allowed
        done = after(state, GiveBack(0, parse_card("S4")))
        assert (own(done, 3).chosen, own(done, 0).received) == (None, None)


def test_nobody_has_cards_before_a_deal() -> None:
    for state in (start(NATIONAL_2017), between((0, 2))):
        assert own(state, 2) == OwnView(hand=(), allowed=(), chosen=None, received=None)


def hidden_from(state: State, seat: Seat | None) -> list[tuple[Seat, int]]:
    """Places (seat, index in the hand) of cards that the seat has not seen and may not know of."""
    assert isinstance(state, Tribute | GivingBack | Playing)
    known: dict[Seat, list[int]] = {other: [] for other in SEATS}
    if isinstance(state, Tribute):
        known |= {choice.seat: [choice.card] for choice in state.paid}
    if isinstance(state, GivingBack):
        known |= {transfer.receiver: [transfer.card] for transfer in state.transfers}
        for choice in state.returned:
            known[choice.seat].append(choice.card)
    places = []
    for other in SEATS:
        if other != seat:
            for index, card in enumerate(state.hands[other]):
                if card in known[other]:
                    known[other].remove(card)
                else:
                    places.append((other, index))
    return places


def reshuffled(state: State, seat: Seat | None, chance: Random) -> State:
    """The same state but for the hidden cards, dealt anew among their holders."""
    assert isinstance(state, Tribute | GivingBack | Playing)
    places = hidden_from(state, seat)
    cards = [state.hands[other][index] for other, index in places]
    chance.shuffle(cards)
    hands = [list(hand) for hand in state.hands]
    for (other, index), card in zip(places, cards, strict=True):
        hands[other][index] = card
    return replace(state, hands=tuple(tuple(sorted(hand)) for hand in hands))


@pytest.mark.parametrize("rules", [NATIONAL_2017, replace(HUAIAN, deals_per_game=2)], ids=lambda it: it.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_view_does_not_change_with_what_is_hidden_from_it(rules: Rules, seed: int) -> None:
    chance = Random(seed)
    for state, _ in course(chance, rules, limit=400):
        if not isinstance(state, Tribute | GivingBack | Playing) or chance.random() < 0.8:
            continue
        for seat in (*SEATS, None):
            other = reshuffled(state, seat, chance)
            assert phases.view(other, seat) == phases.view(state, seat)


def test_the_cards_of_the_others_are_really_dealt_anew() -> None:
    """The property above would hold of nothing if the states did not differ."""
    state = expect(Playing, after(start(NATIONAL_2017), OpenDeal(BOARD)))
    other = expect(Playing, reshuffled(state, 1, Random(1)))
    assert other.hands[1] == state.hands[1]
    assert all(other.hands[seat] != state.hands[seat] for seat in (0, 2, 3))
    whole: Cards = tuple(sorted(card for hand in other.hands for card in hand))
    assert whole == tuple(sorted(card for hand in state.hands for card in hand))
    assert phases.view(state, 0) != phases.view(other, 0)
