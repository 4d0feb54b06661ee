"""The venue authority: it makes the certificates and keys of a venue's machines.

Its folder, for its owner alone, holds ``ca.crt`` and ``ca.key`` (ECDSA P-256), the Ed25519 key by
which the table authority signs, the key that encrypts secrets in the log's store, and
``issued.jsonl``. ``revoked.crl`` is where a list of revoked certificates belongs.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from provisioning.certificates import (
    Issuer,
    Term,
    authority_certificate,
    has_uri,
    machine_certificate,
    uri_of,
)
from provisioning.files import (
    IdentityError,
    make_folder,
    new_folder,
    read_fields,
    read_file,
    unreadable,
    write_private,
    write_public,
)
from provisioning.identity import (
    AUTHORITY_KEY,
    CA_CERTIFICATE,
    IDENTITY,
    SEALING_KEY,
    SIGNING_KEY,
    TLS_CERTIFICATE,
    TLS_KEY,
    DeviceIdentity,
    TlsIdentity,
    check_dates,
    load_certificate,
    load_signing_key,
    load_tls_key,
    public_hex,
    write_identity,
)
from provisioning.inventory import Issued, Kind, append_inventory, read_inventory
from provisioning.names import check_device, check_id, parse_address, parse_host

EVENT_DAYS: Final = 7
"""Length of an event if none is given; certificates last one day longer."""
AUTHORITY_DAYS: Final = 3650
STORE_KEY_BYTES: Final = 32

_COMMON_NAME: Final = 64
"""Longest common name in a certificate (RFC 5280, appendix A.1)."""

_CA_KEY: Final = "ca.key"
_STORE_KEY: Final = "store.key"
_INVENTORY: Final = "issued.jsonl"
_CRL: Final = "revoked.crl"


@dataclass(frozen=True, slots=True)
class VenueAuthority:
    """Issues identities; holds the keys of the venue's table authority: to sign, and for its store."""

    folder: Path
    venue: str
    signing_key: Ed25519PrivateKey = field(repr=False)
    store_key: bytes = field(repr=False)
    _issuer: Issuer = field(repr=False)

    @classmethod
    def create(cls, folder: Path, venue: str, now: datetime | None = None) -> VenueAuthority:
        """A new authority. ``IdentityError`` unless the folder is empty or not there yet."""
        check_id(venue)
        _check_empty(folder)
        start = _moment(now)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = authority_certificate(venue, key, Term(start, start + timedelta(days=AUTHORITY_DAYS)))
        with new_folder(folder) as fresh:
            write_private(fresh / _CA_KEY, _pem(key))
            write_private(fresh / SIGNING_KEY, _pem(Ed25519PrivateKey.generate()))
            write_private(fresh / _STORE_KEY, secrets.token_hex(STORE_KEY_BYTES).encode() + b"\n")
            write_public(fresh / CA_CERTIFICATE, certificate.public_bytes(Encoding.PEM))
            write_identity(fresh, "venue", venue, venue)
        return cls.load(folder, start)

    @classmethod
    def load(cls, folder: Path, now: datetime | None = None) -> VenueAuthority:
        """The authority in the folder; ``IdentityError`` if it is missing, damaged or out of date."""
        if not (folder / IDENTITY).exists():
            raise IdentityError(
                f"{folder} 里没有证书机构：请先建立（paizhuo-provision init --authority {folder}）。",
                f"there is no authority in {folder}: make one (paizhuo-provision init --authority {folder}).",
            )
        kind, venue = read_fields(folder / IDENTITY, "kind", "venue")
        certificate = load_certificate(folder / CA_CERTIFICATE)
        if kind != "venue" or not has_uri(certificate, uri_of(venue)):
            raise unreadable(folder / IDENTITY)
        check_dates(folder / CA_CERTIFICATE, certificate, _moment(now))
        return cls(
            folder,
            venue,
            load_signing_key(folder / SIGNING_KEY),
            _read_store_key(folder / _STORE_KEY),
            Issuer(certificate, load_tls_key(folder / _CA_KEY, certificate)),
        )

    @property
    def ca_certificate(self) -> Path:
        """PEM of the certificate that every machine of the venue trusts."""
        return self.folder / CA_CERTIFICATE

    @property
    def crl(self) -> Path:
        """Where the list of revoked certificates belongs (PEM); there may be none."""
        return self.folder / _CRL

    def inventory(self) -> tuple[Issued, ...]:
        """Everything that was issued, oldest first."""
        return read_inventory(self.folder / _INVENTORY)

    def device(self, name: str) -> Issued:
        """The newest certificate of a device, with its public keys; ``IdentityError`` if it has none."""
        for issued in reversed(self.inventory()):
            if issued.kind == "device" and issued.name == name:
                return issued
        raise IdentityError(
            f"没有签发过设备 {name}：请先签发（paizhuo-provision issue device）。",
            f"no device {name} was ever issued: issue it first (paizhuo-provision issue device).",
        )

    def issue_server(
        self,
        folder: Path,
        names: Sequence[str],
        addresses: Sequence[str] = (),
        *,
        days: int = EVENT_DAYS,
        now: datetime | None = None,
        replace: bool = False,
    ) -> TlsIdentity:
        """A server, known under these host names and IP addresses; its own name is the first of them."""
        hosts = [parse_host(name) for name in names]
        if not hosts or len(hosts[0]) > _COMMON_NAME:
            raise IdentityError(
                f"服务器要有主机名，第一个不超过 {_COMMON_NAME} 个字符。",
                f"a server needs host names, the first of at most {_COMMON_NAME} characters.",
            )
        alternatives = [
            *(x509.DNSName(host) for host in hosts),
            *(x509.IPAddress(parse_address(address)) for address in addresses),
        ]
        term = self._term(days, now)
        self._issue(folder, "server", hosts[0], term, replace, hosts=alternatives)
        return TlsIdentity.load(folder, term.now)

    def issue_client(
        self,
        folder: Path,
        name: str,
        *,
        days: int = EVENT_DAYS,
        now: datetime | None = None,
        replace: bool = False,
    ) -> TlsIdentity:
        """A client of the MQTT server that is no device: the table authority, a monitor."""
        check_id(name)
        term = self._term(days, now)
        self._issue(folder, "client", name, term, replace)
        return TlsIdentity.load(folder, term.now)

    def issue_device(
        self,
        folder: Path,
        device: str,
        *,
        days: int = EVENT_DAYS,
        now: datetime | None = None,
        replace: bool = False,
    ) -> DeviceIdentity:
        """A seat's device, with new keys for TLS, for signing and for sealing."""
        check_device(device)
        term = self._term(days, now)
        keys = _DeviceKeys(Ed25519PrivateKey.generate(), X25519PrivateKey.generate())
        self._issue(folder, "device", device, term, replace, keys=keys)
        return DeviceIdentity.load(folder, term.now)

    def _issue(
        self,
        folder: Path,
        kind: Kind,
        name: str,
        term: Term,
        replace: bool,
        *,
        hosts: Sequence[x509.GeneralName] = (),
        keys: _DeviceKeys | None = None,
    ) -> None:
        """Enters a new certificate into the inventory, then fills the folder, ``identity.json`` last."""
        self._check_free(folder, kind, name, replace)
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = machine_certificate(self._issuer, self.venue, kind, name, hosts, key.public_key(), term)
        append_inventory(self.folder / _INVENTORY, _entry(certificate, kind, name, keys))
        make_folder(folder)
        (folder / IDENTITY).unlink(missing_ok=True)
        write_private(folder / TLS_KEY, _pem(key))
        write_public(folder / TLS_CERTIFICATE, certificate.public_bytes(Encoding.PEM))
        write_public(folder / CA_CERTIFICATE, self._issuer.certificate.public_bytes(Encoding.PEM))
        if keys:
            self._write_device_keys(folder, keys)
        write_identity(folder, kind, name, self.venue)

    def _write_device_keys(self, folder: Path, keys: _DeviceKeys) -> None:
        authority = self.signing_key.public_key()
        write_private(folder / SIGNING_KEY, _pem(keys.signing))
        write_private(folder / SEALING_KEY, _pem(keys.sealing))
        write_public(
            folder / AUTHORITY_KEY, authority.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        )

    def _term(self, days: int, now: datetime | None) -> Term:
        """From now to a day after the event, but no longer than the authority itself lasts."""
        if not 1 <= days <= AUTHORITY_DAYS:
            raise IdentityError(
                f"天数应在 1 到 {AUTHORITY_DAYS} 之间，现为 {days}。",
                f"the number of days must be from 1 to {AUTHORITY_DAYS}, not {days}.",
            )
        start = _moment(now)
        end = min(start + timedelta(days=days + 1), self._issuer.certificate.not_valid_after_utc)
        return Term(start, end)

    def _check_free(self, folder: Path, kind: Kind, name: str, replace: bool) -> None:
        """Refuses a folder in use, and a name that means a machine of another kind."""
        if (folder / _CA_KEY).exists():
            raise IdentityError(
                f"{folder} 里已有证书机构，不会覆盖：请换一个文件夹。",
                f"{folder} already holds an authority and is never overwritten: use another folder.",
            )
        if (folder / IDENTITY).exists() and not replace:
            raise IdentityError(
                f"{folder} 里已有一个身份：请换文件夹，或加 --replace 重新签发。",
                f"{folder} already holds an identity: use another folder, or --replace to issue it again.",
            )
        others = {issued.kind for issued in self.inventory() if issued.name == name} - {kind}
        if others:
            raise IdentityError(
                f"名称 {name} 已签发给另一类机器（{min(others)}）：请换一个名称。",
                f"the name {name} belongs to a machine of another kind ({min(others)}): choose another.",
            )


