"""Where things lie: bands, stations and controls keep apart on every screen and text scale."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from terminal.layout import (
    Rect,
    action_bar,
    commit_bar,
    edge_height,
    gap,
    laid_cards,
    laid_size,
    laid_step,
    stations,
    zones,
)
from terminal.theme import MM_TARGET, Theme, dpi_of

SIZES = ((1280, 800), (800, 480), (1024, 600), (1920, 1080))
THEMES = [
    Theme(*size, dpi_of(*size), scale, left_handed=left)
    for size in SIZES
    for scale in (1.0, 1.25, 1.5)
    for left in (False, True)
]


@pytest.fixture(params=THEMES, ids=lambda theme: f"{theme.width}-{theme.text_scale}-{theme.left_handed}")
def theme(request: pytest.FixtureRequest) -> Theme:
    given: Theme = request.param
    return given


def test_bands_fill_the_screen_from_top_to_bottom(theme: Theme) -> None:
    area = zones(theme)
    bands = [band for band in (area.bar, area.others, area.strip, area.hand, area.actions) if band]
    screen = Rect(0, 0, theme.width, theme.height)
    assert all(screen.contains(band) for band in bands)
    assert all(upper.y >= lower.top for upper, lower in pairwise(bands))
    assert sum(band.h for band in bands) >= theme.height - theme.dp(8)


def test_the_hand_is_the_largest_band(theme: Theme) -> None:
    area = zones(theme)
    assert area.hand.h >= 0.36 * theme.height


def test_stations_keep_apart_and_above_the_hand(theme: Theme) -> None:
    spots = stations(theme)
    players = [spots.left, spots.opposite, spots.right]
    rects = [rect for spot in players for rect in (spot.plate, spot.laid, spot.caption) if rect]
    rects.append(spots.turn)
    if spots.own:
        rects.append(spots.own.plate)
    assert not [pair for pair in combinations(rects, 2) if pair[0].overlaps(pair[1])]
    assert all(rect.y >= zones(theme).hand.top and rect.top <= zones(theme).bar.y for rect in rects)


def test_the_next_player_stands_at_the_right(theme: Theme) -> None:
    spots = stations(theme)
    assert spots.left.plate.x < spots.opposite.plate.x < spots.right.plate.x


@pytest.mark.parametrize("count", range(1, 11))
def test_laid_cards_stay_in_their_place(theme: Theme, count: int) -> None:
    for spot in (stations(theme).left, stations(theme).right, stations(theme).opposite):
        cards = laid_cards(spot.laid, count, laid_size(theme), laid_step(theme), spot.align)
        assert len(cards) == count
        assert all(spot.laid.contains(card) for card in cards)
        assert all(b.x - a.x >= theme.dp(12) for a, b in pairwise(cards))


def test_five_cards_do_not_overlap(theme: Theme) -> None:
    spot = stations(theme).left
    cards = laid_cards(spot.laid, 5, laid_size(theme), laid_step(theme), "left")
    assert all(a.right <= b.x for a, b in pairwise(cards))


@pytest.mark.parametrize("widths", [(90, 130, 90), (140, 260, 140)])
def test_pass_is_far_from_everything_else(theme: Theme, widths: tuple[int, int, int]) -> None:
    bar = action_bar(theme, widths)
    targets = [bar.passing, *bar.sorts, bar.commit]
    assert all(
        a.right + theme.dp(40) <= b.x or b.right + theme.dp(40) <= a.x
        for a, b in ((bar.passing, other) for other in targets[1:])
    )
    between = sorted(targets, key=lambda rect: rect.x)
    assert all(b.x - a.right >= gap(theme) - 1 for a, b in pairwise(between))
    assert {between[0], between[-1]} == {bar.passing, bar.commit}
    assert (between[0] is bar.commit) == theme.left_handed


def test_targets_are_nine_millimetres_high_and_clear_of_the_edge_bar(theme: Theme) -> None:
    bar, under = action_bar(theme, (90, 130, 90)), commit_bar(theme)
    for rect in (bar.passing, *bar.sorts, bar.commit, under.back, under.commit):
        assert rect.h >= theme.dp(MM_TARGET) - 1
        assert rect.y >= edge_height(theme) - 1
        assert zones(theme).actions.contains(rect)


def test_controls_under_a_panel_keep_apart(theme: Theme) -> None:
    bar = commit_bar(theme)
    assert not bar.note.overlaps(bar.time) and not bar.time.overlaps(bar.commit)
    assert not bar.back.overlaps(bar.beside_back) and not bar.beside_back.overlaps(bar.commit)


def test_rows_and_columns_fill_a_rectangle() -> None:
    rect = Rect(3, 5, 101, 67)
    columns, rows = rect.columns(4, 7), rect.rows(3, 5)
    assert columns[0].x == rect.x and columns[-1].right == rect.right
    assert rows[0].top == rect.top and rows[-1].y == rect.y
    assert all(round(b.x - a.right) == 7 for a, b in pairwise(columns))
    assert all(round(a.y - b.top) == 5 for a, b in pairwise(rows))
