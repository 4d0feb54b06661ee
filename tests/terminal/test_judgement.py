"""Judgement: a seat offers exactly what the authority would accept."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import Cards, parse_card, parse_cards
from broker.engine.game import Decision, DecisionKind
from broker.engine.guandan.combinations import PlayType, Reading
from broker.engine.guandan.plays import legal_plays
from broker.engine.guandan.readings import readings
from broker.engine.guandan.rules import NATIONAL_2017
from broker.engine.guandan.views import Laid, OwnView
from broker.engine.refusal import Reason
from terminal import judgement
from terminal.judgement import Question
from tests.strategies import hands
from tests.terminal.authority import public_view


def question(hand: Cards, laid: Laid | None = None, level: int = 0) -> Question:
    owes = DecisionKind.FOLLOW if laid else DecisionKind.LEAD
    public = public_view(level=level, table=laid, open=(Decision(0, owes),))
    return Question(owes, public, OwnView(hand, (), None, None), NATIONAL_2017)


def some_play(hand: Cards, level: int, chance: random.Random) -> Laid | None:
    """A play of another seat, or None for a lead."""
    plays = legal_plays(hand, level, None)
    return None if chance.random() < 0.3 else Laid(3, *plays[chance.randrange(len(plays))])


@given(hands(1, 12), hands(1, 12), st.integers(0, 12), st.randoms(use_true_random=False))
def test_offers_what_is_legal_and_nothing_else(
    hand: Cards, other: Cards, level: int, chance: random.Random
) -> None:
    laid = some_play(other, level, chance)
    asked = question(hand, laid, level)
    legal = list(legal_plays(hand, level, laid.reading if laid else None))
    assert judgement.can_beat(asked) == bool(legal)
    by_cards: dict[Cards, set[Reading]] = {}
    for play in legal:
        by_cards.setdefault(play.cards, set()).add(play.reading)
    for cards in [*by_cards][:40]:
        assert set(judgement.options(asked, cards)) == by_cards[cards]
        assert judgement.problem(asked, cards) is None
    any_cards = tuple(sorted(chance.sample(hand, chance.randint(1, len(hand)))))
    assert set(judgement.options(asked, any_cards)) == by_cards.get(any_cards, set())
    assert (judgement.problem(asked, any_cards) is None) == (any_cards in by_cards)


@given(hands(5, 27), st.integers(0, 12))
def test_straight_flushes_are_all_found_best_first(hand: Cards, level: int) -> None:
    found = judgement.straight_flushes(hand, level, None)
    plays = legal_plays(hand, level, None)
    legal = {play.cards for play in plays if play.reading.type is PlayType.STRAIGHT_FLUSH}
    assert set(found) == legal


def test_the_last_word_is_that_of_the_highest_reading() -> None:
    laid = Laid(3, *legal_plays(parse_cards("SA HA DA CA"), 0, None)[-1])
    problem = judgement.problem(question(parse_cards("H2 S4 H5 D6 C7"), laid), parse_cards("H2 S4 H5 D6 C7"))
    assert problem is not None
    assert (problem.reason, problem.article) == (Reason.DOES_NOT_BEAT, "9")


def test_cards_of_someone_else_are_refused() -> None:
    problem = judgement.problem(question(parse_cards("S3")), parse_cards("S4"))
    assert problem is not None and problem.reason is Reason.CARDS_NOT_HELD


def test_a_return_must_be_one_of_the_faces_told() -> None:
    own = OwnView(parse_cards("S3 S4 BJ"), parse_cards("S3 S4"), None, None)
    asked = Question(DecisionKind.GIVE_BACK, public_view(), own, NATIONAL_2017)
    assert judgement.problem(asked, (parse_card("S3"),)) is None
    for cards in ("BJ", "S3 S4"):
        problem = judgement.problem(asked, parse_cards(cards))
        assert problem is not None and problem.reason is Reason.WRONG_RETURN
    assert readings(parse_cards("S3"), 0) and judgement.options(asked, parse_cards("S3")) == ()
