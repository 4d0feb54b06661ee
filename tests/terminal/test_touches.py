"""Touches that are reported twice count once."""

from __future__ import annotations

from terminal.touches import Twins


def test_a_second_provider_is_dropped_at_the_same_place_and_time() -> None:
    twins = Twins()
    assert not twins.is_twin("mouse", (100, 100), 1_000)
    assert twins.is_twin("mtdev", (104, 98), 1_060)


def test_a_fast_second_tap_of_the_same_device_counts() -> None:
    twins = Twins()
    assert not twins.is_twin("mouse", (100, 100), 1_000)
    assert not twins.is_twin("mouse", (100, 100), 1_050)


def test_another_finger_elsewhere_counts() -> None:
    twins = Twins()
    assert not twins.is_twin("mouse", (100, 100), 1_000)
    assert not twins.is_twin("mtdev", (400, 100), 1_010)


def test_a_later_touch_counts() -> None:
    twins = Twins()
    assert not twins.is_twin("mouse", (100, 100), 1_000)
    assert not twins.is_twin("mtdev", (100, 100), 1_081)
