"""Plays as they are laid on the table."""

from __future__ import annotations

import pytest
from hypothesis import given

from broker.engine.cards import Cards, Rank, format_card, parse_cards, parse_rank, wild
from broker.engine.guandan.arrangement import arrange
from broker.engine.guandan.combinations import PlayType, Reading, parse_reading_rank, parse_type
from broker.engine.guandan.readings import readings
from tests.engine.guandan.oracle import natural_readings, near_plays


@pytest.mark.parametrize(
    ("cards", "declared", "laid"),
    [
        ("HT", "single T", "HT"),
        ("HT HT", "pair T", "HT HT"),
        ("S4 D4 HT", "triple 4", "S4 D4 HT=S4"),
        ("ST HT", "pair T", "ST HT"),
        ("DK S6 D6 SK CK", "full_house K", "SK CK DK S6 D6"),
        ("SK DK S6 D6 HT", "full_house 6", "S6 D6 HT=S6 SK DK"),
        ("S4 D4 C4 HT HT", "full_house 4", "S4 C4 D4 HT HT"),
        ("ST DT CT HT HT", "full_house T", "ST CT DT HT=SA HT=SA"),
        ("S4 HT HT BJ BJ", "full_house 4", "S4 HT=S4 HT=S4 BJ BJ"),
        ("S3 D2 CA S5 S4", "straight 5", "CA D2 S3 S4 S5"),
        ("S4 D5 C6 S7 HT", "straight 7", "HT=S3 S4 D5 C6 S7"),
        ("S9 S8 HT SJ SQ", "straight Q", "S8 S9 HT SJ SQ"),
        ("S4 S5 S6 S7 HT", "straight 8", "S4 S5 S6 S7 HT=H8"),
        ("H9 H8 HT HJ HQ", "straight Q", "H8 H9 HT=ST HJ HQ"),
        ("H9 H8 HT HJ HQ", "straight_flush Q", "H8 H9 HT HJ HQ"),
        ("D9 D8 HT DJ DQ", "straight_flush Q", "D8 D9 HT=DT DJ DQ"),
        ("S7 D7 S8 D8 HT HT", "tube 9", "S7 D7 S8 D8 HT=S9 HT=S9"),
        ("SA DA S2 D2 HT HT", "plate 2", "SA DA HT=SA S2 D2 HT=S2"),
        ("BJ LJ BJ LJ", "joker_bomb -", "LJ LJ BJ BJ"),
    ],
)
def test_at_level_ten(cards: str, declared: str, laid: str) -> None:
    play_type, rank = declared.split()
    size = len(cards.split())
    wanted = Reading(parse_type(play_type), parse_reading_rank(None if rank == "-" else rank), size)
    arranged = arrange(parse_cards(cards), wanted, parse_rank("T"))
    told = [
        format_card(card) if face is None else f"{format_card(card)}={format_card(face)}"
        for card, face in arranged
    ]
    assert " ".join(told) == laid


@given(near_plays())
def test_what_is_laid_is_the_reading_without_any_wild(given: tuple[Cards, Rank]) -> None:
    cards, level = given
    for reading in readings(cards, level):
        laid = arrange(cards, reading, level)
        assert sorted(card for card, _ in laid) == sorted(cards)
        assert all(face is None or card == wild(level) for card, face in laid)
        assert wild(level) not in [face for _, face in laid]
        faces = tuple(sorted(card if face is None else face for card, face in laid))
        assert natural_readings(faces) == {reading}


def test_another_reading_cannot_be_laid() -> None:
    with pytest.raises(ValueError, match="do not make"):
        arrange(parse_cards("S4 D4"), Reading(PlayType.PAIR, 3, 2), 0)
