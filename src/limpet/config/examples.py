"""A rule and its examples -> nothing when they agree, or a ConfigError that names the one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.config.rule_files import Written, quoted
from limpet.config.values import shown
from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from limpet.policy.rules import Rule

MOST_EXAMPLES = 100
MOST_CHARACTERS = 4000
_WORLD = World(workspace="/home/user/project", home="/home/user")
_COMPLAINTS = {
    "match": "was expected to match and does not",
    "not_match": "was expected not to match and does",
}


def check_examples(rule: Rule, written: Written) -> None:
    """Examples are command lines, read as any other: one matches when a command in it does."""
    for key, complaint in _COMPLAINTS.items():
        for example in _examples(written, key):
            if _matches(rule, example) is not (key == "match"):
                raise written.error(f'example "{quoted(example)}" {complaint}', key)


def _examples(written: Written, key: str) -> list[str] | tuple[str, ...]:
    examples = written.table.get(key, [])
    if not isinstance(examples, list | tuple) or not all(isinstance(example, str) for example in examples):
        raise written.error(f"{key} must be a list of command lines, not {shown(examples)}", key)
    if len(examples) > MOST_EXAMPLES or any(len(example) > MOST_CHARACTERS for example in examples):
        message = f"{key} has more than {MOST_EXAMPLES} examples, or one of more than {MOST_CHARACTERS} characters"
        raise written.error(f"{message}; shorten it", key)
    return examples


def _matches(rule: Rule, example: str) -> bool:
    decision = decide(example, _WORLD)
    if rule.builtin:
        return any(reason.rule == rule.builtin for reason in decision.reasons)
    return any(rule.covers(command.argv) for command in decision.commands)
