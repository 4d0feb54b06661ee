"""The venue's log for those who only read it; the authority may be running or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from broker.config import Config
from broker.failure import ExitCode, ServiceError
from broker.tables.log import Log
from broker.tables.plan import VenueKeys
from broker.tables.rows import TableKey
from provisioning.ca import VenueAuthority


@contextmanager
def reading(config: Config) -> Iterator[Log]:
    """The log, closed again at the end; ``LogError`` if there is none that can be read."""
    log = Log.open(config.store.url, config.venue, reading=True)
    try:
        yield log
    finally:
        log.close()


def venue_keys(config: Config) -> VenueKeys:
    """The keys of a venue that has been started before; ``IdentityError`` if there are none."""
    authority = VenueAuthority.load(config.authority)
    return VenueKeys(authority.signing_key, authority.store_key)


def find_table(log: Log, name: str) -> TableKey:
    """The table of that id, or of ``event/id`` where several events have one; ``ServiceError`` if none."""
    keys = log.tables(closed=True)
    found = [key for key in keys if name in (key.table, f"{key.event}/{key.table}")]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"{key.event}/{key.table}" for key in (found or keys)) or "-"
    if found:
        raise ServiceError(
            ExitCode.FAILED, f"有多桌叫 {name}：{names}", f"several tables are {name}: {names}"
        )
    raise ServiceError(
        ExitCode.FAILED, f"没有 {name} 这一桌，现有：{names}", f"there is no table {name}; there are: {names}"
    )
