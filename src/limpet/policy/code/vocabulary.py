"""Words of a scripting language -> which are harmless, and what the others do."""

from __future__ import annotations

import msgspec

from limpet.policy.code.tokens import Lexicon


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """A language that is judged by its words: what is not listed is not known to be harmless."""

    language: str
    lexicon: Lexicon
    safe: frozenset[str]
    powers: dict[str, str]
    """What words do: `command` (runs the text), `argv` (runs the texts), `delete`, `delete-tree`, `write` (its first
    argument is the file), `write-second`, `write-all`, `link`, `open` (a file, then a mode), `change`, `network`,
    `eval`, `kill`, `fork`, `opaque`."""
    qualified: dict[str, str] = {}
    """Members of certain things, as for `powers`; empty for those that are harmless: `File.delete`."""
    importers: frozenset[str] = frozenset()
    """Words that a module's name follows."""
    modules: dict[str, str] = {}
    """What modules bring along, as for `powers`; empty for those that are harmless."""
    other_modules: str = ""
    """What modules that are not listed bring along."""
    declare: frozenset[str] = frozenset()
    """Words that a new name follows."""
    functions: frozenset[str] = frozenset()
    """Words that the name of a new function follows, or with which one begins."""
    members: frozenset[str] = frozenset((".",))
    """Marks that the name of a member follows."""
    free_members: bool = False
    """Whether taking a member calls nothing."""
    pipes: bool = False
    """Whether a text that begins or ends with `|` is run where a file is opened."""
    dynamic: bool = True
    """Whether a word may be reached by a text of the same letters."""


def words(text: str) -> frozenset[str]:
    """Words that are written one after the other."""
    return frozenset(text.split())


def powers(**kinds: str) -> dict[str, str]:
    """Words for each kind; an underscore in the name of a kind is a dash."""
    return {word: kind.replace("_", "-") for kind, text in kinds.items() for word in text.split()}
