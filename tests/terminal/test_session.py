"""The session: what it believes, what it sends, what it tells."""

from __future__ import annotations

import random

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from broker.engine.cards import Cards, parse_card, parse_cards
from broker.engine.game import DecisionKind
from broker.engine.guandan.combinations import PlayType
from broker.engine.guandan.views import Phase
from broker.engine.refusal import Reason
from broker.protocol.messages import Announcement
from broker.protocol.verdict import Verdict
from terminal.session import Answered, Remark
from tests.terminal.authority import DEVICE, EVENT, TABLE, Authority, public_view

HAND = "S3 H4 D4 SK HK SA"


@pytest.fixture
def authority() -> Authority:
    authority = Authority()
    authority.connect()
    return authority


def notice_of(authority: Authority) -> str:
    assert authority.session.notice is not None
    return authority.session.notice.key


def select(authority: Authority, text: str) -> Cards:
    cards = parse_cards(text)
    authority.session.choose(cards)
    return cards


# --- greeting ------------------------------------------------------------------------------------


def test_hello_is_the_first_act_and_names_the_boot() -> None:
    authority = Authority()
    assert authority.session.link.state == "offline"
    authority.session.online("b1")
    (hello,) = authority.sent()
    assert (hello.kind, hello.args["boot"], hello.seq) == ("hello", "b1", 1)
    assert (hello.event, hello.table, hello.answers, hello.seen.n) == ("", "", 0, 0)
    assert hello.session == authority.session.id and len(hello.session) == 16
    assert authority.sent() == []


def test_seated_and_shown_after_the_snapshot(authority: Authority) -> None:
    session = authority.session
    assert session.link.state == "online"
    assert (session.seat, session.rules.name if session.rules else "") == (0, "national-guandan-2017")
    assert session.view is not None and session.view.public.phase is Phase.WAITING


def test_new_boot_or_reconnection_is_greeted_again_in_the_same_session(authority: Authority) -> None:
    session, name = authority.session, authority.session.id
    authority.beat(boot="b2")
    assert session.link.state == "connecting"
    session.offline("lost")
    assert (session.link.state, session.link.cause, session.outgoing()) == ("offline", "lost", [])
    session.online("b2")
    hellos = authority.sent()
    assert [hello.kind for hello in hellos] == ["hello"]
    assert (hellos[0].session, hellos[0].seq, hellos[0].event) == (name, 3, EVENT)
    authority.welcome()
    assert session.link.state == "online"


def test_lost_authority_is_not_current_and_greeted_when_it_is_back(authority: Authority) -> None:
    authority.beat("lost")
    assert (authority.session.link.state, authority.session.link.cause) == ("offline", "lost")
    authority.beat("ready")
    assert [act.kind for act in authority.sent()] == ["hello"]


def test_full_storage_of_the_authority_keeps_the_table_shown(authority: Authority) -> None:
    authority.beat("storage")
    assert authority.session.link.state == "online"


def test_every_beat_asks_again_while_not_up_to_date(authority: Authority) -> None:
    authority.beat(boot="b2")
    first = authority.sent()
    authority.beat(boot="b2")
    second = authority.sent()
    assert [act.kind for act in first + second] == ["hello", "hello"]
    assert second[0].seq == first[0].seq + 1


def test_another_authority_is_not_believed() -> None:
    authority = Authority()
    authority.session.online("b1")
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    authority.session.receive(authority.seating(authority_key=other))
    authority.session.receive(authority.update(snapshot=True))
    assert (authority.session.seating, authority.session.view) == (None, None)
    assert notice_of(authority) == Remark.FOREIGN_AUTHORITY
    assert authority.session.link.state == "connecting"


def test_rules_that_cannot_be_read_are_said(authority: Authority) -> None:
    authority.session.receive(authority.seating(rules={"name": "of tomorrow"}))
    assert notice_of(authority) == Remark.UNKNOWN_RULES
    assert authority.session.link.cause == "rules"


def test_seating_of_an_older_session_is_ignored() -> None:
    authority = Authority()
    authority.session.online("b1")
    authority.session.receive(authority.seating(session="0" * 16))
    assert authority.session.seating is None


# --- the chain -----------------------------------------------------------------------------------


