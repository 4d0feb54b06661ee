"""Opening, play, turns lost and rulings (guandan: deal, play; conduct: clocks, penalties)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from broker.engine.cards import BIG_JOKER, HEART_THREE, parse_card, parse_cards
from broker.engine.game import Board, Event
from broker.engine.guandan import phases
from broker.engine.guandan.actions import (
    Action,
    GiveBack,
    Infringe,
    LoseDeal,
    NameLeader,
    OpenDeal,
    Pass,
    PayTribute,
    Play,
    StopTurn,
    TimeOut,
    Warn,
)
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.events import (
    CountAnnounced,
    DealEnded,
    DealLost,
    Dealt,
    Infringed,
    LeadCause,
    LeaderNamed,
    LeadGiven,
    LeadMoved,
    Passed,
    Played,
    TrickEnded,
    TurnStopped,
    Warned,
    WentOut,
)
from broker.engine.guandan.levels import PAST_A
from broker.engine.guandan.rules import HUAIAN, NATIONAL_2017, Announce, Rules
from broker.engine.guandan.state import BetweenDeals, GameOver, Opening, Playing, State, Tribute, start
from broker.engine.refusal import Reason
from broker.engine.seats import SEATS, Seat
from tests.engine.guandan.games import (
    after,
    between,
    board,
    expect,
    finished,
    kinds,
    only,
    playing,
    refuses,
    same,
    single,
    standing_of,
)

BOARD = board("", "", "", "")


def opening(rules: Rules, dealt: Board) -> tuple[Event, ...]:
    return phases.decide(start(rules), OpenDeal(dealt))


class TestOpening:
    def test_the_first_deal_plays_2_and_belongs_to_nobody(self) -> None:
        dealt = only(Dealt, opening(NATIONAL_2017, BOARD))
        assert (dealt.deal, dealt.level, dealt.level_side) == (1, 0, None)
        assert [len(hand) for hand in dealt.hands] == [27] * 4

    @pytest.mark.parametrize("first", SEATS)
    def test_national_who_is_dealt_the_first_heart_3_leads(self, first: Seat) -> None:
        dealt = board("", "", "H3", "H3", first=first)
        places = [place for place, card in enumerate(dealt.deck) if card == HEART_THREE]
        leader = (first + min(places)) % 4
        events = opening(NATIONAL_2017, dealt)
        assert only(LeadGiven, events) == LeadGiven(leader, LeadCause.HEART_THREE)
        assert only(Dealt, events).turned is None

    @pytest.mark.parametrize("turned", [0, 5, 107])
    def test_huaian_who_gets_the_turned_up_card_leads_and_all_see_it(self, turned: int) -> None:
        dealt = board("", "", "", "", first=2, turned=turned)
        events = opening(HUAIAN, dealt)
        assert only(LeadGiven, events) == LeadGiven((2 + turned) % 4, LeadCause.TURNED_CARD)
        assert only(Dealt, events).turned == dealt.deck[turned]

    def test_in_later_deals_no_card_is_turned_up(self) -> None:
        events = phases.decide(between((0, 2), HUAIAN), OpenDeal(BOARD))
        assert only(Dealt, events).turned is None

    def test_a_later_deal_plays_the_level_of_the_winner(self) -> None:
        state = finished(after(start(NATIONAL_2017), OpenDeal(BOARD)), (1, 3))
        dealt = only(Dealt, phases.decide(state, OpenDeal(BOARD)))
        assert (dealt.deal, dealt.level, dealt.level_side) == (2, 4, 1)

    @pytest.mark.parametrize(
        "wrong",
        [
            replace(BOARD, deck=BOARD.deck[:-1]),
            replace(BOARD, deck=(*BOARD.deck, 0)),
            replace(BOARD, deck=(BIG_JOKER, *BOARD.deck[1:])),
            replace(BOARD, first=4),
            replace(BOARD, first=-1),
            replace(BOARD, turned=108),
            replace(BOARD, turned=-1),
        ],
        ids=["one missing", "one too many", "third joker", "seat 4", "seat -1", "place 108", "place -1"],
    )
    def test_a_board_that_is_not_two_packs_is_refused(self, wrong: Board) -> None:
        refuses(start(NATIONAL_2017), OpenDeal(wrong), Reason.BAD_BOARD)

    def test_a_board_is_wanted_before_each_deal_only(self) -> None:
        state: State = start(NATIONAL_2017)
        assert phases.wants_board(state)
        state = after(state, OpenDeal(BOARD))
        assert not phases.wants_board(state)
        refuses(state, OpenDeal(BOARD), Reason.NOT_NOW)
        assert phases.wants_board(finished(state, (0, 2)))


class TestRefusals:
    """Guandan, levels: they are checked in this order."""

    STATE = playing("S3 S4 H2", "S5 D9", "S6 S7", "S8 S9")

    @pytest.mark.parametrize("action", [Pass(1), single(1, "BJ"), StopTurn(1), TimeOut(1)])
    def test_not_your_turn_comes_first(self, action: Action) -> None:
        refuses(self.STATE, action, Reason.NOT_YOUR_TURN)

    def test_a_leader_must_play(self) -> None:
        refuses(self.STATE, Pass(0), Reason.LEADER_MUST_PLAY)

    def test_then_the_cards_must_be_held(self) -> None:
        nonsense = Play(0, parse_cards("S3 BJ"), Reading(PlayType.PAIR, 1, 2))
        refuses(self.STATE, nonsense, Reason.CARDS_NOT_HELD)

    def test_then_be_a_play(self) -> None:
        refuses(self.STATE, Play(0, parse_cards("S3 S4"), Reading(PlayType.PAIR, 1, 2)), Reason.NOT_A_PLAY)

    def test_then_have_the_declared_reading(self) -> None:
        impossible = Play(0, parse_cards("S3 H2"), Reading(PlayType.PAIR, 0, 2))
        refuses(self.STATE, impossible, Reason.READING_NOT_POSSIBLE)

    def test_and_beat_the_play_on_the_table(self) -> None:
        state = after(self.STATE, single(0, "S4"), single(1, "S5"), Pass(2), Pass(3))
        refuses(state, single(0, "S3"), Reason.DOES_NOT_BEAT)

    def test_who_is_out_has_no_turn(self) -> None:
        state = after(playing("S3", "S4 S5", "S6 S7", "S8 S9"), single(0, "S3"))
        refuses(state, Pass(0), Reason.NOT_YOUR_TURN)

    @pytest.mark.parametrize("action", [PayTribute(0, 0), GiveBack(0, 0), OpenDeal(BOARD), NameLeader(0)])
    def test_what_the_phase_does_not_know_is_refused(self, action: Action) -> None:
        refuses(self.STATE, action, Reason.NOT_NOW)

    @pytest.mark.parametrize(
        "action", [Pass(0), single(0, "S3"), PayTribute(0, 0), StopTurn(0), TimeOut(0), LoseDeal(0)]
    )
    def test_before_a_deal_there_is_nothing_to_play(self, action: Action) -> None:
        refuses(start(NATIONAL_2017), action, Reason.NOT_NOW)

    def test_within_an_opening_nothing_is_done(self) -> None:
        state = Opening(self.STATE.standing, self.STATE.hands, None)
        refuses(state, Pass(0), Reason.NOT_NOW)

    def test_an_event_of_another_phase_is_not_folded(self) -> None:
        event = phases.decide(self.STATE, single(0, "S3"))[0]
        for state in (start(NATIONAL_2017), between((0, 2))):
            with pytest.raises(ValueError, match="Played cannot happen"):
                phases.evolve(state, event)


class TestTrick:
    def test_cards_once_played_are_gone_and_the_turn_goes_counter_clockwise(self) -> None:
        state = expect(Playing, after(playing("S3 S4", "S5", "S6", "S7"), single(0, "S3")))
        assert state.hands[0] == parse_cards("S4")
        assert state.turn == 1

    def test_cards_are_told_in_order_however_they_were_sent(self) -> None:
        sent = Play(0, tuple(reversed(parse_cards("S3 H3"))), Reading(PlayType.PAIR, 1, 2))
        played = only(Played, phases.decide(playing("S3 H3 S9", "S5", "S6", "S7"), sent))
        assert played.cards == parse_cards("S3 H3")

    def test_it_ends_when_every_other_active_player_has_passed_in_succession(self) -> None:
        state = playing("S3 SK", "S4 S5", "S6 S7", "S8 S9")
        state = expect(Playing, after(state, single(0, "S3"), Pass(1), single(2, "S6"), Pass(3), Pass(0)))
        events = phases.decide(state, Pass(1))
        assert only(TrickEnded, events) == TrickEnded(2, 2, partner_lead=False)
        led = expect(Playing, after(state, Pass(1)))
        assert (led.turn, led.leader, led.table, led.laid) == (2, 2, None, (None,) * 4)

    def test_passing_does_not_bar_from_playing_later_in_the_trick(self) -> None:
        state: State = playing("S3 SK", "S4 SA", "S6 S7", "S8 S9")
        state = after(state, single(0, "S3"), Pass(1), single(2, "S6"), Pass(3), Pass(0), single(1, "SA"))
        assert expect(Playing, state).table is not None


class TestPartnerLead:
    """National art. 10; a reading extends it to a player who goes out second."""

    def test_place_1_out_and_unbeaten_gives_the_lead_to_its_partner(self) -> None:
        state = after(playing("SA", "S4 S5", "S6 S7", "S8 S9"), single(0, "SA"), Pass(1), Pass(2))
        assert only(TrickEnded, phases.decide(state, Pass(3))) == TrickEnded(0, 2, partner_lead=True)

    def test_place_2_out_gives_it_to_its_partner_too(self) -> None:
        state: State = playing("S3", "S4", "S6 S7", "S8 S9")
        state = after(state, single(0, "S3"), single(1, "S4"), Pass(2))
        events = phases.decide(state, Pass(3))
        assert only(TrickEnded, events) == TrickEnded(1, 3, partner_lead=True)

    def test_who_beats_the_finishing_play_leads(self) -> None:
        state: State = playing("SK", "SA S5", "S6 S7", "S8 S9")
        state = after(state, single(0, "SK"), single(1, "SA"), Pass(2))
        assert only(TrickEnded, phases.decide(state, Pass(3))) == TrickEnded(1, 1, partner_lead=False)


class TestFinishing:
    def test_going_out_takes_the_next_place(self) -> None:
        state = playing("S3", "S4", "S6 S7", "S8 S9")
        assert kinds(phases.decide(state, single(0, "S3"))) == ["Played", "WentOut"]
        events = phases.decide(after(state, single(0, "S3")), single(1, "S4"))
        assert only(WentOut, events) == WentOut(1, place=2)

    def test_a_double_down_ends_the_deal_at_once(self) -> None:
        state = after(playing("S3", "S4 S5", "S6", "S8 S9"), single(0, "S3"), Pass(1))
        events = phases.decide(state, single(2, "S6"))
        assert kinds(events) == ["Played", "WentOut", "DealEnded"]
        assert only(DealEnded, events).order == (0, 2)

    def test_the_third_out_ends_the_deal_and_the_fourth_place_needs_no_play(self) -> None:
        state = after(playing("S3", "S4", "S6", "S8 S9"), single(0, "S3"), single(1, "S4"))
        events = phases.decide(state, single(2, "S6"))
        assert kinds(events) == ["Played", "WentOut", "DealEnded"]
        assert only(DealEnded, events).order == (0, 1, 2, 3)


class TestAnnouncement:
    """National art. 12: below 10, kept current. Huai'an: 10 or fewer, once a deal."""

    HAND = "S3 D3 S4 D4 S5 S6 S7 S8 S9 ST SJ SQ"

    @staticmethod
    def turn(state: State, play: Play) -> tuple[list[CountAnnounced], State]:
        """What seat 0 announces with the play, and the state after all others passed."""
        events = phases.decide(state, play)
        told = [event for event in events if isinstance(event, CountAnnounced)]
        return told, after(state, play)

    def counts(self, rules: Rules) -> list[tuple[list[int], int | None]]:
        """Announced and shown after each of seat 0's plays: two pairs, then singles."""
        state: State = playing(self.HAND, "S2 S2", "S2 S2", "S2 S2", level="A", rules=rules)
        plays = [same(0, PlayType.PAIR, "S3 D3"), same(0, PlayType.PAIR, "S4 D4")]
        found = []
        for play in [*plays, single(0, "S5"), single(0, "S6")]:
            told, state = self.turn(state, play)
            found.append(([event.count for event in told], phases.view(state, 3).public.counts[0]))
            state = after(state, Pass(1), Pass(2), Pass(3))
        return found

    def test_national_after_each_play_that_leaves_fewer_than_10(self) -> None:
        assert self.counts(NATIONAL_2017) == [([], None), ([8], 8), ([7], 7), ([6], 6)]

    def test_huaian_once_at_10_or_fewer_and_not_shown_when_out_of_date(self) -> None:
        assert self.counts(HUAIAN) == [([10], 10), ([], None), ([], None), ([], None)]

    def test_a_hand_that_jumps_over_the_threshold_is_announced_once(self) -> None:
        rules = replace(HUAIAN, announce_below=9)
        assert [told for told, _ in self.counts(rules)] == [[], [8], [], []]

    def test_going_out_is_not_announced_but_shown_as_none_left(self) -> None:
        for announce in Announce:
            rules = replace(NATIONAL_2017, announce=announce)
            state = playing("S3", "S4 S5", "S6 S7", "S8 S9", rules=rules)
            assert "CountAnnounced" not in kinds(phases.decide(state, single(0, "S3")))
            assert phases.view(after(state, single(0, "S3")), None).public.counts == (0, None, None, None)


