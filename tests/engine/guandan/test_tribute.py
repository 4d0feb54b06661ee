"""Tribute, return and resisting (guandan: tribute; national art. 11, Huai'an art. 10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.cards import BIG_JOKER, Cards, format_cards, parse_card, parse_cards, parse_rank
from broker.engine.game import Event
from broker.engine.guandan import phases
from broker.engine.guandan.actions import GiveBack, OpenDeal, Pass, PayTribute, TimeOut
from broker.engine.guandan.events import (
    Exchange,
    Exchanged,
    GivenBack,
    JokersHeld,
    LeadCause,
    LeadGiven,
    Resisted,
    TributeDue,
    TributePaid,
    TributesAssigned,
)
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, ReturnLimit, Rules
from broker.engine.guandan.state import BetweenDeals, GivingBack, Playing, State, Tribute
from broker.engine.guandan.tribute import allowed, lowest, payable, returnable
from broker.engine.refusal import Reason
from broker.engine.seats import Seat
from tests.engine.guandan.games import after, between, board, expect, kinds, only, refuses

LOW = [suit + rank for rank in "2456789" for suit in "SHCD"]
"""Enough low cards for a hand; one copy of each. The deals here play 3."""


def with_low(cards: str) -> str:
    """A hand of 27 whose highest cards are these."""
    return " ".join((*cards.split(), *LOW[: 27 - len(cards.split())]))


def opening(order: tuple[Seat, ...], *hands: str, rules: Rules = NATIONAL_2017) -> tuple[Event, ...]:
    """The events of that deal's opening."""
    return phases.decide(between(order, rules, "3"), OpenDeal(board(*hands)))


def opened(order: tuple[Seat, ...], *hands: str, rules: Rules = NATIONAL_2017) -> State:
    """The deal at level 3 after one with that order; a hand that is not named gets what is left."""
    return after(between(order, rules, "3"), OpenDeal(board(*hands)))


def single(paid: str = "SA", rules: Rules = NATIONAL_2017) -> Tribute:
    """Seat 3 was last and pays seat 0; its highest cards are these."""
    return expect(Tribute, opened((0, 1, 2, 3), "ST", "", "", with_low(paid), rules=rules))


def to_partner(receiver: str, rules: Rules) -> GivingBack:
    """Seat 2 was last and has paid its partner, seat 0, the ace of spades."""
    state = opened((0, 1, 3, 2), receiver, "", with_low("SA"), "", rules=rules)
    return expect(GivingBack, after(state, PayTribute(2, parse_card("SA"))))


def double(one: str, two: str) -> Tribute:
    """Seats 1 and 3 lost to a double-down of 0 and 2; their highest cards are these.

    Seat 0 holds the tens of spades, seat 2 those of diamonds.
    """
    return expect(Tribute, opened((0, 2), "ST ST", with_low(one), "DT DT", with_low(two)))


def faces(text: str) -> Cards:
    return parse_cards(text)


class TestWhoPays:
    def test_place_4_pays_place_1(self) -> None:
        due = only(TributeDue, opening((0, 1, 2, 3), "", "", "", with_low("SA")))
        assert due == TributeDue(payers=(3,), receivers=(0,))

    def test_place_4_pays_its_own_partner_too(self) -> None:
        due = only(TributeDue, opening((1, 0, 2, 3), "", "", "", with_low("SA")))
        assert due == TributeDue(payers=(3,), receivers=(1,))

    def test_after_a_double_down_both_losers_pay(self) -> None:
        due = only(TributeDue, opening((2, 0), "", with_low("SA"), "", with_low("SK")))
        assert due == TributeDue(payers=(1, 3), receivers=(2, 0))

    def test_rules_without_tribute_let_place_1_lead(self) -> None:
        rules = replace(NATIONAL_2017, tribute=False)
        events = opening((1, 2, 3, 0), "", "", "", "", rules=rules)
        assert kinds(events) == ["Dealt", "LeadGiven"]
        assert only(LeadGiven, events) == LeadGiven(1, LeadCause.FIRST_PLACE)


