"""Hooks are judged as they are for people."""

from __future__ import annotations

import os

import pytest

FROM_AGENTS = ("CLAUDE", "GEMINI_", "QWEN_", "CURSOR_", "AI_AGENT")


@pytest.fixture(autouse=True)
def _usual_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIMPET_POLICY_PROFILE", raising=False)
    for name in [name for name in os.environ if name.startswith(FROM_AGENTS)]:
        monkeypatch.delenv(name)