class TestStoppedTurn:
    """Huai'an: at the infraction that trick's turn is lost and the next player goes on."""

    STATE = playing("S3 SK", "S4 S5", "S6 S7", "S8 S9", rules=HUAIAN)

    def test_a_leader_hands_the_lead_to_the_next_active_player(self) -> None:
        events = phases.decide(self.STATE, Infringe(0))
        assert events == (Infringed(0), TurnStopped(0), LeadMoved(1))
        state = expect(Playing, after(self.STATE, Infringe(0)))
        assert (state.turn, state.leader, state.table) == (1, 1, None)
        refuses(state, Pass(1), Reason.LEADER_MUST_PLAY)

    def test_the_next_active_player_is_not_one_who_is_out(self) -> None:
        state: State = playing("S3", "S4", "S6 S7 S8", "S9 ST")
        state = after(state, single(0, "S3"), single(1, "S4"), single(2, "S6"), Pass(3))
        assert only(LeadMoved, phases.decide(state, StopTurn(2))) == LeadMoved(3)
        assert only(LeadMoved, phases.decide(after(state, StopTurn(2)), StopTurn(3))) == LeadMoved(2)

    def test_a_followers_turn_goes_on_as_after_a_pass(self) -> None:
        state = after(self.STATE, single(0, "S3"), Infringe(1))
        assert expect(Playing, state).turn == 2
        state = after(state, Pass(2))
        events = phases.decide(state, Infringe(3))
        assert kinds(events) == ["Infringed", "TurnStopped", "TrickEnded"]

    def test_the_partner_leads_though_the_last_follower_was_stopped(self) -> None:
        state: State = playing("SA", "S4 S5", "S6 S7", "S8 S9", rules=HUAIAN)
        state = after(state, single(0, "SA"), Pass(1), StopTurn(2))
        assert only(TrickEnded, phases.decide(state, Infringe(3))) == TrickEnded(0, 2, partner_lead=True)

    def test_of_two_that_are_left_the_other_leads_on(self) -> None:
        state: State = playing("S3", "S4", "S6 S7 S8", "S9 ST", rules=HUAIAN)
        state = after(state, single(0, "S3"), single(1, "S4"), single(2, "S6"))
        assert only(TrickEnded, phases.decide(state, StopTurn(3))) == TrickEnded(2, 2, partner_lead=False)

    def test_it_is_one_turn_that_is_lost(self) -> None:
        state = after(self.STATE, single(0, "S3"), StopTurn(1), single(2, "S6"), Pass(3), Pass(0))
        assert expect(Playing, state).turn == 1

    def test_a_seat_whose_turn_it_is_not_keeps_its_own(self) -> None:
        assert phases.decide(self.STATE, Infringe(2)) == (Infringed(2),)
        assert after(self.STATE, Infringe(2)) is self.STATE

    def test_a_tribute_stays_owed_however_often_it_is_late(self) -> None:
        state = expect(Tribute, after(between((0, 1, 2, 3), HUAIAN), OpenDeal(BOARD_WITHOUT_RESISTING)))
        for _ in range(3):
            assert phases.decide(state, Infringe(3)) == (Infringed(3),)
            assert after(state, Infringe(3)) is state

    def test_a_warning_is_recorded_in_every_phase_and_changes_nothing(self) -> None:
        for state in (start(HUAIAN), self.STATE, between((0, 2))):
            assert phases.decide(state, Warn(3)) == (Warned(3),)
            assert after(state, Warn(3)) is state

    def test_a_referee_may_stop_a_turn_without_an_infraction(self) -> None:
        assert phases.decide(self.STATE, StopTurn(0)) == (TurnStopped(0), LeadMoved(1))


