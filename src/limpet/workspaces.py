"""A path, or none -> the folder that commands run in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.engine.admit import shown
from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from os import PathLike


def workspace_folder(path: str | PathLike[str] | None) -> str:
    """The folder that is meant, by its real path. Raises InvalidRequestError."""
    try:
        folder = os.path.realpath(os.getcwd() if path is None else path)
    except FileNotFoundError:
        raise InvalidRequestError(
            "the current folder does not exist any more; say which workspace", field="cwd"
        ) from None
    except (TypeError, ValueError, OSError) as error:
        raise InvalidRequestError(f"workspace: {error}", field="workspace") from error
    if not os.path.isdir(folder):
        what = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise InvalidRequestError(f"the workspace {shown(os.fsdecode(folder))} {what}", field="workspace")
    return os.fsdecode(folder)
