"""Identities as machines read them: good ones work over TLS, others are told apart."""

from __future__ import annotations

import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from provisioning.ca import EVENT_DAYS, VenueAuthority
from provisioning.files import IdentityError
from provisioning.identity import DeviceIdentity, TlsIdentity, public_hex

TLS_FILES = ("identity.json", "tls.crt", "tls.key", "ca.crt")
OWN_FILES = ("signing.key", "sealing.key", "authority.pub")


# --- reading -------------------------------------------------------------------------------------------


def test_a_device_knows_itself_and_its_authority(made: Path) -> None:
    device = DeviceIdentity.load(made / "device")
    authority = VenueAuthority.load(made / "authority")
    assert (device.device, device.venue) == ("tablet-1", "hall-1")
    assert public_hex(device.authority_key) == public_hex(authority.signing_key.public_key())
    assert device.ca_certificate.read_bytes() == authority.ca_certificate.read_bytes()
    device.authority_key.verify(authority.signing_key.sign(b"x"), b"x")


@pytest.mark.parametrize("name", [*TLS_FILES, *OWN_FILES])
@pytest.mark.parametrize(
    "data", [None, b"", b"\xff\x00", b"-----BEGIN PRIVATE KEY-----\n", b"{}", b"[" * 9999]
)
def test_damaged_files_are_told(copied: Path, name: str, data: bytes | None) -> None:
    path = copied / "device" / name
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(IdentityError) as caught:
        DeviceIdentity.load(copied / "device")
    zh, en = str(caught.value).split("\n")
    assert str(path if data is not None else path.parent) in zh
    assert str(path if data is not None else path.parent) in en
    assert "issue" in en


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("tls.key", "signing.key"),
        ("tls.key", "../client/tls.key"),
        ("signing.key", "sealing.key"),
        ("sealing.key", "signing.key"),
        ("signing.key", "authority.pub"),
        ("authority.pub", "signing.key"),
        ("tls.crt", "../client/tls.crt"),
        ("tls.crt", "ca.crt"),
        ("ca.crt", "tls.crt"),
    ],
)
def test_files_of_another_kind_are_told(copied: Path, name: str, other: str) -> None:
    folder = copied / "device"
    (folder / name).write_bytes((folder / other).read_bytes())
    with pytest.raises(IdentityError):
        DeviceIdentity.load(folder)


@pytest.mark.parametrize("name", ["tls.crt", "ca.crt"])
def test_a_certificate_of_another_authority_is_told(copied: Path, tmp_path: Path, name: str) -> None:
    """Even of one with the same name."""
    other = VenueAuthority.create(tmp_path / "other", "hall-1").issue_device(tmp_path / "twin", "tablet-1")
    (copied / "device" / name).write_bytes((other.tls_certificate.parent / name).read_bytes())
    with pytest.raises(IdentityError, match="was not issued for this identity"):
        DeviceIdentity.load(copied / "device")


def test_a_renamed_identity_is_told(copied: Path) -> None:
    path = copied / "device" / "identity.json"
    path.write_text(path.read_text().replace("tablet-1", "tablet-2"))
    with pytest.raises(IdentityError, match="was not issued for this identity"):
        DeviceIdentity.load(copied / "device")


def test_a_client_is_no_device(made: Path) -> None:
    with pytest.raises(IdentityError, match="identity of a client, not of a device"):
        DeviceIdentity.load(made / "client")


def test_an_identity_that_ran_out_is_told(made: Path) -> None:
    now = datetime.now(UTC)
    with pytest.raises(IdentityError, match="ran out"):
        TlsIdentity.load(made / "client", now + timedelta(days=EVENT_DAYS + 1))
    with pytest.raises(IdentityError, match="set the clock of this machine"):
        DeviceIdentity.load(made / "device", now - timedelta(hours=2))
    assert TlsIdentity.load(made / "client", now - timedelta(minutes=50))


def test_there_is_no_identity(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match="paizhuo-provision issue"):
        DeviceIdentity.load(tmp_path)


# --- TLS -----------------------------------------------------------------------------------------------


def _context(folder: Path, side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.load_verify_locations(folder / "ca.crt")
    context.load_cert_chain(folder / "tls.crt", folder / "tls.key")
    return context


def _shake_hands(server: Path, client: Path, host: str = "localhost") -> tuple[ssl.SSLObject, ssl.SSLObject]:
    """Both ends of a TLS connection in memory; ``ssl.SSLError`` if one of them refuses."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        _context(client, ssl.PROTOCOL_TLS_CLIENT).wrap_bio(to_client, to_server, server_hostname=host),
        _context(server, ssl.PROTOCOL_TLS_SERVER).wrap_bio(to_server, to_client, server_side=True),
    )
    for _ in range(4):
        for end in ends:
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    ends[0].write(b"hello")
    assert ends[1].read() == b"hello"
    return ends


@pytest.mark.parametrize("client", ["client", "device"])
@pytest.mark.parametrize("host", ["localhost", "hall.example", "127.0.0.1", "::1"])
def test_machines_of_a_venue_connect(made: Path, client: str, host: str) -> None:
    _, end = _shake_hands(made / "server", made / client, host)
    name = {"client": "authority", "device": "tablet-1"}[client]
    assert (end.getpeercert() or {})["subject"] == ((("commonName", name),),)


def test_a_server_of_another_name_is_refused(made: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="not valid for"):
        _shake_hands(made / "server", made / "device", "elsewhere.example")


def test_a_device_cannot_pose_as_a_server(made: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="purpose"):
        _shake_hands(made / "device", made / "client", "tablet-1")


def test_a_server_cannot_pose_as_a_client(made: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="purpose"):
        _shake_hands(made / "server", made / "server")


def test_a_device_of_another_venue_is_refused(made: Path, tmp_path: Path) -> None:
    VenueAuthority.create(tmp_path / "other", "hall-1").issue_device(tmp_path / "twin", "tablet-1")
    (tmp_path / "twin" / "ca.crt").write_bytes((made / "device" / "ca.crt").read_bytes())
    with pytest.raises(ssl.SSLCertVerificationError):
        _shake_hands(made / "server", tmp_path / "twin")
