"""Where the subcommands for tasks find them: without settings, which may be wrong when one has to be ended."""

from __future__ import annotations

import os

from limpet.config import state_dir
from limpet.tasks.store import Tasks
from limpet.tasks.verbs import TaskVerbs


def stored_tasks() -> Tasks:
    """All tasks of this user."""
    return Tasks(state_dir(os.environ))


def tasks_of(workspace: str | None) -> TaskVerbs:
    """The tasks as they are seen from a folder, which need not exist any more."""
    return TaskVerbs(stored_tasks(), os.path.realpath(workspace or "."))