BOARD_WITHOUT_RESISTING = board("BJ BJ", "", "", "")


class TestLostDeal:
    """Conduct, penalties 3: lost as a double-down, then no tribute and the opponents name who leads."""

    def lost(self, side: int = 0, rules: Rules = NATIONAL_2017) -> BetweenDeals:
        return expect(BetweenDeals, after(start(rules), OpenDeal(BOARD), LoseDeal(side)))

    @pytest.mark.parametrize("side", [0, 1])
    def test_the_other_side_rises_as_by_a_double_down(self, side: int) -> None:
        events = phases.decide(after(start(HUAIAN), OpenDeal(BOARD)), LoseDeal(side))
        assert events[0] == DealLost(side)
        ended = only(DealEnded, events)
        assert (ended.order, ended.winner, ended.rise) == ((), 1 - side, 3)
        assert (ended.next_level, ended.next_side) == (3, 1 - side)

    def test_it_can_be_ruled_in_every_phase_of_a_deal(self) -> None:
        state = after(between((0, 2)), OpenDeal(BOARD_WITHOUT_RESISTING))
        seen = []
        while not isinstance(state, Playing):
            seen.append(type(state).__name__)
            assert isinstance(after(state, LoseDeal(1)), BetweenDeals)
            state = after(state, TimeOut(phases.open_decisions(state)[0].seat))
        assert isinstance(after(state, LoseDeal(1)), BetweenDeals)
        assert seen == ["Tribute", "Tribute", "GivingBack", "GivingBack"]

    def test_no_board_is_dealt_until_a_leader_is_named(self) -> None:
        state = self.lost()
        assert not phases.wants_board(state)
        refuses(state, OpenDeal(BOARD), Reason.LEADER_NOT_NAMED)
        assert phases.wants_board(after(state, NameLeader(3)))

    @pytest.mark.parametrize("seat", SEATS)
    def test_any_seat_may_be_named_and_leads_without_a_tribute(self, seat: Seat) -> None:
        state = self.lost()
        assert phases.decide(state, NameLeader(seat)) == (LeaderNamed(seat),)
        named = after(state, NameLeader(seat))
        assert phases.view(named, None).public.leader == seat
        events = phases.decide(named, OpenDeal(BOARD))
        assert kinds(events) == ["Dealt", "LeadGiven"]
        assert only(LeadGiven, events) == LeadGiven(seat, LeadCause.NAMED)

    def test_a_leader_is_named_once_and_only_after_a_lost_deal(self) -> None:
        refuses(after(self.lost(), NameLeader(0)), NameLeader(1), Reason.NOT_NOW)
        refuses(between((0, 2)), NameLeader(0), Reason.NOT_NOW)
        refuses(start(NATIONAL_2017), NameLeader(0), Reason.NOT_NOW)

    def test_the_deal_after_that_is_as_usual_again(self) -> None:
        state = finished(after(self.lost(), NameLeader(0), OpenDeal(BOARD)), (0, 1, 2, 3))
        events = phases.decide(state, OpenDeal(BOARD_WITHOUT_RESISTING))
        assert kinds(events) == ["Dealt", "TributeDue"]

    def test_at_the_own_a_of_the_other_side_it_passes_a(self) -> None:
        results = self.lost().standing.results
        standing = standing_of(HUAIAN, levels=(4, 12), level=12, level_side=1, results=results)
        state = after(BetweenDeals(replace(standing, named=0)), OpenDeal(BOARD), LoseDeal(0))
        assert expect(GameOver, state).ended.levels == (4, PAST_A)

    def test_at_the_own_a_of_the_losers_it_counts_as_failed(self) -> None:
        rules = replace(HUAIAN, failed_a_limit=3)
        results = self.lost().standing.results
        standing = standing_of(rules, levels=(12, 4), level=12, level_side=0, results=results)
        state = after(BetweenDeals(replace(standing, named=0)), OpenDeal(BOARD), LoseDeal(0))
        assert state.standing.failed_a == (1, 0)


def test_a_seat_that_lets_its_time_run_out_is_answered_for() -> None:
    """National art. 6: a leader's smallest single, anyone else passes; told as automatic."""
    state = playing("S9 D4 C4", "S5 S6", "S6 S7", "S8 S9")
    events = phases.decide(state, TimeOut(0))
    assert events[0] == Played(0, (parse_card("C4"),), Reading(PlayType.SINGLE, 2, 1), automatic=True)
    passed = phases.decide(after(state, TimeOut(0)), TimeOut(1))
    assert passed == (Passed(1, automatic=True),)


def test_a_leader_with_nothing_but_wilds_plays_a_level_card() -> None:
    state: State = playing("H7 H7", "S5 S6", "S6 S8", "S8 S9", level="7")
    card = parse_card("H7")
    led = Played(0, (card,), Reading(PlayType.SINGLE, 5, 1), automatic=True)
    assert phases.decide(state, TimeOut(0))[0] == led
    state = after(state, TimeOut(0), Pass(1), Pass(2), Pass(3))
    assert kinds(phases.decide(state, TimeOut(0))) == ["Played", "WentOut"]
