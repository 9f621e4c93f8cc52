"""The page about settings has every setting, its default and what it is."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_the_tables_are_those_of_the_settings() -> None:
    """After a change of the settings: `python tools/settings.py`."""
    spec = importlib.util.spec_from_file_location("settings_page", ROOT / "tools" / "settings.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    text = (ROOT / "docs" / "settings.md").read_text()
    assert tool.page(text) == text
    assert set(re.findall(r"^\| `([a-z]+\.[a-z_]+)`", text, re.MULTILINE)) == set(tool.FIELDS)
