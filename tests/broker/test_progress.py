"""Progress in lines, and when a game is over."""

from __future__ import annotations

import io
import json

from broker.outcome import Deal, Latency, Outcome, describe, percentile
from broker.progress import Progress
from broker.replay import Language


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def told(*records: tuple[str, dict[str, object]]) -> bytes:
    return json.dumps(
        {"records": [json.dumps({"kind": kind, "body": body}) for kind, body in records]}
    ).encode()


GAME = (
    ("boards_committed", {"boards": [{"board": "b1"}, {"board": "b2"}]}),
    ("dealt", {"deal": 1, "level": "T"}),
    ("played", {"cards": "S3 H3"}),
    ("went_out", {"seat": 1, "place": 1}),
    ("deal_ended", {"levels_before": ["2", "2"], "levels_after": ["2", "5"]}),
    ("game_ended", {"score": [10, 16]}),
    ("board_opened", {"board": "b1"}),
)


def test_lines_of_a_game() -> None:
    out = io.StringIO()
    progress = Progress("t1", ("A", "B", "C", "D"), Language.ENGLISH, out)
    progress.heard("tbl/t1/ev", told(*GAME))
    assert out.getvalue().splitlines() == [
        "Deal 1, level 10",
        "  B is out, place 1",
        "  levels 2 : 2 → 2 : 5",
        "Game over, 26-point score 10 : 16",
    ]


def test_a_game_is_over_once_its_last_board_is_opened() -> None:
    progress = Progress("t1", ("A", "B", "C", "D"), Language.CHINESE, io.StringIO())
    progress.heard("tbl/t1/ev", told(*GAME))
    progress.heard("tbl/t2/ev", told(("board_opened", {"board": "b2"})))
    assert not progress.over.is_set()
    progress.heard("tbl/t1/ev", told(("board_opened", {"board": "b2"})))
    assert progress.over.is_set()


def test_a_terminal_gets_a_bar_that_leaves_nothing_behind() -> None:
    out = Terminal()
    progress = Progress("t1", ("A", "B", "C", "D"), Language.CHINESE, out)
    progress.heard("tbl/t1/ev", told(*GAME[:4]))
    assert "] 2/108" in out.getvalue()
    assert out.getvalue().endswith("\r\033[K  B 出完，第 1 名\n")


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert (percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1.0)) == (50.0, 99.0, 100.0)
    assert percentile([7.0], 0.5) == percentile([7.0], 0.99) == 7.0
    assert percentile([], 0.5) is None


def test_the_outcome_in_words() -> None:
    outcome = Outcome(
        [Deal([1, 3], ["2", "2"], ["2", "6"])], [9, 17], 80, True, Latency(1.5, 4.0), "mosquitto"
    )
    english = describe(outcome, Language.ENGLISH)
    assert "Deal 1: seats by place 2 4, levels 2 : 2 → 2 : 6" in english
    assert "Score (of 26) 9 : 17" in english and "p50 1.5 ms" in english
    assert english.endswith("The log is verified")
    unfinished = Outcome([], [], 0, False, Latency(None, None), "embedded")
    assert "未通过" in describe(unfinished, Language.CHINESE)
