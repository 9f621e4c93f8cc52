"""A name that is no setting -> a sentence that says which one was probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.config.fields import FIELDS, SECTIONS
from limpet.config.values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def unknown_section(name: str) -> str:
    """For the outermost name in a file."""
    homes = [section for section, keys in SECTIONS.items() if name in keys]
    if homes:
        return f"{shown(name)} stands outside its section; move it below [{homes[0]}]"
    if name in FIELDS:
        return f"{shown(name)} is one word because of its quotes; write {name} without them"
    return f"unknown section {shown(name)}; {_hint(name, SECTIONS, 'the sections are')}"


def unknown_key(section: str, key: str) -> str:
    """For a name within a section."""
    hint = _hint(key, SECTIONS[section], f"[{section}] has")
    return f"unknown setting {shown(key)} in [{section}]; {hint}"


def unknown_setting(name: object) -> str:
    """For a dotted name."""
    return f"unknown setting {shown(name)}; {_hint(str(name), FIELDS, 'settings are')}"


def unknown_variable(section: str, key: str) -> str:
    """For an environment variable whose first words name a section."""
    # Only the keys are compared: with their common beginning all variables look alike.
    hint = _hint(key, SECTIONS[section], "there are", written=lambda known: "$" + variable(f"{section}.{known}"))
    return f"no such setting, so unset it; {hint}"


def variable(name: str) -> str:
    """The environment variable for a dotted name."""
    return "LIMPET_" + name.replace(".", "_").upper()


def _hint(name: str, known: Iterable[str], otherwise: str, *, written: Callable[[str], str] = str) -> str:
    import difflib  # noqa: PLC0415 - needed only to word an error

    # Its time grows with the product of the lengths.
    near = difflib.get_close_matches(name[:100].lower(), known, n=1)
    return f"did you mean {written(near[0])}?" if near else f"{otherwise}: {', '.join(map(written, known))}"