def test_updates_that_continue_the_chain_are_shown(authority: Authority) -> None:
    before = authority.session.version
    authority.public = public_view(leader=2)
    authority.session.receive(authority.update(authority.grow(), authority.grow(), own=False))
    assert authority.session.view is not None and authority.session.view.public.leader == 2
    assert authority.session.version > before


@pytest.mark.parametrize("break_it", ["gap", "fork", "epoch", "table", "foreign", "number", "unreadable"])
def test_what_does_not_continue_the_chain_is_not_shown(authority: Authority, break_it: str) -> None:
    session, shown = authority.session, authority.session.view
    authority.public = public_view(leader=3)
    match break_it:
        case "gap":
            authority.grow()
            update = authority.update(authority.grow())
        case "fork":
            update = authority.update(authority.grow(), hash="00" * 32)
        case "epoch":
            update = authority.update(authority.grow(), epoch=2)
        case "table":
            update = authority.update(authority.grow(), table="t2")
        case "foreign":
            update = authority.update(authority.grow(table="t2"))
        case "number":
            update = authority.update(authority.grow(n=7))
        case _:
            text = authority.grow()
            update = authority.update(text[:-1])
    session.receive(update)
    assert session.view is shown
    assert (session.link.state, notice_of(authority)) == ("connecting", Remark.PAST_BROKEN)
    assert [act.kind for act in authority.sent()] == ["hello"]
    assert session.pass_turn() is False


def test_after_a_gap_only_a_snapshot_helps(authority: Authority) -> None:
    authority.grow()
    authority.tell()
    authority.tell()
    assert authority.session.link.state == "connecting"
    authority.welcome()
    assert authority.session.link.state == "online"
    authority.tell()
    assert authority.session.link.state == "online"


def test_a_message_that_comes_twice_changes_nothing(authority: Authority) -> None:
    update = authority.update(authority.grow())
    authority.session.receive(update)
    shown = authority.session.view
    authority.session.receive(update)
    assert authority.session.link.state == "online" and authority.session.view is shown


def test_an_authority_that_has_forgotten_is_not_followed_back(authority: Authority) -> None:
    authority.tell()
    authority.tell()
    authority.begin_chain()
    authority.beat(boot="b2")
    authority.welcome()
    assert (authority.session.link.state, authority.session.link.cause) == ("connecting", "fork")


def test_a_new_epoch_starts_over(authority: Authority) -> None:
    authority.turn(HAND)
    select(authority, "S3")
    authority.epoch = 2
    authority.begin_chain()
    authority.clocks = ()
    authority.welcome()
    assert authority.session.link.state == "online"
    assert (authority.session.selected, authority.session.owes()) == ((), None)
    authority.tell()
    assert authority.session.link.state == "online"


@pytest.mark.parametrize("lie", ["signature", "record", "text"])
def test_own_cards_that_are_not_the_authoritys_word_are_refused(authority: Authority, lie: str) -> None:
    shown = authority.session.view
    text = authority.grow()
    match lie:
        case "signature":
            own = authority.sealed(Ed25519PrivateKey.generate())
        case "record":
            own = authority.sealed(n=authority.n - 1)
        case _:
            own = "!"
    authority.session.receive(authority.update(text, own=own))
    assert authority.session.view is shown
    assert authority.session.link.state == "connecting"
    assert authority.session.link.cause == ("unreadable" if lie == "text" else "own")
    assert notice_of(authority) == (Remark.PAST_BROKEN if lie == "text" else Remark.OWN_REFUSED)


def test_the_own_view_stays_while_it_has_not_changed(authority: Authority) -> None:
    authority.turn(HAND)
    authority.tell(own=False)
    assert authority.session.view is not None and authority.session.view.own is not None
    assert authority.session.view.own.hand == parse_cards(HAND)


# --- selection -----------------------------------------------------------------------------------


def test_selection_counts_copies(authority: Authority) -> None:
    authority.turn("S7 S7 H9")
    session, seven = authority.session, parse_card("S7")
    for expected in ((seven,), (seven, seven), ()):
        session.toggle(seven)
        assert session.selected == expected
    session.add(seven)
    session.add(parse_card("SA"))
    assert session.selected == (seven,)
    session.drop(seven)
    session.drop(seven)
    assert session.selected == ()


