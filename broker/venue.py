"""The venue's identities: a throw-away authority at the first start, and certificates as needed."""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509

from broker.access import AUTHORITY, MONITOR, AccessList
from broker.config import Config, TableEntry, is_address
from broker.failure import ExitCode, ServiceError
from broker.listener import Files, Listener
from broker.tables.plan import SeatPlan, VenueKeys
from provisioning.ca import VenueAuthority
from provisioning.files import IdentityError
from provisioning.identity import IDENTITY, TLS_CERTIFICATE, TlsIdentity, load_certificate

SERVER: Final = "server"

DAYS: Final = 90
"""Days for which the certificates are issued that are made here."""

_RENEW: Final = timedelta(days=30)
"""A certificate of a service that runs out sooner is issued again at start."""
_log = logging.getLogger(__name__)
_HOST_NAME: Final = re.compile(r"[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*")


@dataclass(frozen=True, slots=True)
class Venue:
    """A venue with everything it needs to identify itself and its devices."""

    config: Config
    authority: VenueAuthority
    server: TlsIdentity
    client: TlsIdentity
    """By this the table authority connects to the MQTT server."""
    monitor: TlsIdentity

    @property
    def keys(self) -> VenueKeys:
        """The keys that the tables need."""
        return VenueKeys(self.authority.signing_key, self.authority.store_key)

    def listener(self) -> Listener:
        """What the MQTT server is told."""
        mqtt = self.config.mqtt
        access = AccessList(self.config.venue, frozenset(mqtt.consoles))
        files = Files.of(self.server, self.authority.crl)
        return Listener(mqtt.host, mqtt.port, access, files, self.config.runtime)

    def seats(self, table: TableEntry) -> tuple[SeatPlan, ...]:
        """The seats of a table with the public keys of their devices."""
        return tuple(self._seat(entry.device, entry.player) for entry in table.seats)

    def _seat(self, device: str, player: str) -> SeatPlan:
        issued = self.authority.device(device)
        return SeatPlan(device, player, issued.signing_key, issued.sealing_key)


def prepare(config: Config) -> Venue:
    """The venue with all its identities; those that are missing are made.

    ``ServiceError`` if the folder cannot be used, or holds identities that are damaged or foreign.
    """
    try:
        config.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        authority = _authority(config)
        venue = Venue(
            config=config,
            authority=authority,
            server=_server(config, authority),
            client=_client(config, authority, AUTHORITY),
            monitor=_client(config, authority, MONITOR),
        )
        _issue_devices(config, authority)
    except IdentityError as error:
        raise ServiceError(ExitCode.CERTIFICATES, error.zh, error.en) from None
    except OSError as error:
        raise unusable(config.data, error) from None
    return venue


def monitor_identity(config: Config) -> TlsIdentity:
    """The identity by which ``status`` looks at a running venue; ``IdentityError`` if there is none."""
    return TlsIdentity.load(_folder(config, MONITOR))


def _authority(config: Config) -> VenueAuthority:
    if not config.authority.exists():
        return VenueAuthority.create(config.authority, config.venue)
    authority = VenueAuthority.load(config.authority)
    if authority.venue != config.venue:
        raise IdentityError(
            f"{config.authority} 属于场馆 {authority.venue}，而非 {config.venue}："
            "请更正 venue.id 或 venue.data。",
            f"{config.authority} belongs to venue {authority.venue}, not {config.venue}: "
            "correct venue.id or venue.data.",
        )
    return authority


def _server(config: Config, authority: VenueAuthority) -> TlsIdentity:
    folder = _folder(config, SERVER)
    names, addresses = _hosts(config)
    if _is_current(folder) and _known_as(folder) >= {*names, *addresses}:
        return _load_own(folder, authority)
    return authority.issue_server(folder, names, addresses, days=DAYS, replace=True)


def _client(config: Config, authority: VenueAuthority, name: str) -> TlsIdentity:
    folder = _folder(config, name)
    if _is_current(folder):
        return _load_own(folder, authority)
    return authority.issue_client(folder, name, days=DAYS, replace=True)


def _load_own(folder: Path, authority: VenueAuthority) -> TlsIdentity:
    """The identity in the folder; ``IdentityError`` if this venue's authority did not issue it."""
    identity = TlsIdentity.load(folder)
    if load_certificate(identity.ca_certificate) != load_certificate(authority.ca_certificate):
        raise IdentityError(
            f"{folder} 里的证书是另一个场馆的：请删除此文件夹，启动时会重新签发。",
            f"the certificate in {folder} is of another venue: remove the folder, "
            "and it is issued anew at the next start.",
        )
    return identity


def _issue_devices(config: Config, authority: VenueAuthority) -> None:
    """Identities for devices that have none yet; they are handed to the seats from ``devices``."""
    issued = {one.name: one for one in authority.inventory() if one.kind == "device"}
    for device in sorted({seat.device for table in config.tables for seat in table.seats}):
        folder = config.devices / device
        if device not in issued or _is_unfinished(folder):
            authority.issue_device(folder, device, days=DAYS)
        elif issued[device].is_expired(datetime.now(UTC)):
            _log.warning("设备 %s 的证书已过期：请用 paizhuo-provision issue 重新签发。", device)
            _log.warning("the certificate of device %s has run out: issue it again.", device)


def _folder(config: Config, name: str) -> Path:
    return config.data / "services" / name


def _hosts(config: Config) -> tuple[list[str], list[str]]:
    """Names and addresses by which seats may reach the server."""
    own = socket.gethostname().lower()
    given = [config.mqtt.host, *config.mqtt.names]
    names = [SERVER, "localhost", *filter(_HOST_NAME.fullmatch, [own])]
    names += [name.lower() for name in given if not is_address(name)]
    addresses = [address for address in given if is_address(address)]
    usable = [address for address in addresses if not ip_address(address).is_unspecified]
    return list(dict.fromkeys(names)), list(dict.fromkeys(["127.0.0.1", "::1", *usable]))


def _is_current(folder: Path) -> bool:
    """Whether a whole identity is there that does not run out soon. Whether it is ours, ``load`` tells."""
    if _is_unfinished(folder):
        return False
    certificate = _certificate(folder)
    return certificate is not None and certificate.not_valid_after_utc > datetime.now(UTC) + _RENEW


def _is_unfinished(folder: Path) -> bool:
    """Whether an identity was begun there and never came to its last file: the disk was full, say."""
    return folder.is_dir() and any(folder.iterdir()) and not (folder / IDENTITY).exists()


def _known_as(folder: Path) -> set[str]:
    certificate = _certificate(folder)
    return set() if certificate is None else set(_alternative_names(certificate))


def _alternative_names(certificate: x509.Certificate) -> Iterator[str]:
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    yield from names.get_values_for_type(x509.DNSName)
    yield from (str(address) for address in names.get_values_for_type(x509.IPAddress))


def _certificate(folder: Path) -> x509.Certificate | None:
    path = folder / TLS_CERTIFICATE
    return load_certificate(path) if path.exists() else None


def unusable(folder: Path, error: OSError) -> ServiceError:
    """The failure of a venue's folder that cannot be read or written."""
    return ServiceError(
        ExitCode.CONFIG,
        f"不能使用文件夹 {folder}（{error.strerror}）：请更正 venue.data 或其权限。",
        f"the folder {folder} cannot be used ({error.strerror}): correct venue.data or its permissions.",
    )
