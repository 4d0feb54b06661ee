"""Signals that ask to end are heard once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from broker.endings import deaf, give_up, on_ending

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_tidying_up_is_not_cut_short() -> None:
    tidied = False
    with pytest.raises(KeyboardInterrupt), on_ending(give_up):
        try:
            os.kill(os.getpid(), signal.SIGINT)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)
            tidied = True
    assert tidied


def test_whoever_asks_first_is_heard_and_nobody_after() -> None:
    heard = []
    with on_ending(lambda: heard.append("outer")), on_ending(lambda: heard.append("inner"), signal.SIGHUP):
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)
    assert heard == ["inner"]


def test_without_a_signal_all_is_as_it_was() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with on_ending(give_up):
        assert signal.getsignal(signal.SIGTERM) not in before
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_what_must_be_whole_is_not_disturbed() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with deaf():
        for number in SIGNALS:
            os.kill(os.getpid(), number)
    assert [signal.getsignal(number) for number in SIGNALS] == before