def test_selected_cards_that_are_gone_are_dropped(authority: Authority) -> None:
    authority.turn(HAND)
    select(authority, "S3 SK HK")
    authority.others_turn("H4 D4 SK HK SA")
    assert authority.session.selected == parse_cards("SK HK")


def test_another_deal_drops_the_selection(authority: Authority) -> None:
    authority.turn(HAND)
    select(authority, "SK")
    authority.public = public_view(deal=2)
    authority.tell()
    assert authority.session.selected == ()


# --- judgement -----------------------------------------------------------------------------------


def test_options_and_problem_follow_the_rules(authority: Authority) -> None:
    session = authority.session
    authority.turn("S3 H4 D4 SK HK CK SA", laid="SQ HQ")
    select(authority, "SK HK")
    assert [reading.type for reading in session.options()] == [PlayType.PAIR]
    assert session.problem() is None
    for cards, reason in (("H4 D4", Reason.DOES_NOT_BEAT), ("S3 H4", Reason.NOT_A_PLAY)):
        select(authority, cards)
        problem = session.problem()
        assert session.options() == () and problem is not None and problem.reason is reason
    assert session.can_pass() and not session.must_pass()


def test_all_readings_are_offered(authority: Authority) -> None:
    authority.turn("H2 S4 H5 D6 C7 SK")
    select(authority, "H2 S4 H5 D6 C7")
    assert len(authority.session.options()) == 2


def test_must_pass_when_nothing_beats(authority: Authority) -> None:
    authority.turn("S3 H4", laid="SA")
    assert authority.session.must_pass()


def test_nothing_is_judged_while_nothing_is_owed(authority: Authority) -> None:
    authority.others_turn(HAND)
    select(authority, "S3 H4")
    session = authority.session
    assert (session.options(), session.problem()) == ((), None)
    assert (session.can_pass(), session.owes()) == (False, None)


def test_tribute_allows_the_faces_told_and_no_others(authority: Authority) -> None:
    authority.turn("ST CT S9", kind=DecisionKind.TRIBUTE, allowed="ST CT")
    session = authority.session
    assert session.allowed() == parse_cards("ST CT")
    assert session.pay_tribute(parse_card("S9")) is False
    assert (notice_of(authority), session.notice.article if session.notice else "") == ("wrong_tribute", "11")
    assert session.give_back(parse_card("ST")) is False
    assert session.pay_tribute(parse_card("ST"))
    (act,) = authority.sent()
    assert (act.kind, act.args) == ("pay_tribute", {"card": "ST"})


def test_straight_flushes_with_fewest_wilds_first(authority: Authority) -> None:
    authority.turn("S3 S4 S5 S6 S7 S8 H2 HK")
    flushes = authority.session.straight_flushes()
    assert flushes[:2] == [parse_cards("S4 S5 S6 S7 S8"), parse_cards("S3 S4 S5 S6 S7")]
    assert all(parse_card("H2") in cards for cards in flushes[2:])


# --- acts ----------------------------------------------------------------------------------------


def test_an_act_says_what_it_answers_and_what_was_seen(authority: Authority) -> None:
    authority.turn(HAND)
    authority.wait(700)
    select(authority, "SK HK")
    assert authority.session.play(authority.session.options()[0])
    (act,) = authority.sent()
    assert (act.kind, act.args) == ("play", {"cards": "SK HK", "type": "pair", "rank": "K"})
    assert (act.event, act.table, act.deal, act.device, act.seq) == (EVENT, TABLE, 1, DEVICE, 2)
    assert (act.answers, act.seen.n, act.seen.hash) == (1, 1, authority.hash.hex())
    assert act.acted - act.shown == 700


def test_nothing_is_shown_before_the_answer_and_the_table_after_it(authority: Authority) -> None:
    session = authority.session
    authority.turn("S7 S7 H9")
    select(authority, "S7")
    assert session.play(session.options()[0])
    assert session.pending is not None and session.pending.cards == parse_cards("S7")
    session.toggle(parse_card("H9"))
    assert session.selected == parse_cards("S7")
    (act,) = authority.sent()
    text = authority.grow()
    authority.answer(act)
    assert session.pending is not None and session.owes() is None
    authority.own = authority.own.__class__(parse_cards("S7 H9"), (), None, None)
    authority.clocks = ()
    session.receive(authority.update(text))
    assert (session.pending, session.selected) == (None, ())
    assert authority.heard[-1] == Answered(act.id, "play", "ok", resent=False)


