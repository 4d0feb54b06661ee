"""The own hand in columns: every card is there, readable, and found by a touch."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.engine.cards import Cards, order_of, parse_cards, wild
from terminal.columns import HandLayout, columns, faces, lay_hand, raised_slots
from terminal.layout import zones
from terminal.theme import Theme, dpi_of
from tests.strategies import hands
from tests.terminal.screens.scene import LEVEL, WORST_HAND
from tests.terminal.screens.states import SPREAD_HAND, TALL_HAND

LARGE, SMALL = (Theme(*size, dpi_of(*size)) for size in ((1280, 800), (800, 480)))
levels = st.integers(0, 12)
both = st.sampled_from((LARGE, SMALL))


def laid(hand: Cards, level: int, theme: Theme) -> HandLayout:
    return lay_hand(zones(theme).hand, columns(hand, level), theme)


@given(hands(), levels)
def test_every_card_stands_in_exactly_one_column(hand: Cards, level: int) -> None:
    assert Counter(card for column in columns(hand, level) for card in column) == Counter(hand)


@given(hands(), levels)
def test_columns_go_from_the_highest_rank_to_the_lowest(hand: Cards, level: int) -> None:
    order = [{order_of(card, level) for card in column} for column in columns(hand, level)]
    assert all(len(ranks) == 1 for ranks in order)
    firsts = [min(ranks) for ranks in order]
    assert firsts == sorted(firsts, reverse=True)


@given(hands(), levels)
def test_a_wild_is_never_covered_by_another_card(hand: Cards, level: int) -> None:
    for column in columns(hand, level):
        covered = column[: len(column) - column.count(wild(level))]
        assert wild(level) not in covered


@given(hands(), levels)
def test_a_free_column_takes_the_overflow(hand: Cards, level: int) -> None:
    sizes = [len(column) for column in columns(hand, level)]
    assert len(sizes) <= 15
    assert len(sizes) == 15 or max(sizes, default=0) <= 4


@given(hands(27, 27), levels, both)
def test_all_cards_lie_in_the_zone_of_the_hand(hand: Cards, level: int, theme: Theme) -> None:
    layout = laid(hand, level, theme)
    every = range(len(hand))
    lifts = layout.lifts(every)
    assert all(layout.zone.contains(slot.rect.moved(0, lifts[i])) for i, slot in enumerate(layout.slots))
    for column in range(len(layout.heads)):
        head = layout.head(column, lifts)
        assert head is None or head.h >= theme.dp(20)


@given(hands(27, 27), levels, both)
def test_neighbouring_columns_do_not_overlap(hand: Cards, level: int, theme: Theme) -> None:
    rects = {slot.column: slot.rect for slot in laid(hand, level, theme).slots}
    assert all(rects[i].right < rects[i + 1].x for i in range(len(rects) - 1))


@given(hands(1, 27), levels, both, st.data())
def test_a_touch_on_what_is_seen_of_a_card_finds_it(
    hand: Cards, level: int, theme: Theme, data: st.DataObject
) -> None:
    layout = laid(hand, level, theme)
    raised = data.draw(st.sets(st.integers(0, len(hand) - 1)))
    lifts = layout.lifts(raised)
    for i, slot in enumerate(layout.slots):
        top = slot.rect.top + lifts[i]
        covered = slot.strip and layout.slots[i + 1].rect.top + lifts[i + 1]
        low = max(slot.rect.y + lifts[i], covered or 0)
        assert layout.slot_at(slot.rect.x + slot.rect.w / 2, (low + top) / 2, lifts) == i


@given(hands(1, 27), levels, both, st.data())
def test_raising_a_card_lifts_all_behind_it(
    hand: Cards, level: int, theme: Theme, data: st.DataObject
) -> None:
    layout = laid(hand, level, theme)
    raised = data.draw(st.sets(st.integers(0, len(hand) - 1)))
    lifts = layout.lifts(raised)
    assert all(lifts[i] == layout.lift for i in raised)
    for (i, back), (k, front) in pairwise(enumerate(layout.slots)):
        assert back.column != front.column or lifts[i] >= lifts[k]


@given(hands(1, 27), levels, st.data())
def test_a_selection_is_shown_by_as_many_slots_and_by_the_same_ones_as_before(
    hand: Cards, level: int, data: st.DataObject
) -> None:
    layout = laid(hand, level, LARGE)
    before = frozenset(data.draw(st.sets(st.integers(0, len(hand) - 1))))
    selected = faces(layout, before)
    assert raised_slots(layout, before, selected) == before
    assert faces(layout, raised_slots(layout, (), selected)) == selected


@pytest.mark.parametrize("theme", [LARGE, SMALL])
@pytest.mark.parametrize("hand", [WORST_HAND, SPREAD_HAND, TALL_HAND])
def test_strips_are_readable_in_the_worst_hands(hand: Cards, theme: Theme) -> None:
    layout = laid(hand, LEVEL, theme)
    least = min(slot.strip for slot in layout.slots if slot.strip)
    tallest = max(layout.sizes)
    assert least >= theme.dp(50 if tallest <= 4 else 22)


def test_a_column_is_at_least_nine_millimetres_wide() -> None:
    for theme in (LARGE, SMALL):
        slot = laid(WORST_HAND, LEVEL, theme).slots[0]
        assert slot.rect.w >= theme.dp(57)


def test_cards_set_aside_stand_together_at_the_left() -> None:
    aside = parse_cards("S9 S8 S7")
    groups = columns(WORST_HAND, LEVEL, (aside,))
    assert set(groups[0]) == set(aside)
    assert Counter(card for column in groups for card in column) == Counter(WORST_HAND)


def test_cards_that_are_gone_are_not_set_aside() -> None:
    assert columns(parse_cards("S2 S3"), LEVEL, (parse_cards("S9 S8"),)) == columns(
        parse_cards("S2 S3"), LEVEL
    )
