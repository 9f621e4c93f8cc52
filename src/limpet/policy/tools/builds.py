"""Tools that build, test, check and format what the workspace holds -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.tools.builds_checks import CHECKS
from limpet.policy.tools.builds_compilers import COMPILERS
from limpet.policy.tools.builds_languages import LANGUAGES
from limpet.policy.tools.builds_make import MAKES

if TYPE_CHECKING:
    from limpet.policy.tools.spec import Rule, Spec

TOOLS: dict[str, Spec | Rule] = {**CHECKS, **COMPILERS, **LANGUAGES, **MAKES}
