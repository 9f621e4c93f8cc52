"""The page about the house names every room of it."""

from __future__ import annotations

import re

from toolbox import ROOT

TABLE = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def test_every_package_and_module_has_a_place_in_the_table() -> None:
    named = {name.strip("/").split("/")[0] for row in TABLE.findall((ROOT / "ARCHITECTURE.md").read_text())
             for name in re.findall(r"`([a-z_/]+)`", row)}  # fmt: skip
    there = {path.stem for path in (ROOT / "src" / "limpet").iterdir() if path.suffix in ("", ".py")}
    assert there - {"__init__", "__main__", "__pycache__"} == named
