"""The shuffle is what its description says, and nothing but chance."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from broker.engine import shuffle
from broker.engine.cards import TWO_PACKS, format_cards
from broker.engine.game import Board
from broker.engine.shuffle import board_from, commitment, deal, dealt_to

SEED = bytes(range(32))


def described(seed: bytes, beacon: bytes, name: str) -> tuple[list[int], int, int]:
    """Deck, first and turned, worked out from the text of the module alone."""
    board = name.encode()
    words: list[int] = []
    for block in range(40):
        text = b"paizhuo/1 shuffle" + seed + len(beacon).to_bytes(4, "big") + beacon
        text += len(board).to_bytes(4, "big") + board + block.to_bytes(8, "big")
        digest = sha256(text).digest()
        words += [int.from_bytes(digest[4 * i : 4 * i + 4], "big") for i in range(8)]
    deck = [face for face in range(54) for _ in range(2)]
    numbers = iter(words)
    for i in range(107, 0, -1):
        word = next(numbers)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(numbers)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    first = next(numbers) % 4
    word = next(numbers)
    while word >= 2**32 - 2**32 % 108:
        word = next(numbers)
    return deck, first, word % 108


@pytest.mark.parametrize("beacon", [b"", b"closing figures", bytes(64)])
@pytest.mark.parametrize("name", ["", "b-1", "决赛-3"])
def test_a_board_is_what_the_description_says(beacon: bytes, name: str) -> None:
    board = board_from(SEED, beacon, name)
    deck, first, turned = described(SEED, beacon, name)
    assert board == Board(name, tuple(deck), first, turned)


def test_a_known_board_never_changes() -> None:
    """Published deals must come out the same from every later version."""
    board = board_from(SEED, b"beacon", "r1-b1")
    assert format_cards(board.deck[:8]) == "H8 H4 CK C9 D6 S4 C7 LJ"
    assert (board.first, board.turned) == (0, 26)
    assert (
        commitment(SEED, "r1-b1").hex() == "a93a778742b24c563625f4a6ce34b6269275545381d71006b6f907f92589deee"
    )


def test_every_part_of_the_input_matters() -> None:
    boards = [
        board_from(SEED, b"x", "a"),
        board_from(SEED[::-1], b"x", "a"),
        board_from(SEED, b"y", "a"),
        board_from(SEED, b"x", "b"),
        board_from(SEED, b"", "xa"),
        board_from(SEED, b"xa", ""),
    ]
    assert len({board.deck for board in boards}) == len(boards)


def test_a_deck_is_two_packs_and_every_seat_gets_27_cards() -> None:
    board = board_from(SEED, b"", "b")
    assert tuple(sorted(board.deck)) == TWO_PACKS
    hands = deal(board)
    assert [len(hand) for hand in hands] == [27] * 4
    assert all(list(hand) == sorted(hand) for hand in hands)


@pytest.mark.parametrize("first", range(4))
def test_dealing_goes_counter_clockwise_from_the_first_seat(first: int) -> None:
    deck = board_from(SEED, b"", "b").deck
    board = Board("b", deck, first, 0)
    assert dealt_to(board, 0) == first
    assert dealt_to(board, 1) == (first + 1) % 4
    hands: list[list[int]] = [[], [], [], []]
    for place, card in enumerate(deck):
        hands[dealt_to(board, place)].append(card)
    assert deal(board) == tuple(tuple(sorted(hand)) for hand in hands)


def test_words_past_the_last_whole_multiple_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter([2**32 - 1, 2**32 - 2**32 % 108, 2**32 - 2**32 % 108 - 1, 5])
    monkeypatch.setattr(shuffle, "_words", lambda head: words)
    below = shuffle._numbers(b"")
    assert below(108) == 107
    assert below(108) == 5


def test_every_card_comes_to_every_place_alike() -> None:
    """Chi-square of the first card, who is first and the turned place over 1,500 boards; 0.1 % limits."""
    boards = [board_from(sha256(bytes([n % 256, n // 256])).digest(), b"", "b") for n in range(1500)]

    def chi_square(values: list[int], cells: int) -> float:
        expected = len(values) / cells
        counts = Counter(values)
        return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))

    assert chi_square([board.deck[0] for board in boards], 54) < 90.6
    assert chi_square([board.deck[107] for board in boards], 54) < 90.6
    assert chi_square([board.first for board in boards], 4) < 16.3
    assert chi_square([board.turned for board in boards], 108) < 157.0


def test_a_commitment_binds_seed_and_board_and_is_apart_from_the_shuffle() -> None:
    assert len(commitment(SEED, "b")) == 32
    assert len({commitment(SEED, "b"), commitment(SEED[::-1], "b"), commitment(SEED, "c")}) == 3
    text = b"paizhuo/1 commitment" + SEED + (3).to_bytes(4, "big") + "赛".encode()
    assert commitment(SEED, "赛") == sha256(text).digest()


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        board_from(bytes(length), b"", "b")
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(bytes(length), "b")
