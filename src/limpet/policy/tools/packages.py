"""Package managers -> what their calls do: looking is free, installing downloads code, publishing is seen by others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.tools.own_code import explained
from limpet.policy.tools.packages_js import JAVASCRIPT
from limpet.policy.tools.packages_python import PYTHON
from limpet.policy.tools.packages_system import SYSTEM

if TYPE_CHECKING:
    from limpet.policy.tools.spec import Rule, Spec

TOOLS: dict[str, Spec | Rule] = explained({**JAVASCRIPT, **PYTHON, **SYSTEM})
