"""Tools that build, test, check and format what the workspace holds -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.tools.builds_checks import CHECKS
from limpet.policy.tools.builds_compilers import COMPILERS
from limpet.policy.tools.builds_data import DATA
from limpet.policy.tools.builds_languages import LANGUAGES
from limpet.policy.tools.builds_make import MAKES
from limpet.policy.tools.builds_media import MEDIA
from limpet.policy.tools.builds_projects import PROJECTS
from limpet.policy.tools.builds_running import RUNNING
from limpet.policy.tools.own_code import explained

if TYPE_CHECKING:
    from limpet.policy.tools.spec import Rule, Spec

TOOLS: dict[str, Spec | Rule] = explained(
    {**MEDIA, **DATA, **PROJECTS, **RUNNING, **CHECKS, **COMPILERS, **LANGUAGES, **MAKES}
)