class TestPayable:
    @pytest.mark.parametrize(
        ("hand", "level", "expected"),
        [
            ("SK SA HA CA", "2", "SA HA CA"),
            ("SA SA DA", "2", "SA DA"),
            ("S7 H7 SA", "7", "S7"),
            ("H7 H7 SA DA SK", "7", "SA DA"),
            ("H7 C7 LJ", "7", "LJ"),
            ("LJ LJ BJ", "7", "BJ"),
            ("SA HA CA DA SK", "A", "SA CA DA"),
        ],
    )
    def test_the_highest_rank_without_the_wilds(self, hand: str, level: str, expected: str) -> None:
        assert payable(faces(hand), parse_rank(level)) == faces(expected)

    def test_any_other_card_is_refused(self) -> None:
        state = single("SA HA DK")
        assert allowed(state, 3) == faces("SA HA")
        for card in ("DK", "CA", "S2", "BJ"):
            refuses(state, PayTribute(3, parse_card(card)), Reason.WRONG_TRIBUTE)

    def test_only_a_payer_that_has_not_chosen_may_pay(self) -> None:
        state = double("SA HA", "SK")
        refuses(state, PayTribute(0, parse_card("SA")), Reason.NOT_YOUR_TURN)
        chosen = after(state, PayTribute(1, parse_card("HA")))
        refuses(chosen, PayTribute(1, parse_card("SA")), Reason.NOT_YOUR_TURN)

    def test_nothing_else_is_done_meanwhile(self) -> None:
        refuses(single(), Pass(3), Reason.NOT_NOW)
        refuses(single(), GiveBack(0, parse_card("S2")), Reason.NOT_NOW)


class TestResisting:
    def test_a_single_payer_needs_both_big_jokers(self) -> None:
        events = opening((0, 1, 2, 3), "", "", "", "BJ BJ")
        assert kinds(events) == ["Dealt", "Resisted", "LeadGiven"]
        assert only(Resisted, events) == Resisted((JokersHeld(3, 2),))
        assert only(LeadGiven, events) == LeadGiven(0, LeadCause.FIRST_PLACE)

    def test_the_jokers_of_place_3_do_not_help_place_4(self) -> None:
        assert "TributeDue" in kinds(opening((0, 1, 2, 3), "", "", "BJ", "BJ"))
        assert "TributeDue" in kinds(opening((0, 1, 2, 3), "", "", "BJ BJ", ""))

    @pytest.mark.parametrize(
        ("one", "two", "shown"),
        [
            ("BJ BJ", "", (JokersHeld(1, 2),)),
            ("BJ", "BJ", (JokersHeld(1, 1), JokersHeld(3, 1))),
            ("", "BJ BJ LJ LJ", (JokersHeld(3, 2),)),
        ],
    )
    def test_two_payers_hold_them_between_them(
        self, one: str, two: str, shown: tuple[JokersHeld, ...]
    ) -> None:
        events = opening((2, 0), "", one, "", two)
        assert only(Resisted, events) == Resisted(shown)
        assert only(LeadGiven, events) == LeadGiven(2, LeadCause.FIRST_PLACE)

    def test_one_big_joker_and_small_ones_do_not_resist(self) -> None:
        assert "TributeDue" in kinds(opening((2, 0), "", with_low("BJ LJ"), "", with_low("LJ")))

    def test_the_jokers_are_shown_until_the_first_play(self) -> None:
        state = opened((0, 1, 2, 3), "", "", "", "BJ BJ")
        shown = phases.view(state, None).public.tribute
        assert shown is not None and shown.jokers == (JokersHeld(3, 2),)
        assert phases.view(after(state, TimeOut(0)), None).public.tribute is None


