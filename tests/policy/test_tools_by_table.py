"""Calls of whole families of tools: those that only look, those that work on the project, and what others do."""

from __future__ import annotations

import pytest

from limpet.policy.tools import builds, cloud, containers, effects_of, git, packages
from policy.calls import builds as build_calls
from policy.calls import cloud as cloud_calls
from policy.calls import containers as container_calls
from policy.calls import git as git_calls
from policy.calls import packages as package_calls
from policy.effects_of_text import odd_calls, summarise

TOOLS = builds.TOOLS | cloud.TOOLS | containers.TOOLS | git.TOOLS | packages.TOOLS
CALLS = (build_calls, cloud_calls, container_calls, git_calls, package_calls)


@pytest.mark.parametrize("text", [text for table in CALLS for text in table.LOOKS.strip().splitlines()])
def test_looking_does_nothing(text: str) -> None:
    assert summarise(text, TOOLS) == []


@pytest.mark.parametrize("text", [text for table in CALLS for text in table.WORKS_HERE.strip().splitlines()])
def test_work_on_the_project_only_writes_in_its_folder(text: str) -> None:
    assert set(summarise(text, TOOLS)) == {"write ."}


@pytest.mark.parametrize(("text", "expected"), [case for table in CALLS for case in table.EFFECTS])
def test_what_a_call_does(text: str, expected: list[str]) -> None:
    assert summarise(text, TOOLS) == expected


@pytest.mark.parametrize("tool", sorted({id(tool): name for name, tool in TOOLS.items()}.values()))
def test_no_call_is_too_odd(tool: str) -> None:
    for command in odd_calls(tool):
        list(effects_of(command, TOOLS) or ())
