"""The page about settings has every setting, its default and what it is."""

from __future__ import annotations

import re

from toolbox import ROOT, load_tool


def test_the_tables_are_those_of_the_settings() -> None:
    """After a change of the settings: `python tools/settings.py`."""
    tool = load_tool("settings")
    text = (ROOT / "docs" / "settings.md").read_text()
    assert tool.page(text) == text
    assert set(re.findall(r"^\| `([a-z]+\.[a-z_]+)`", text, re.MULTILINE)) == set(tool.FIELDS)