class TestDouble:
    def test_the_higher_goes_to_place_1_and_its_payer_leads(self) -> None:
        state = after(double("LJ", "BJ"), PayTribute(1, parse_card("LJ")))
        events = phases.decide(state, PayTribute(3, BIG_JOKER))
        assert only(TributesAssigned, events).transfers == ((3, 0), (1, 2))
        assert leader_of(state, PayTribute(3, BIG_JOKER)) == 3

    def test_a_level_card_is_higher_than_an_ace(self) -> None:
        state = after(double("SA", "C3"), PayTribute(1, parse_card("SA")))
        events = phases.decide(state, PayTribute(3, parse_card("C3")))
        assert only(TributesAssigned, events).transfers == ((3, 0), (1, 2))

    @pytest.mark.parametrize("order", [(0, 2), (2, 0), (1, 3), (3, 1)])
    def test_equal_ones_go_clockwise_and_the_seat_after_place_1_leads(self, order: tuple[Seat, ...]) -> None:
        losers = [seat for seat in range(4) if seat not in order]
        hands = [""] * 4
        for seat, ace in zip(losers, ("HA", "DA"), strict=True):
            hands[seat] = with_low(ace)
        state = opened(order, *hands)
        for seat, ace in zip(losers, ("HA", "DA"), strict=True):
            state = after(state, PayTribute(seat, parse_card(ace)))
        transfers = expect(GivingBack, state).transfers
        assert all(receiver == (payer - 1) % 4 for payer, receiver, _ in transfers)
        assert transfers[0].receiver == order[0]
        assert settled(state).leader == (order[0] + 1) % 4

    @pytest.mark.parametrize("payers", [(1, 3), (3, 1)])
    @pytest.mark.parametrize("receivers", [(0, 2), (2, 0)])
    def test_open_choices_may_be_made_in_any_order(
        self, payers: tuple[Seat, ...], receivers: tuple[Seat, ...]
    ) -> None:
        state: State = double("LJ", "SK HK")
        paid = {1: "LJ", 3: "HK"}
        back = {0: "ST", 2: "DT"}
        assert [decision.seat for decision in phases.open_decisions(state)] == [1, 3]
        for seat in payers:
            state = after(state, PayTribute(seat, parse_card(paid[seat])))
        assert [decision.seat for decision in phases.open_decisions(state)] == [0, 2]
        before_last = after(state, GiveBack(receivers[0], parse_card(back[receivers[0]])))
        assert [decision.seat for decision in phases.open_decisions(before_last)] == [receivers[1]]
        events = phases.decide(before_last, GiveBack(receivers[1], parse_card(back[receivers[1]])))
        assert only(Exchanged, events).exchanges == (
            Exchange(1, 0, parse_card("LJ"), parse_card("ST")),
            Exchange(3, 2, parse_card("HK"), parse_card("DT")),
        )
        assert only(LeadGiven, events) == LeadGiven(1, LeadCause.TRIBUTE)


def settled(state: State) -> Playing:
    """The state in play, after the clock has answered whatever was owed."""
    while not isinstance(state, Playing):
        state = after(state, TimeOut(phases.open_decisions(state)[0].seat))
    return state


def leader_of(state: State, action: PayTribute) -> Seat:
    return settled(after(state, action)).leader


class TestReturn:
    HAND = "S2 H2 C3 H3 S4 ST HJ DQ CK HA LJ"

    @pytest.mark.parametrize(
        ("limit", "expected"),
        [
            (ReturnLimit.ANY, HAND),
            (ReturnLimit.BELOW_A, "S2 H2 S4 ST HJ DQ CK"),
            (ReturnLimit.TEN_OR_LOWER, "S2 H2 S4 ST"),
        ],
    )
    def test_a_level_card_wild_or_not_lies_above_the_limit(self, limit: ReturnLimit, expected: str) -> None:
        assert returnable(faces(self.HAND), limit, parse_rank("3")) == faces(expected)

    @pytest.mark.parametrize("limit", [ReturnLimit.BELOW_A, ReturnLimit.TEN_OR_LOWER])
    def test_nothing_within_the_limit_leaves_the_lowest_rank(self, limit: ReturnLimit) -> None:
        assert returnable(faces("SA HA HA S5 LJ BJ"), limit, parse_rank("5")) == faces("SA HA")

    def test_the_tribute_itself_counts_as_in_hand(self) -> None:
        state = expect(GivingBack, after(single("SK"), PayTribute(3, parse_card("SK"))))
        assert parse_card("SK") in allowed(state, 0)
        done = expect(Playing, after(state, GiveBack(0, parse_card("SK"))))
        assert parse_card("SK") in done.hands[3]

    def test_to_an_opponent_any_card(self) -> None:
        for rules in (NATIONAL_2017, HUAIAN):
            state = expect(GivingBack, after(single("SA", rules), PayTribute(3, parse_card("SA"))))
            assert allowed(state, 0) == tuple(sorted(set(state.hands[0])))

    @pytest.mark.parametrize(("rules", "highest"), [(NATIONAL_2017, "K"), (HUAIAN, "T")])
    def test_to_the_partner_only_low_cards(self, rules: Rules, highest: str) -> None:
        state = to_partner("S2 ST HT SJ SK S3 BJ", rules)
        found = {parse_rank(rank) for rank in ranks(allowed(state, 0))}
        assert max(found) == parse_rank(highest)
        assert parse_card("S3") not in allowed(state, 0)
        refuses(state, GiveBack(0, BIG_JOKER), Reason.WRONG_RETURN)
        refuses(state, GiveBack(0, parse_card("S3")), Reason.WRONG_RETURN)

    def test_only_a_receiver_that_has_not_chosen_may_return(self) -> None:
        state = after(double("SA", "SK"), PayTribute(1, parse_card("SA")), PayTribute(3, parse_card("SK")))
        refuses(state, GiveBack(1, parse_card("S2")), Reason.NOT_YOUR_TURN)
        chosen = after(state, GiveBack(0, parse_card("ST")))
        refuses(chosen, GiveBack(0, parse_card("ST")), Reason.NOT_YOUR_TURN)
        refuses(chosen, PayTribute(1, parse_card("S2")), Reason.NOT_NOW)


