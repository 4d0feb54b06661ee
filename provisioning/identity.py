"""Identities: who a machine is, as files in one folder, and how they are read and checked.

Every folder has ``identity.json`` (kind, name, venue), the TLS certificate and key (ECDSA P-256)
and the certificate of the venue authority. A device has two more keys of its own, apart from TLS:
one signs its acts (Ed25519), one opens what is sealed for it (X25519); and the public key by
which it knows the venue's table authority.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from provisioning.certificates import has_uri, uri_of
from provisioning.files import IdentityError, read_fields, read_file, unreadable, write_public

IDENTITY: Final = "identity.json"
TLS_CERTIFICATE: Final = "tls.crt"
TLS_KEY: Final = "tls.key"
CA_CERTIFICATE: Final = "ca.crt"
SIGNING_KEY: Final = "signing.key"
SEALING_KEY: Final = "sealing.key"
AUTHORITY_KEY: Final = "authority.pub"

__all__ = ["DeviceIdentity", "IdentityError", "TlsIdentity", "public_hex"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class TlsIdentity:
    """A server or a client of the MQTT server: its name and the paths of its files."""

    name: str
    venue: str
    tls_certificate: Path
    tls_key: Path
    ca_certificate: Path

    @classmethod
    def load(cls, folder: Path, now: datetime | None = None) -> TlsIdentity:
        """The identity in the folder; ``IdentityError`` if it is missing, foreign or out of date."""
        if not (folder / IDENTITY).exists():
            raise IdentityError(
                f"{folder} 里没有身份：请先签发（paizhuo-provision issue --into {folder}）。",
                f"there is no identity in {folder}: issue one (paizhuo-provision issue --into {folder}).",
            )
        kind, name, venue = read_fields(folder / IDENTITY, "kind", "name", "venue")
        _check_certificate(folder, kind, name, venue, now or datetime.now(UTC))
        return cls(name, venue, folder / TLS_CERTIFICATE, folder / TLS_KEY, folder / CA_CERTIFICATE)


@dataclass(frozen=True, slots=True)
class DeviceIdentity:
    """A seat's device: its name, the paths of its TLS files, and its own keys.

    ``authority_key`` proves what the venue's table authority signed.
    """

    device: str
    venue: str
    tls_certificate: Path
    tls_key: Path
    ca_certificate: Path
    signing_key: Ed25519PrivateKey = field(repr=False)
    sealing_key: X25519PrivateKey = field(repr=False)
    authority_key: Ed25519PublicKey = field(repr=False)

    @classmethod
    def load(cls, folder: Path, now: datetime | None = None) -> DeviceIdentity:
        """The device in the folder; ``IdentityError`` if it is missing, foreign or out of date."""
        tls = TlsIdentity.load(folder, now)
        (kind,) = read_fields(folder / IDENTITY, "kind")
        if kind != "device":
            raise IdentityError(
                f"{folder} 里是 {kind} 的身份，不是终端设备的：请换文件夹。",
                f"{folder} holds the identity of a {kind}, not of a device: use another folder.",
            )
        return cls(
            device=tls.name,
            venue=tls.venue,
            tls_certificate=tls.tls_certificate,
            tls_key=tls.tls_key,
            ca_certificate=tls.ca_certificate,
            signing_key=load_signing_key(folder / SIGNING_KEY),
            sealing_key=load_sealing_key(folder / SEALING_KEY),
            authority_key=load_authority_key(folder / AUTHORITY_KEY),
        )


def public_hex(key: Ed25519PublicKey | X25519PublicKey) -> str:
    """The raw public key as 64 hex digits, as the log and messages carry it."""
    return key.public_bytes_raw().hex()


def write_identity(folder: Path, kind: str, name: str, venue: str) -> None:
    """Writes the file that says whose identity the folder holds."""
    fields = {"kind": kind, "name": name, "venue": venue}
    write_public(folder / IDENTITY, json.dumps(fields, indent=2).encode() + b"\n")


def load_signing_key(path: Path) -> Ed25519PrivateKey:
    """The Ed25519 key in a PEM file; ``IdentityError`` if there is none."""
    key = _parse(path, _private_key)
    if not isinstance(key, Ed25519PrivateKey):
        raise unreadable(path)
    return key


def load_sealing_key(path: Path) -> X25519PrivateKey:
    """The X25519 key in a PEM file; ``IdentityError`` if there is none."""
    key = _parse(path, _private_key)
    if not isinstance(key, X25519PrivateKey):
        raise unreadable(path)
    return key


def load_tls_key(path: Path, certificate: x509.Certificate) -> EllipticCurvePrivateKey:
    """The elliptic-curve key in a PEM file; ``IdentityError`` if it is not the certificate's."""
    key = _parse(path, _private_key)
    if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise unreadable(path)
    return key


def load_authority_key(path: Path) -> Ed25519PublicKey:
    """The Ed25519 public key in a PEM file; ``IdentityError`` if there is none."""
    key = _parse(path, load_pem_public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise unreadable(path)
    return key


def load_certificate(path: Path) -> x509.Certificate:
    """The certificate in a PEM file; ``IdentityError`` if there is none."""
    return _parse(path, x509.load_pem_x509_certificate)


def check_dates(path: Path, certificate: x509.Certificate, now: datetime) -> None:
    """``IdentityError`` unless the certificate holds at that moment."""
    if now >= certificate.not_valid_after_utc:
        raise IdentityError(
            f"{path} 已于 {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC 过期：请重新签发。",
            f"{path} ran out at {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC: issue it again.",
        )
    if now < certificate.not_valid_before_utc:
        raise IdentityError(
            f"{path} 自 {certificate.not_valid_before_utc:%Y-%m-%d %H:%M} UTC 起才有效：请校准本机时钟。",
            f"{path} holds only from {certificate.not_valid_before_utc:%Y-%m-%d %H:%M} UTC on: "
            "set the clock of this machine.",
        )


def _check_certificate(folder: Path, kind: str, name: str, venue: str, now: datetime) -> None:
    path = folder / TLS_CERTIFICATE
    authority = load_certificate(folder / CA_CERTIFICATE)
    certificate = load_certificate(path)
    try:
        certificate.verify_directly_issued_by(authority)
    except (InvalidSignature, ValueError, TypeError):
        raise _foreign(path, venue) from None
    if not has_uri(authority, uri_of(venue)) or not has_uri(certificate, uri_of(venue, kind, name)):
        raise _foreign(path, venue)
    load_tls_key(folder / TLS_KEY, certificate)
    check_dates(folder / CA_CERTIFICATE, authority, now)
    check_dates(path, certificate, now)


def _foreign(path: Path, venue: str) -> IdentityError:
    return IdentityError(
        f"{path} 不是场馆 {venue} 的证书机构为此身份签发的：请换回原来的文件，或重新签发。",
        f"{path} was not issued for this identity by the authority of venue {venue}: "
        "put the right file back, or issue again.",
    )


def _private_key(data: bytes) -> PrivateKeyTypes:
    return load_pem_private_key(data, None)


def _parse(path: Path, parse: Callable[[bytes], _T]) -> _T:
    data = read_file(path)
    try:
        return parse(data)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise unreadable(path) from None
