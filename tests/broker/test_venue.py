"""The venue's identities: made at the first start, kept, renewed when they have to be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from broker.failure import ExitCode, ServiceError
from broker.venue import prepare
from provisioning.ca import VenueAuthority
from provisioning.identity import DeviceIdentity, public_hex
from tests.e2e.conftest import configure, table


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    config = configure(tmp_path)
    prepare(config)
    before = tree(config.data)
    prepare(config)
    assert tree(config.data) == before


def test_seats_are_planned_with_the_keys_of_their_devices(tmp_path: Path) -> None:
    venue = prepare(configure(tmp_path))
    for seat in venue.seats(venue.config.tables[0]):
        device = DeviceIdentity.load(venue.config.devices / seat.device)
        assert seat.signing_key == public_hex(device.signing_key.public_key())
        assert seat.sealing_key == public_hex(device.sealing_key.public_key())


@pytest.mark.parametrize("folder", ["services/server", "services/monitor", "devices/seat-2"])
@pytest.mark.parametrize("left", [("tls.key",), ("tls.key", "tls.crt"), ("tls.key", "tls.crt", "ca.crt")])
def test_an_identity_that_was_begun_only_is_made_again(
    tmp_path: Path, folder: str, left: tuple[str, ...]
) -> None:
    config = configure(tmp_path)
    prepare(config)
    for path in (config.data / folder).iterdir():
        if path.name not in left:
            path.unlink()
    venue = prepare(config)
    device = DeviceIdentity.load(config.devices / "seat-2")
    assert venue.seats(config.tables[0])[1].signing_key == public_hex(device.signing_key.public_key())


def test_a_device_that_was_handed_out_is_left_alone(tmp_path: Path) -> None:
    config = configure(tmp_path)
    before = prepare(config).seats(config.tables[0])
    for path in (config.devices / "seat-2").iterdir():
        path.unlink()
    assert prepare(config).seats(config.tables[0]) == before


def test_a_device_that_comes_later_gets_its_identity(tmp_path: Path) -> None:
    prepare(configure(tmp_path))
    more = [table("t1", "seat-1", "seat-2", "seat-3", "seat-4"), table("t2", "a", "b", "c", "d")]
    venue = prepare(configure(tmp_path, table=more))
    assert {path.name for path in venue.config.devices.iterdir()} == {
        *"abcd",
        *(f"seat-{n}" for n in (1, 2, 3, 4)),
    }


def test_a_new_name_of_the_server_brings_a_new_certificate(tmp_path: Path) -> None:
    config = configure(tmp_path)
    first = prepare(config).server.tls_certificate.read_bytes()
    renamed = replace(config, mqtt=replace(config.mqtt, names=("Hall.Example", "192.0.2.7")))
    second = prepare(renamed).server.tls_certificate.read_bytes()
    assert first != second
    assert prepare(renamed).server.tls_certificate.read_bytes() == second


def test_a_certificate_that_runs_out_soon_is_renewed(tmp_path: Path) -> None:
    config = configure(tmp_path)
    long_ago = datetime.now(UTC) - timedelta(days=20)
    folder = config.data / "services" / "monitor"
    authority = VenueAuthority.create(config.authority, "hall", now=long_ago)
    authority.issue_client(folder, "monitor", days=30, now=long_ago)
    old = (folder / "tls.crt").read_bytes()
    prepare(config)
    assert (folder / "tls.crt").read_bytes() != old


def test_a_device_that_has_run_out_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = configure(tmp_path)
    long_ago = datetime.now(UTC) - timedelta(days=20)
    authority = VenueAuthority.create(config.authority, "hall", now=long_ago)
    authority.issue_device(config.devices / "seat-2", "seat-2", days=7, now=long_ago)
    prepare(config)
    assert "seat-2" in caplog.text and "seat-1" not in caplog.text


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(ServiceError, match=r"venue\.data") as caught:
        prepare(configure(tmp_path))
    assert caught.value.code is ExitCode.CONFIG


def test_a_damaged_certificate_is_named(tmp_path: Path) -> None:
    config = configure(tmp_path)
    prepare(config)
    (config.data / "services/server/tls.crt").write_text("damaged")
    with pytest.raises(ServiceError, match=r"server/tls\.crt") as caught:
        prepare(config)
    assert caught.value.code is ExitCode.CERTIFICATES
