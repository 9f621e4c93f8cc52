"""What was found in inline code -> what that does to paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.policy.effect import change, delete, read, write
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.policy.code.finding import Finding
    from limpet.policy.effect import Effect


def effects_on_paths(findings: Iterable[Finding], home: str) -> list[Effect]:
    """Each path that is named there, in order."""
    return [_at_home(effect, home) for found in findings for effect in _paths(found)]


def _paths(found: Finding) -> Iterator[Effect]:
    if found.read is not None:
        yield read(known(found.read))
    if found.write is not None:
        yield write(known(found.write))
    if found.delete is not None:
        yield delete(known(found.delete), recursive=found.recursive)
    if found.change is not None:
        yield change(known(found.change), recursive=found.recursive)


def _at_home(effect: Effect, home: str) -> Effect:
    """A path as code has it, with the home folder for its tilde."""
    text = effect.field.text if effect.field is not None else None
    if text is None or not (text == "~" or text.startswith("~/")):
        return effect
    return msgspec.structs.replace(effect, field=known(home + text[1:]))