def test_one_act_at_a_time(authority: Authority) -> None:
    authority.turn(HAND, laid="SQ HQ")
    assert authority.session.pass_turn()
    assert authority.session.pass_turn() is False
    assert notice_of(authority) == Remark.PENDING
    assert [act.kind for act in authority.sent()] == ["pass"]


def test_what_is_not_allowed_is_not_sent(authority: Authority) -> None:
    session = authority.session
    assert session.pass_turn() is False and notice_of(authority) == Remark.NOTHING_OWED
    authority.turn(HAND, laid="SQ HQ")
    select(authority, "SK HK")
    king = session.options()[0]
    select(authority, "H4 D4")
    assert session.play(king) is False and notice_of(authority) == Reason.DOES_NOT_BEAT
    authority.paused = "call"
    authority.tell()
    assert session.pass_turn() is False and notice_of(authority) == Verdict.PAUSED
    session.offline()
    assert session.pass_turn() is False and notice_of(authority) == Remark.OFFLINE
    assert session.outgoing() == []


def test_a_refusal_says_reason_and_article_and_keeps_the_selection(authority: Authority) -> None:
    session = authority.session
    authority.turn(HAND)
    select(authority, "SK HK")
    session.play(session.options()[0])
    (act,) = authority.sent()
    authority.answer(act, "does_not_beat", "9")
    assert session.pending is None and session.selected == parse_cards("SK HK")
    assert session.notice is not None
    assert (session.notice.key, session.notice.article) == ("does_not_beat", "9")
    session.dismiss()
    assert session.notice is None


def test_ready_once_with_a_fresh_nonce(authority: Authority) -> None:
    assert authority.session.ready()
    (act,) = authority.sent()
    assert (act.kind, act.deal, act.answers, len(act.args["nonce"])) == ("ready", 0, 0, 32)
    authority.ready = (0,)
    text = authority.grow()
    authority.answer(act)
    authority.session.receive(authority.update(text))
    assert authority.session.ready() is False


def test_chance_repeats_nonces_but_never_ids() -> None:
    acts = []
    for _ in range(2):
        authority = Authority(random.Random(7))
        authority.connect()
        authority.session.ready()
        acts += authority.sent()
    assert acts[0].args == acts[1].args
    assert acts[0].id != acts[1].id and acts[0].session != acts[1].session


# --- breaks --------------------------------------------------------------------------------------


def act_lost_in_a_break(authority: Authority) -> bytes:
    """An act was sent and not answered; the connection is back and the hello answered."""
    authority.turn(HAND, laid="SQ HQ")
    authority.session.pass_turn()
    (raw,) = authority.session.outgoing()
    authority.session.offline("lost")
    authority.session.online("b1")
    hello, again = authority.session.outgoing()
    assert again == raw
    assert authority.read(hello).kind == "hello"
    authority.answer(authority.read(hello))
    return raw


def test_an_act_without_answer_goes_out_again_as_the_same_bytes(authority: Authority) -> None:
    act = authority.read(act_lost_in_a_break(authority))
    authority.welcome()
    assert authority.session.pending is not None
    text = authority.grow()
    authority.answer(act)
    authority.clocks = ()
    authority.session.receive(authority.update(text))
    assert authority.session.pending is None
    assert notice_of(authority) == Remark.CONFIRMED
    assert authority.heard[-1].resent


@pytest.mark.parametrize("code", [Verdict.STALE, Verdict.TIMED_OUT])
def test_a_choice_that_came_too_late_is_dropped_and_said(authority: Authority, code: Verdict) -> None:
    act = authority.read(act_lost_in_a_break(authority))
    authority.grow()
    authority.clocks = ()
    authority.welcome()
    assert authority.session.pending is not None
    authority.answer(act, code)
    assert authority.session.pending is None
    assert notice_of(authority) == code
    authority.session.offline()
    authority.session.online("b1")
    assert [act.kind for act in authority.sent()] == ["hello"]


def test_an_act_that_was_stored_before_the_break_counts_at_once(authority: Authority) -> None:
    """The snapshot already shows it when the stored answer comes."""
    act = authority.read(act_lost_in_a_break(authority))
    authority.grow()
    authority.clocks = ()
    authority.welcome()
    authority.answer(act)
    assert authority.session.pending is None and notice_of(authority) == Remark.CONFIRMED


