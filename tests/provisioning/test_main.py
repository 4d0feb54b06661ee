"""``paizhuo-provision`` as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provisioning.__main__ import main
from provisioning.identity import DeviceIdentity, TlsIdentity


def _run(*words: object) -> int:
    return main([str(word) for word in words])


def test_a_venue_from_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    authority = ("--authority", tmp_path / "a")
    assert _run("init", *authority, "--venue", "hall-1") == 0
    assert _run("issue", "device", "tablet-1", *authority, "--into", tmp_path / "d", "--days", 2) == 0
    server = ("--also", "hall.example", "--address", "127.0.0.1", "--address", "::1")
    assert _run("issue", "server", "localhost", *authority, "--into", tmp_path / "s", *server) == 0
    assert _run("issue", "client", "monitor", *authority, "--into", tmp_path / "c") == 0
    assert DeviceIdentity.load(tmp_path / "d").device == "tablet-1"
    assert TlsIdentity.load(tmp_path / "s").name == "localhost"
    capsys.readouterr()
    assert _run("inventory", *authority, "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in listed] == ["tablet-1", "localhost", "monitor"]
    assert _run("inventory", *authority) == 0
    shown = capsys.readouterr().out
    assert all(one["serial"] in shown and one["not_after"] in shown for one in listed)
    assert shown.endswith("共 3 份 / 3 issued\n")


@pytest.mark.parametrize(
    ("words", "zh", "en"),
    [
        (["inventory", "--authority", "{}/none"], "没有证书机构", "there is no authority"),
        (["init", "--authority", "{}/a", "--venue", "hall-1"], "不会覆盖", "never overwritten"),
        (["init", "--authority", "{}/b", "--venue", "Hall 1"], "不合要求", "cannot be used"),
        (["issue", "device", "server", "--authority", "{}/a", "--into", "{}/d"], "保留", "kept for"),
        (["issue", "server", "1.1.1.1", "--authority", "{}/a", "--into", "{}/d"], "主机名", "host name"),
        (["issue", "device", "x", "--authority", "{}/a", "--into", "{}/a"], "已有", "already holds"),
        (
            ["issue", "client", "x", "--authority", "{}/a", "--into", "/dev/null"],
            "写不了",
            "cannot be written",
        ),
        (["issue", "client", "x", "--authority", "{}/a", "--into", "{}/d", "--days", "0"], "天数", "days"),
        (
            ["issue", "client", "x", "--authority", "{}/a", "--into", "{}/d", "--also", "h"],
            "服务器",
            "server",
        ),
    ],
)
def test_mistakes_are_answered_in_both_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], zh: str, en: str
) -> None:
    assert _run("init", "--authority", tmp_path / "a", "--venue", "hall-1") == 0
    capsys.readouterr()
    assert _run(*(word.format(tmp_path) for word in words)) == 1
    out, err = capsys.readouterr()
    first, second, *more = err.splitlines()
    assert zh in first
    assert en in second
    assert not more
    assert not out


@pytest.mark.parametrize("words", [[], ["fly"], ["init"], ["issue", "car", "x"], ["issue", "device"]])
def test_wrong_usage_ends_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert "usage: paizhuo-provision" in capsys.readouterr().err


def test_an_authority_folder_is_never_an_identity_folder(tmp_path: Path) -> None:
    """Not even with --replace: the keys of a venue would be lost."""
    authority = ("--authority", tmp_path / "a")
    assert _run("init", *authority, "--venue", "hall-1") == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()}
    assert _run("issue", "device", "x", *authority, "--into", tmp_path / "a", "--replace") == 1
    assert {path.name: path.read_bytes() for path in (tmp_path / "a").iterdir()} == before


@pytest.mark.parametrize(
    "words", [["--help"], ["init", "--help"], ["issue", "--help"], ["inventory", "--help"]]
)
def test_help_is_chinese_then_english(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 0
    text = capsys.readouterr().out
    assert any("\u4e00" <= sign <= "\u9fff" for sign in text)


@pytest.mark.parametrize("words", [["inventory"], ["init", "--venue", "hall"]])
def test_a_folder_that_cannot_even_be_looked_at_is_named(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = "x" * 300
    assert main([*words, "--authority", folder]) == 1
    said = capsys.readouterr().err
    assert folder in said and "权限" in said and "permissions" in said
