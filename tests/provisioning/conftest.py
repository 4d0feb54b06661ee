"""An authority and a device, made once for all tests; copied by those that damage them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from provisioning.ca import VenueAuthority


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``authority``, and with ``server``, ``client`` and ``device`` issued by it."""
    folder = tmp_path_factory.mktemp("venue")
    authority = VenueAuthority.create(folder / "authority", "hall-1")
    authority.issue_server(folder / "server", ["Localhost", "hall.example"], ["127.0.0.1", "::1"])
    authority.issue_client(folder / "client", "authority")
    authority.issue_device(folder / "device", "tablet-1")
    return folder


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """The same, free to be damaged."""
    shutil.copytree(made, tmp_path / "venue")
    return tmp_path / "venue"
