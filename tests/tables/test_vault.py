"""The vault: what it seals opens in its place with its key, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.tables.vault import Place, Vault, VaultError

KEY = bytes(range(32))
PLACE = Place("cup", "t1", 1, 7)
VAULT = Vault("hall", KEY)


@given(st.binary(max_size=400))
def test_what_is_sealed_opens_and_proves_its_commitment(secret: bytes) -> None:
    sealed = VAULT.seal(PLACE, secret)
    opened = VAULT.open(PLACE, sealed.cipher)
    assert opened.secret == secret
    assert opened.commit == sealed.commit
    assert not secret or len(secret) < 4 or secret not in sealed.cipher


def test_the_same_secret_is_never_sealed_alike() -> None:
    one, two = VAULT.seal(PLACE, b"hand"), VAULT.seal(PLACE, b"hand")
    assert one.cipher != two.cipher
    assert one.commit != two.commit


@pytest.mark.parametrize(
    "place",
    [PLACE._replace(n=8), PLACE._replace(table="t2"), PLACE._replace(event="x"), PLACE._replace(epoch=2)],
)
def test_it_does_not_open_in_another_place(place: Place) -> None:
    sealed = VAULT.seal(PLACE, b"hand")
    with pytest.raises(VaultError, match=str(place.n)):
        VAULT.open(place, sealed.cipher)


def test_it_does_not_open_for_another_venue_or_key() -> None:
    sealed = VAULT.seal(PLACE, b"hand")
    for other in (Vault("club", KEY), Vault("hall", bytes(32))):
        with pytest.raises(VaultError):
            other.open(PLACE, sealed.cipher)


@given(st.integers(0, 43), st.integers(1, 255))
def test_a_changed_byte_is_noticed(index: int, change: int) -> None:
    raw = bytearray(VAULT.seal(PLACE, b"hand").cipher)
    raw[index % len(raw)] ^= change
    with pytest.raises(VaultError):
        VAULT.open(PLACE, bytes(raw))


def test_a_cut_cipher_is_noticed() -> None:
    raw = VAULT.seal(PLACE, b"hand").cipher
    for length in (0, 5, 12, 20, len(raw) - 1):
        with pytest.raises(VaultError):
            VAULT.open(PLACE, raw[:length])


def test_an_act_opens_as_its_own_device_s_only() -> None:
    cipher = VAULT.seal_act("seat-1", "ab", b"envelope")
    assert VAULT.open_act("seat-1", "ab", cipher) == b"envelope"
    assert b"envelope" not in cipher
    for device, act in (("seat-2", "ab"), ("seat-1", "ac"), ("seat-1/ab", "")):
        with pytest.raises(VaultError):
            VAULT.open_act(device, act, cipher)
