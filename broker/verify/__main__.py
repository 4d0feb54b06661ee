"""Command line of the checker: ``python -m broker.verify FILE``, or the folder copied elsewhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .audit import Report, check
from .transcript import Unreadable

_ABOUT = (
    "核对一份牌桌记录：记录链、签名、牌的承诺与重洗、每一手是否合规、级数与得分。\n"
    "Check the transcript of a table: chain, signatures, commitments and boards, every play, levels, score."
)

MOST = 50
"""Problems of a file that are told one by one."""


def main(argv: Sequence[str] | None = None) -> int:
    """0 if every file is right, 1 if something is wrong, 2 if a file is no transcript."""
    parser = argparse.ArgumentParser(
        prog="verify", description=_ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="+", type=Path, help="记录文件 / transcript file")
    worst = 0
    for path in parser.parse_args(argv).file:
        try:
            report = check(path)
        except Unreadable as error:
            print(f"无法读取 / cannot be read: {error}", file=sys.stderr)
            worst = 2
            continue
        print(describe(report))
        worst = max(worst, 0 if report.verified else 1)
    return worst


def describe(report: Report) -> str:
    """The report as text, Chinese first."""
    facts = (
        f"{report.table}: {report.records} 条记录，{report.signed} 个签名动作，"
        f"{report.boards} 份牌，{report.deals} 副",
        f"{report.table}: {report.records} records, {report.signed} signed acts,"
        f" {report.boards} boards, {report.deals} deals",
        "场馆公钥（请与公布的核对） / the venue's key, to be compared with the published one:"
        f" {report.authority_key}",
    )
    if report.verified:
        return "\n".join((*facts, "核对无误 / verified"))
    faults = [f"  #{number}: {text}" for number, text in report.problems[:MOST]]
    if more := len(report.problems) - len(faults):
        faults.append(f"  另有 {more} 处 / and {more} more")
    if report.sealed:
        faults.append(f"  尚有 {report.sealed} 处未公开 / {report.sealed} secrets are still closed")
    return "\n".join((*facts, "核对未通过 / NOT verified", *faults))


if __name__ == "__main__":
    sys.exit(main())
