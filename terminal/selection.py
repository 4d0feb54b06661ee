"""The selection: which faces of the own hand are raised.

Cards are faces, and two packs hold each face twice; a selection is a sorted multiset of faces
that the hand holds at least as often.
"""

from __future__ import annotations

from broker.engine.cards import Card, Cards


def added(selected: Cards, card: Card, hand: Cards) -> Cards:
    """The selection with one more copy of ``card``, if the hand holds another."""
    if selected.count(card) >= hand.count(card):
        return selected
    return tuple(sorted((*selected, card)))


def dropped(selected: Cards, card: Card) -> Cards:
    """The selection with one copy of ``card`` less."""
    rest = list(selected)
    if card in rest:
        rest.remove(card)
    return tuple(rest)


def toggled(selected: Cards, card: Card, hand: Cards) -> Cards:
    """One copy more; from the last copy that the hand holds, none at all."""
    if selected.count(card) < hand.count(card):
        return added(selected, card, hand)
    return tuple(face for face in selected if face != card)


def held(selected: Cards, hand: Cards) -> Cards:
    """What of the selection the hand holds, sorted."""
    rest = list(hand)
    kept = []
    for card in sorted(selected):
        if card in rest:
            rest.remove(card)
            kept.append(card)
    return tuple(kept)
