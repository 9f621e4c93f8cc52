"""Interpreters of every kind -> what they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.tools import awk, calculators, debuggers, javascript, perl, python, scripting, sed, terminals

if TYPE_CHECKING:
    from limpet.policy.tools.spec import Rule, Spec

TOOLS: dict[str, Spec | Rule] = {
    **awk.TOOLS,
    **calculators.TOOLS,
    **debuggers.TOOLS,
    **javascript.TOOLS,
    **perl.TOOLS,
    **python.TOOLS,
    **scripting.TOOLS,
    **sed.TOOLS,
    **terminals.TOOLS,
}