@dataclass(frozen=True, slots=True)
class _DeviceKeys:
    """A device's own keys, apart from TLS."""

    signing: Ed25519PrivateKey
    sealing: X25519PrivateKey


def _entry(certificate: x509.Certificate, kind: Kind, name: str, keys: _DeviceKeys | None) -> Issued:
    return Issued(
        serial=f"{certificate.serial_number:x}",
        kind=kind,
        name=name,
        not_before=certificate.not_valid_before_utc.isoformat(),
        not_after=certificate.not_valid_after_utc.isoformat(),
        signing_key=public_hex(keys.signing.public_key()) if keys else "",
        sealing_key=public_hex(keys.sealing.public_key()) if keys else "",
    )


def _pem(key: PrivateKeyTypes) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _read_store_key(path: Path) -> bytes:
    try:
        key = bytes.fromhex(read_file(path).decode("ascii"))
    except ValueError:
        raise unreadable(path) from None
    if len(key) != STORE_KEY_BYTES:
        raise unreadable(path)
    return key


def _moment(now: datetime | None) -> datetime:
    return (now or datetime.now(UTC)).replace(microsecond=0)


def _check_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise IdentityError(
            f"{folder} 不是空文件夹，不会覆盖：请换一个文件夹；若其中已有证书机构，请直接使用。",
            f"{folder} is not an empty folder and is never overwritten: use another one, "
            "or the authority that is in it.",
        )
