"""The venue authority: what it issues, what it refuses, and what its files are."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from provisioning.ca import AUTHORITY_DAYS, EVENT_DAYS, VenueAuthority
from provisioning.files import IdentityError
from provisioning.identity import DeviceIdentity, TlsIdentity, public_hex

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)


def _certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def _names(path: Path) -> x509.SubjectAlternativeName:
    return _certificate(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value


def _authority(tmp_path: Path) -> VenueAuthority:
    return VenueAuthority.create(tmp_path / "authority", "hall-1", NOW)


def test_the_authority_can_only_issue(made: Path) -> None:
    certificate = _certificate(made / "authority" / "ca.crt")
    extensions = certificate.extensions
    basic = extensions.get_extension_for_class(x509.BasicConstraints)
    usage = extensions.get_extension_for_class(x509.KeyUsage).value
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    assert (usage.key_cert_sign, usage.crl_sign, usage.digital_signature) == (True, True, False)
    certificate.verify_directly_issued_by(certificate)


@pytest.mark.parametrize(
    ("folder", "name", "uri", "purpose"),
    [
        ("server", "localhost", "spiffe://hall-1/server/localhost", ExtendedKeyUsageOID.SERVER_AUTH),
        ("client", "authority", "spiffe://hall-1/client/authority", ExtendedKeyUsageOID.CLIENT_AUTH),
        ("device", "tablet-1", "spiffe://hall-1/device/tablet-1", ExtendedKeyUsageOID.CLIENT_AUTH),
    ],
)
def test_a_certificate_says_who_and_what_for(
    made: Path, folder: str, name: str, uri: str, purpose: x509.ObjectIdentifier
) -> None:
    certificate = _certificate(made / folder / "tls.crt")
    assert [part.value for part in certificate.subject] == [name]
    assert certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    uris = _names(made / folder / "tls.crt").get_values_for_type(x509.UniformResourceIdentifier)
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    basic = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    key = certificate.public_key()
    assert uris == [uri]
    assert list(usage) == [purpose]
    assert not basic.ca
    assert isinstance(key, EllipticCurvePublicKey)
    assert isinstance(key.curve, SECP256R1)


def test_a_server_is_known_by_all_its_names(made: Path) -> None:
    names = _names(made / "server" / "tls.crt")
    assert names.get_values_for_type(x509.DNSName) == ["localhost", "hall.example"]
    addresses = names.get_values_for_type(x509.IPAddress)
    assert addresses == [ip_address("127.0.0.1"), ip_address("::1")]


def test_certificates_last_the_event_and_a_day_and_began_an_hour_ago(tmp_path: Path) -> None:
    authority = _authority(tmp_path)
    for days, folder in ((EVENT_DAYS, "one"), (3, "two")):
        device = authority.issue_device(tmp_path / folder, "tablet-1", days=days, now=NOW)
        certificate = _certificate(device.tls_certificate)
        assert certificate.not_valid_before_utc == NOW - timedelta(hours=1)
        assert certificate.not_valid_after_utc == NOW + timedelta(days=days + 1)


def test_no_certificate_outlives_the_authority(tmp_path: Path) -> None:
    authority = _authority(tmp_path)
    late = NOW + timedelta(days=AUTHORITY_DAYS - 2)
    device = authority.issue_device(tmp_path / "device", "tablet-1", now=late)
    end = _certificate(device.tls_certificate).not_valid_after_utc
    assert end == _certificate(authority.ca_certificate).not_valid_after_utc


@pytest.mark.parametrize("days", [0, -1, AUTHORITY_DAYS + 1, 10**9])
def test_odd_lengths_of_an_event_are_refused(tmp_path: Path, days: int) -> None:
    with pytest.raises(IdentityError, match="number of days"):
        _authority(tmp_path).issue_device(tmp_path / "device", "tablet-1", days=days, now=NOW)


def test_keys_and_folders_are_for_their_owner_alone(made: Path) -> None:
    for folder in (path for path in made.iterdir() if path.is_dir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        for file in folder.iterdir():
            private = file.suffix in (".key", ".jsonl")
            assert stat.S_IMODE(file.stat().st_mode) == (0o600 if private else 0o644), file


def test_no_private_key_is_in_two_places(made: Path) -> None:
    keys = [path.read_bytes() for path in made.rglob("*.key")]
    assert len(keys) == len(set(keys)) == 8


def test_an_authority_is_never_overwritten(copied: Path) -> None:
    before = {path: path.read_bytes() for path in (copied / "authority").iterdir()}
    with pytest.raises(IdentityError, match="never overwritten"):
        VenueAuthority.create(copied / "authority", "hall-2")
    assert {path: path.read_bytes() for path in (copied / "authority").iterdir()} == before


def test_a_folder_in_use_is_no_place_for_an_authority(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "text").write_text("x")
    with pytest.raises(IdentityError, match="not an empty folder"):
        VenueAuthority.create(tmp_path / "notes", "hall-1")
    with pytest.raises(IdentityError, match="not an empty folder"):
        VenueAuthority.create(tmp_path / "notes" / "text", "hall-1")
    assert [path.name for path in tmp_path.rglob("*")] == ["notes", "text"]


def test_an_empty_folder_is_a_place_for_an_authority(tmp_path: Path) -> None:
    (tmp_path / "authority").mkdir(mode=0o755)
    assert _authority(tmp_path).venue == "hall-1"
    assert stat.S_IMODE((tmp_path / "authority").stat().st_mode) == 0o700


def test_loading_gives_the_same_authority(made: Path) -> None:
    one, two = VenueAuthority.load(made / "authority"), VenueAuthority.load(made / "authority")
    assert one.venue == "hall-1"
    assert len(one.store_key) == 32
    assert one.store_key == two.store_key
    assert one.signing_key.public_key() == two.signing_key.public_key()


def test_no_key_shows_in_a_text(made: Path) -> None:
    authority = VenueAuthority.load(made / "authority")
    device = DeviceIdentity.load(made / "device")
    for text in (repr(authority), repr(device)):
        assert "PrivateKey" not in text
        assert authority.store_key.hex() not in text
        assert repr(authority.store_key) not in text


@pytest.mark.parametrize("name", ["", "Hall", "a/b", "+", "x" * 33, "tab let", "hall\n", "é"])
def test_names_that_are_no_ids_are_refused(tmp_path: Path, name: str) -> None:
    authority = _authority(tmp_path)
    with pytest.raises(IdentityError, match="name"):
        VenueAuthority.create(tmp_path / "other", name)
    with pytest.raises(IdentityError, match="name"):
        authority.issue_device(tmp_path / "device", name, now=NOW)
    with pytest.raises(IdentityError, match="name"):
        authority.issue_client(tmp_path / "client", name, now=NOW)
    assert authority.inventory() == ()
    assert [path.name for path in tmp_path.iterdir()] == ["authority"]


@pytest.mark.parametrize("name", ["authority", "authority-2", "monitor", "server", "gateway-x"])
def test_a_device_cannot_take_the_name_of_a_service(tmp_path: Path, name: str) -> None:
    with pytest.raises(IdentityError, match="kept for a service"):
        _authority(tmp_path).issue_device(tmp_path / "device", name, now=NOW)


def test_a_name_means_one_kind_of_machine(tmp_path: Path) -> None:
    authority = _authority(tmp_path)
    authority.issue_device(tmp_path / "device", "tablet-1", now=NOW)
    with pytest.raises(IdentityError, match="another kind"):
        authority.issue_client(tmp_path / "client", "tablet-1", now=NOW)
    with pytest.raises(IdentityError, match="another kind"):
        authority.issue_server(tmp_path / "server", ["tablet-1"], now=NOW)


@pytest.mark.parametrize(
    ("names", "addresses"),
    [
        ([], ["127.0.0.1"]),
        ([""], []),
        (["a b"], []),
        (["-x"], []),
        (["x..y"], []),
        (["*.example"], []),
        (["127.0.0.1"], []),
        (["::1"], []),
        (["x" * 64], []),
        ([".".join(["x" * 40] * 2)], []),
        ([".".join(["x" * 60] * 5)], []),
        (["localhost"], ["localhost"]),
        (["localhost"], ["300.1.1.1"]),
    ],
)
def test_odd_names_of_a_server_are_refused(tmp_path: Path, names: list[str], addresses: list[str]) -> None:
    with pytest.raises(IdentityError):
        _authority(tmp_path).issue_server(tmp_path / "server", names, addresses, now=NOW)


def test_an_identity_is_replaced_only_on_demand(tmp_path: Path) -> None:
    authority = _authority(tmp_path)
    old = authority.issue_device(tmp_path / "device", "tablet-1", now=NOW)
    with pytest.raises(IdentityError, match="--replace"):
        authority.issue_device(tmp_path / "device", "tablet-1", now=NOW)
    new = authority.issue_device(tmp_path / "device", "tablet-1", now=NOW, replace=True)
    assert public_hex(new.signing_key.public_key()) != public_hex(old.signing_key.public_key())
    assert authority.device("tablet-1").signing_key == public_hex(new.signing_key.public_key())


def test_the_inventory_lists_everything_with_serials_and_keys(made: Path) -> None:
    authority = VenueAuthority.load(made / "authority")
    device = DeviceIdentity.load(made / "device")
    listed = authority.inventory()
    assert [(one.kind, one.name) for one in listed] == [
        ("server", "localhost"),
        ("client", "authority"),
        ("device", "tablet-1"),
    ]
    for one in listed:
        certificate = _certificate(made / one.kind / "tls.crt")
        assert int(one.serial, 16) == certificate.serial_number
        assert datetime.fromisoformat(one.not_after) == certificate.not_valid_after_utc
        assert not one.is_expired(datetime.now(UTC))
        assert one.is_expired(certificate.not_valid_after_utc)
    assert listed[0].signing_key == listed[1].sealing_key == ""
    assert authority.device("tablet-1") == listed[2]
    assert listed[2].signing_key == public_hex(device.signing_key.public_key())
    assert listed[2].sealing_key == public_hex(device.sealing_key.public_key())


def test_an_unknown_device_is_told(made: Path) -> None:
    with pytest.raises(IdentityError, match="no device tablet-9"):
        VenueAuthority.load(made / "authority").device("tablet-9")


@pytest.mark.parametrize("line", ["", "{", "[]", '{"serial": "1"}', "null", '{"serial": 1, "more": 2}'])
def test_a_damaged_inventory_names_the_line(copied: Path, line: str) -> None:
    with (copied / "authority" / "issued.jsonl").open("a") as file:
        file.write(line + "\n")
    authority = VenueAuthority.load(copied / "authority")
    with pytest.raises(IdentityError, match="line 4"):
        authority.inventory()
    with pytest.raises(IdentityError, match="line 4"):
        authority.issue_device(copied / "new", "tablet-2")
    assert not (copied / "new").exists()


def test_what_is_handed_out_is_in_the_inventory_first(copied: Path) -> None:
    """If the folder cannot be written, the certificate is still known."""
    authority = VenueAuthority.load(copied / "authority")
    (copied / "file").write_text("x")
    with pytest.raises(IdentityError, match="cannot be written"):
        authority.issue_device(copied / "file", "tablet-2")
    assert authority.inventory()[-1].name == "tablet-2"


@pytest.mark.parametrize("name", ["ca.crt", "ca.key", "signing.key", "store.key", "identity.json"])
@pytest.mark.parametrize("data", [None, b"", b"\xff\x00", b"-----BEGIN CERTIFICATE-----\n", b"{}", b"[1]"])
def test_a_damaged_authority_is_told(copied: Path, name: str, data: bytes | None) -> None:
    path = copied / "authority" / name
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(IdentityError) as caught:
        VenueAuthority.load(copied / "authority")
    assert str(copied / "authority") in str(caught.value)


def test_an_authority_with_another_key_is_told(copied: Path, tmp_path: Path) -> None:
    other = VenueAuthority.create(tmp_path / "other", "hall-1").folder
    (copied / "authority" / "ca.key").write_bytes((other / "ca.key").read_bytes())
    with pytest.raises(IdentityError, match=r"ca\.key is damaged"):
        VenueAuthority.load(copied / "authority")


def test_an_authority_that_ran_out_is_told(tmp_path: Path) -> None:
    folder = _authority(tmp_path).folder
    with pytest.raises(IdentityError, match="ran out"):
        VenueAuthority.load(folder, NOW + timedelta(days=AUTHORITY_DAYS))
    with pytest.raises(IdentityError, match="set the clock"):
        VenueAuthority.load(folder, NOW - timedelta(days=1))


def test_there_is_no_authority(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match="paizhuo-provision init"):
        VenueAuthority.load(tmp_path / "nothing")


def test_identities_load_again(made: Path) -> None:
    assert TlsIdentity.load(made / "client").name == "authority"
    assert DeviceIdentity.load(made / "device").device == "tablet-1"
