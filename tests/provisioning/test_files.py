"""Files of an identity on a disk that is full, and under any file mode creation mask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from provisioning import files
from provisioning.ca import VenueAuthority
from provisioning.files import IdentityError, append_line


@pytest.fixture
def open_mask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("fits", [0, 5])
def test_a_line_that_does_not_fit_leaves_none_of_it(
    tmp_path: Path, fits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line would make the whole inventory unreadable."""
    path = tmp_path / "issued.jsonl"
    append_line(path, '{"serial": 1}')
    whole = path.read_bytes()
    write = os.write
    monkeypatch.setattr(files.os, "write", lambda handle, data: write(handle, data[:fits]))
    with pytest.raises(IdentityError, match="disk space"):
        append_line(path, '{"serial": 2}')
    assert path.read_bytes() == whole


def test_nobody_else_can_change_what_lies_above_an_identity(tmp_path: Path, open_mask: None) -> None:
    authority = VenueAuthority.create(tmp_path / "a" / "authority", "hall")
    authority.issue_device(tmp_path / "b" / "c" / "seat-1", "seat-1")
    modes = {str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert {modes["a"], modes["b"], modes["b/c"]} == {0o755}
    assert {modes["a/authority"], modes["b/c/seat-1"]} == {0o700}
    assert not any(mode & 0o022 for mode in modes.values())