def test_an_act_that_gets_no_answer_on_a_living_connection_goes_out_again(authority: Authority) -> None:
    authority.turn(HAND, laid="SQ HQ")
    authority.session.pass_turn()
    first = authority.session.outgoing()
    authority.wait(1_500)
    authority.beat()
    assert authority.session.outgoing() == []
    authority.wait(1_000)
    authority.beat()
    assert authority.session.outgoing() == first


def test_an_act_made_in_the_last_moment_before_a_break_is_not_lost(authority: Authority) -> None:
    authority.turn(HAND, laid="SQ HQ")
    authority.session.pass_turn()
    authority.session.offline()
    assert authority.session.outgoing() == []
    authority.session.online("b1")
    assert sorted(act.kind for act in authority.sent()) == ["hello", "pass"]


@pytest.mark.parametrize("code", [Verdict.WRONG_SESSION, Verdict.OUT_OF_SEQUENCE])
def test_a_session_that_is_not_known_any_more_begins_again_once(authority: Authority, code: Verdict) -> None:
    session, old = authority.session, authority.session.id
    authority.turn(HAND, laid="SQ HQ")
    session.pass_turn()
    (act,) = authority.sent()
    authority.answer(act, code)
    (hello,) = authority.sent()
    assert (session.pending, hello.kind, hello.seq) == (None, "hello", 1)
    assert session.id == hello.session != old
    authority.answer(hello, code)
    assert authority.sent() == [] and session.link.cause == code
    authority.welcome()
    assert session.link.state == "online"


def test_a_past_that_the_authority_does_not_know_asks_for_a_snapshot(authority: Authority) -> None:
    authority.turn(HAND, laid="SQ HQ")
    authority.session.pass_turn()
    (act,) = authority.sent()
    authority.answer(act, Verdict.UNKNOWN_PAST)
    assert authority.session.pending is None and authority.session.link.state == "connecting"
    assert [act.kind for act in authority.sent()] == ["hello"]


def test_answers_to_acts_that_are_not_ours_are_ignored(authority: Authority) -> None:
    authority.turn(HAND)
    select(authority, "S3")
    authority.session.play(authority.session.options()[0])
    (act,) = authority.sent()
    authority.answer(msgspec.structs.replace(act, id="0" * 32), "stale")
    assert authority.session.pending is not None


def test_a_device_without_a_seat_waits_and_says_so() -> None:
    authority = Authority()
    authority.session.online("b1")
    (hello,) = authority.sent()
    authority.answer(hello, Verdict.NOT_SEATED)
    assert authority.session.link.cause == Verdict.NOT_SEATED and authority.session.notice is None
    authority.beat()
    assert authority.sent() == []
    authority.welcome()
    assert authority.session.link.state == "online"


# --- time and words ------------------------------------------------------------------------------


def test_clocks_run_by_remaining_time(authority: Authority) -> None:
    authority.turn(HAND)
    authority.wait(5_000)
    face = authority.session.clock_of(0)
    assert face is not None and (face.remaining, face.limit, face.running) == (20_000, 25_000, True)
    assert authority.session.clock_of(1) is None
    authority.wait(60_000)
    face = authority.session.clock_of(0)
    assert face is not None and face.remaining == 0


def test_a_clock_that_stands_still_shows_the_same(authority: Authority) -> None:
    authority.turn(HAND)
    authority.clocks = (msgspec.structs.replace(authority.clocks[0], running=False, remaining=9_000),)
    authority.tell()
    authority.wait(5_000)
    face = authority.session.clock_of(0)
    assert face is not None and (face.remaining, face.running) == (9_000, False)


def test_age_counts_from_the_last_word(authority: Authority) -> None:
    authority.wait(3_000)
    assert authority.session.age() == 3_000
    authority.beat()
    assert authority.session.age() == 0


def test_announcements_are_told(authority: Authority) -> None:
    authority.session.receive(Announcement(key="round_ends", fields={"minutes": "5"}))
    assert authority.session.notice is not None
    assert (authority.session.notice.key, authority.session.notice.fields) == ("round_ends", {"minutes": "5"})
