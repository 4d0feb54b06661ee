"""Every state of the seat screen, as scenes of real tables: for pictures and for tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from broker.engine.cards import ACE, Cards, parse_card, parse_cards, parse_rank
from broker.engine.guandan.events import DealEnded, EndCause, Exchange, GameEnded, JokersHeld
from broker.engine.guandan.levels import PAST_A
from broker.engine.guandan.rules import HUAIAN, Rules
from broker.engine.guandan.state import (
    BetweenDeals,
    Choice,
    GameOver,
    GivingBack,
    Playing,
    Transfer,
    Tribute,
)
from broker.engine.guandan.views import Act, TributeView
from broker.engine.refusal import Reason
from broker.engine.seats import SEATS
from broker.protocol.messages import Announcement
from broker.protocol.verdict import Verdict
from terminal.state import Notice
from tests.terminal.screens.scene import (
    CHINESE_NAMES,
    LEVEL,
    RULES,
    WORST_HAND,
    Scene,
    laid,
    playing,
    standing,
)

WILD_HAND = parse_cards("BJ LJ ST HT HT SA DA SK HK CK SJ CJ S9 D9 S8 C8 S7 H7 D6 H5 C5 C5 D5 H4 C3 D3 S2")
TALL_HAND = parse_cards(
    "BJ BJ LJ LJ S5 S5 H5 H5 C5 C5 D5 D5 SA SA HA CA DA DA HT HT ST K".replace("K", "SK") + " S8 H8 C8 D8 S2"
)
SPREAD_HAND = parse_cards("BJ LJ ST HT HA SK HQ SJ S9 H9 S8 H7 S6 H4 S3 S2 S5 S5 H5 H5 C5 C5 D5 D5 C3 D3 C2")
"""Fifteen columns, one of them eight high: the worst case for the height."""
TRIBUTE_HAND = parse_cards("HT ST CT SA HA CA SK HK DK SQ DQ HJ DJ S9 H9 C8 D8 D8 S7 H6 C6 S5 D5 C4 S3 H3 D2")
SHORT_HAND = parse_cards("ST SA SK SJ S9 S7 H7 D6 H5 H4 C3 S2")
SUITED_HAND = parse_cards("HT HT C7 C8 C9 SA DA SK S2 D4")

_FIVE = laid(1, "DQ CQ HT S6 C6")
_LED = laid(3, "D7 C7 C7 HJ DJ")
FOLLOWING = playing(
    WORST_HAND,
    (None, _FIVE, None, _LED),
    _FIVE,
    acts=(Act.PASSED, None, None, None),
    counts=(None, 8, None, None),
    leader=3,
)
LEADING = playing(WILD_HAND)
_JOKER = laid(1, "BJ")
HIGHEST = playing(WORST_HAND[1:], (None, _JOKER, None, laid(3, "DK")), _JOKER, leader=3)
"""Nothing but a bomb beats a big joker."""


def _seated(names: tuple[str, ...], **options: object) -> Scene:
    scene = Scene(names=names, **options)
    scene.connect()
    return scene


def _at(
    state: object, remaining: int, selected: str = "", paused: str = "", rules: Rules = RULES
) -> Callable[[tuple[str, ...]], Scene]:
    def build(names: tuple[str, ...]) -> Scene:
        scene = _seated(names, rules=rules)
        scene.show(state, remaining, paused)
        scene.session.choose(parse_cards(selected))
        return scene

    return build


def connecting(names: tuple[str, ...]) -> Scene:
    """Nobody has answered yet."""
    scene = Scene(names=names)
    scene.session.offline("unreachable")
    return scene


def waiting(names: tuple[str, ...]) -> Scene:
    """Two are ready, oneself not yet."""
    scene = _seated(names)
    scene.ready = (0, 3)
    scene.show(scene.state)
    return scene


def waiting_ready(names: tuple[str, ...]) -> Scene:
    """Ready, waiting for the next player."""
    scene = _seated(names, rules=HUAIAN)
    scene.ready = (0, 1, 2)
    scene.show(scene.state)
    return scene


def notice(names: tuple[str, ...]) -> Scene:
    """Time had run out."""
    scene = _at(others_turn_state(), 14_000, rules=HUAIAN)(names)
    scene.session.notice = Notice(Verdict.TIMED_OUT.value, scene.now, {}, "6")
    return scene


def refusal(names: tuple[str, ...]) -> Scene:
    """The authority has refused what this seat had thought possible."""
    scene = _at(FOLLOWING, 12_000, "SK HK CK C3 D3")(names)
    scene.session.notice = Notice(Reason.DOES_NOT_BEAT.value, scene.now, {}, "9")
    return scene


def catching_up(names: tuple[str, ...]) -> Scene:
    """Connected again; how the table stands has not come yet."""
    scene = offline(names)
    scene.session.online("boot")
    return scene


def announced(names: tuple[str, ...]) -> Scene:
    """Words of which this software knows nothing."""
    scene = _at(FOLLOWING, 21_000)(names)
    scene.session.receive(Announcement(key="lunch_is_served", fields={}))
    return scene


def pending(names: tuple[str, ...]) -> Scene:
    """Five cards are sent and not yet answered."""
    scene = _at(FOLLOWING, 9_000, "SK HK CK C3 D3")(names)
    assert scene.session.play(scene.session.options()[0])
    return scene


def offline(names: tuple[str, ...]) -> Scene:
    """The connection is lost with an act on its way."""
    scene = pending(names)
    scene.session.offline("lost")
    scene.now += 7_200
    return scene


def offline_idle(names: tuple[str, ...]) -> Scene:
    """The connection is lost while somebody else plays."""
    scene = _at(others_turn_state(), 12_000, "SA DA", rules=HUAIAN)(names)
    scene.session.offline("unreachable")
    scene.now += 23_000
    return scene


def others_turn_state() -> Playing:
    """The own play lies, the next player is to act; the partner has passed after a play."""
    own = laid(2, "SK HK CK C3 D3")
    hand = tuple(card for card in WORST_HAND if card not in parse_cards("SK HK CK C3 D3"))
    return playing(
        hand,
        (laid(0, "S8 H8 D8 H3 C3"), _FIVE, own, _LED),
        own,
        turn=3,
        acts=(Act.PASSED, Act.STOPPED, None, None),
        counts=(None, 8, None, 10),
        leader=3,
        standing=standing(rules=HUAIAN),
    )


def bombs() -> Playing:
    """Bombs of six and ten cards on the table."""
    ten = laid(1, "S8 S8 H8 H8 C8 C8 D8 D8 HT HT")
    six = laid(0, "S4 S4 H4 C4 C4 D4")
    return playing(
        SHORT_HAND, (six, ten, None, laid(3, "SA HA CA DA")), ten, counts=(7, 1, None, 9), leader=3
    )


def finished() -> Playing:
    """Oneself out first; the others play on."""
    pair = laid(1, "SK DK")
    state = playing((), (None, pair, None, None), pair, turn=3, leader=1, out=(2,), counts=(3, 5, 0, 9))
    return replace(state, hands=(WORST_HAND[:3], WORST_HAND[:5], (), WORST_HAND[:9]))


def tribute(payers: tuple[int, ...], receivers: tuple[int, ...], paid: tuple[Choice, ...] = ()) -> Tribute:
    """Tributes are due, and not all paid."""
    hands = tuple(TRIBUTE_HAND for _ in range(4))
    return Tribute(standing(), hands, payers, receivers, paid)


def give_back(transfers: tuple[Transfer, ...], returned: tuple[Choice, ...] = ()) -> GivingBack:
    """Tributes are paid, and not all returned."""
    received = {one.receiver: one.card for one in transfers}
    hands = tuple(tuple(sorted((*TRIBUTE_HAND, *_if_any(received.get(seat))))) for seat in SEATS)
    return GivingBack(standing(), hands, transfers, returned)


def _if_any(card: int | None) -> Cards:
    return () if card is None else (card,)


def _exchanged(*exchanges: Exchange) -> TributeView:
    payers = tuple(one.payer for one in exchanges)
    receivers = tuple(one.receiver for one in exchanges)
    return TributeView(payers, receivers, (), tuple(zip(payers, receivers, strict=True)), (), exchanges)


def _card(text: str) -> int:
    return parse_card(text)


EXCHANGED_HAND = tuple(sorted((*(c for c in TRIBUTE_HAND if c != _card("ST")), _card("C3"))))
EXCHANGED = _exchanged(Exchange(2, 3, _card("ST"), _card("C3")), Exchange(0, 1, _card("SA"), _card("D4")))
RESISTED = TributeView((), (), (), (), (JokersHeld(0, 1), JokersHeld(2, 1)), ())


def ended(
    order: tuple[int, ...], rise: int, before: tuple[int, int], after: tuple[int, int], **more: object
) -> DealEnded:
    winner = order[0] % 2 if order else 0
    fields = {"next_level": after[winner], "next_side": winner, "failed_a": (0, 0), "demoted": None, **more}
    return DealEnded(
        deal=3, order=order, winner=winner, rise=rise, levels_before=before, levels_after=after, **fields
    )


def between(last: DealEnded, rules: Rules = RULES) -> BetweenDeals:
    """After a deal, before the next."""
    base = standing(levels=last.levels_after, rules=rules)
    level = base.level if last.next_level is None else last.next_level
    return BetweenDeals(replace(base, results=(last,), level=level, failed_a=last.failed_a))


def _over(ended: DealEnded, game: GameEnded, level: int) -> GameOver:
    return GameOver(replace(standing(level, deal=5, levels=game.levels), results=(ended,)), game)


_WON = ended((2, 3, 0, 1), 2, (LEVEL, 6), (LEVEL + 2, 6))
_LOST = ended((1, 3), 4, (LEVEL, 6), (LEVEL, 10))
_RULED = ended((), 4, (LEVEL, 6), (12, 6))
THREE_AS = replace(RULES, failed_a_limit=3)
_FAILED = ended((2, 3, 1, 0), 1, (ACE, 6), (ACE, 6), failed_a=(2, 0))
_DEMOTED = ended((1, 0, 3, 2), 2, (12, 6), (0, LEVEL), demoted=0)
_END = {"next_level": None, "next_side": None}
_LAST = ended((2, 3, 0, 1), 2, (LEVEL, 6), (LEVEL + 2, 6), **_END)
_PASSED_A = ended((1, 0, 3, 2), 2, (6, ACE), (6, PAST_A), **_END)
_EVEN = ended((2, 3, 0, 1), 2, (4, 6), (6, 6), **_END)

STATES: dict[str, Callable[[tuple[str, ...]], Scene]] = {
    "connecting": connecting,
    "waiting": waiting,
    "waiting-ready": waiting_ready,
    "lead": _at(LEADING, 22_000),
    "follow": _at(FOLLOWING, 24_000),
    "illegal": _at(FOLLOWING, 17_000, "SK HK CK"),
    "no-play": _at(FOLLOWING, 17_000, "SK HQ D6"),
    "highest": _at(HIGHEST, 21_000),
    "highest-illegal": _at(HIGHEST, 21_000, "SA"),
    "playable": _at(FOLLOWING, 9_000, "SK HK CK C3 D3"),
    "ways": _at(LEADING, 25_000, "HT HT S7 H7 S8 C8"),
    "others-turn": _at(others_turn_state(), 14_000, "SA DA", rules=HUAIAN),
    "bombs": _at(bombs(), 20_000),
    "tall-hand": _at(playing(SPREAD_HAND), 24_000),
    "tall-columns": _at(playing(TALL_HAND), 24_000, "S5 S5 H5 H5 C5 C5 D5 D5"),
    "finished": _at(finished(), 14_000),
    "tribute": _at(tribute((2,), (3,)), 12_000, "ST"),
    "tribute-double": _at(tribute((2, 0), (3, 1), (Choice(0, _card("CT")),)), 12_000, "ST"),
    "tribute-paid": _at(tribute((2, 0), (3, 1), (Choice(2, _card("CT")),)), 9_000),
    "give-back": _at(give_back((Transfer(3, 2, _card("SA")),)), 22_000),
    "give-back-partner": _at(give_back((Transfer(0, 2, _card("SA")),)), 8_000, "D8"),
    "give-back-double": _at(
        give_back((Transfer(3, 2, _card("BJ")), Transfer(1, 0, _card("SA"))), (Choice(0, _card("C4")),)),
        22_000,
        "D2",
    ),
    "awaiting-return": _at(
        give_back((Transfer(2, 3, parse_card("LJ")), Transfer(0, 1, _card("SA")))), 22_000
    ),
    "exchanged": _at(playing(EXCHANGED_HAND, tribute=EXCHANGED, turn=2, first_lead=True), 38_000),
    "resisted": _at(playing(WORST_HAND, tribute=RESISTED, turn=3, first_lead=True), 38_000),
    "pending": pending,
    "notice": notice,
    "refusal": refusal,
    "announced": announced,
    "paused": _at(FOLLOWING, 17_000, "SK HK CK", paused="referee"),
    "offline": offline,
    "offline-idle": offline_idle,
    "catching-up": catching_up,
    "result": _at(between(_WON), 0),
    "result-double-down": _at(between(_LOST), 0),
    "result-ruling": _at(between(_RULED), 0),
    "result-demoted": _at(between(_DEMOTED, THREE_AS), 0, rules=THREE_AS),
    "result-failed-a": _at(between(_FAILED, THREE_AS), 0, rules=THREE_AS),
    "game": _at(_over(_LAST, GameEnded(EndCause.DEALS, (LEVEL + 2, 6), 0, (17, 9)), LEVEL), 0),
    "game-past-a": _at(_over(_PASSED_A, GameEnded(EndCause.PAST_A, (6, PAST_A), 1, (6, 20)), ACE), 0),
    "game-draw": _at(_over(_EVEN, GameEnded(EndCause.DEALS, (6, 6), None, (13, 13)), 4), 0),
}
"""By name: a scene for the four names of the players."""

CHOICES = {"choice": "HT HT S7 H7 S8 C8", "choice-most": "HT HT C7 C8 C9"}
"""States that a touch on the commit opens: what is selected."""


def choice_scene(name: str, names: tuple[str, ...]) -> Scene:
    """A lead with a selection that can be read in several ways."""
    hand: Cards = SUITED_HAND if name == "choice-most" else WILD_HAND
    return _at(playing(hand), 14_000, CHOICES[name])(names)


__all__ = ["CHINESE_NAMES", "CHOICES", "FOLLOWING", "STATES", "choice_scene", "parse_rank"]