def ranks(cards: Cards) -> list[str]:
    return [text[1:] for text in format_cards(cards).split()]


class TestWhenCardsMove:
    def test_a_tribute_stays_in_hand_until_all_have_chosen(self) -> None:
        state = double("SA HA", "SK")
        chosen = expect(Tribute, after(state, PayTribute(1, parse_card("HA"))))
        assert chosen.hands == state.hands
        assigned = expect(GivingBack, after(chosen, PayTribute(3, parse_card("SK"))))
        assert [len(hand) for hand in assigned.hands] == [28, 26, 28, 26]
        assert assigned.hands[0].count(parse_card("HA")) == state.hands[0].count(parse_card("HA")) + 1

    def test_a_return_moves_when_the_exchange_is_complete(self) -> None:
        state = after(double("SA", "SK"), PayTribute(1, parse_card("SA")), PayTribute(3, parse_card("SK")))
        chosen = expect(GivingBack, after(state, GiveBack(0, parse_card("ST"))))
        assert [len(hand) for hand in chosen.hands] == [28, 26, 28, 26]
        done = expect(Playing, after(chosen, GiveBack(2, parse_card("DT"))))
        assert [len(hand) for hand in done.hands] == [27] * 4

    def test_what_was_exchanged_is_shown_until_the_first_play(self) -> None:
        state = after(single(), PayTribute(3, parse_card("SA")), GiveBack(0, parse_card("ST")))
        shown = phases.view(state, None).public.tribute
        assert shown is not None
        assert shown.exchanges == (Exchange(3, 0, parse_card("SA"), parse_card("ST")),)
        assert phases.view(after(state, TimeOut(3)), None).public.tribute is None


class TestTimeOut:
    """Conduct, clocks: the first allowed face, the lowest allowed rank for a return, by suit."""

    def test_of_equal_tributes_the_first_suit(self) -> None:
        paid = only(TributePaid, phases.decide(single("CA DA HA"), TimeOut(3)))
        assert paid == TributePaid(3, parse_card("HA"), automatic=True)

    def test_of_returns_the_lowest_rank_then_suit(self) -> None:
        state = to_partner("H2 D2 C2 S4 SK", NATIONAL_2017)
        lowest_ones = [card for card in allowed(state, 0) if ranks((card,)) == ["2"]]
        given = only(GivenBack, phases.decide(state, TimeOut(0)))
        assert given == GivenBack(0, lowest_ones[0], automatic=True)

    def test_the_level_rank_is_not_the_lowest(self) -> None:
        assert lowest(faces("S2 D2 H3 C3"), parse_rank("2")) == parse_card("H3")

    def test_a_seat_that_owes_nothing_has_no_time(self) -> None:
        refuses(single(), TimeOut(0), Reason.NOT_YOUR_TURN)
        refuses(BetweenDeals(single().standing), TimeOut(0), Reason.NOT_NOW)
