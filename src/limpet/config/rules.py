"""Settings, files of rules and arguments -> the rules that hold."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from limpet.config.places import SYSTEM_FILE
from limpet.config.rule_files import RuleReader, Written
from limpet.config.rule_tables import rule_of
from limpet.config.source import Layer, Source
from limpet.config.values import shown
from limpet.errors import ConfigError
from limpet.model.codec import printable
from limpet.model.decision import Verdict
from limpet.policy.pattern import BadPatternError, parse_pattern
from limpet.policy.rules import Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.config.places import SettingsFile
    from limpet.config.settings import PolicySettings, Settings

RULES_FILE = "policy.toml"
PROJECT_RULES_FILE = ".limpet-policy.toml"
APPROVED_FILE = "approved.toml"
"""Where answers are kept that hold for good; beside the user's settings."""
_VERDICTS = {"block": Verdict.DENY, "ask": Verdict.ASK, "allow": Verdict.ALLOW}
_NO_RULES_LIST = 'rules must be a list of texts such as "deny git push *", of tables or of rules'


def load_rules(settings: Settings, files: Sequence[SettingsFile]) -> Rules:
    """All rules of the settings and of the files beside the settings files. Raises ConfigError."""
    paths = {place.layer: rules_path(place) for place in files}
    elsewhere = printable(paths.get(Layer.USER, os.path.join(os.path.dirname(SYSTEM_FILE), RULES_FILE)))
    here = os.path.dirname(paths.get(Layer.PROJECT, ""))
    reader = RuleReader()
    written = list(_written(reader, settings.policy, files))
    _check_names(written)
    made = [(rule_of(each, elsewhere=elsewhere), each.table.get("workspace", here)) for each in written]
    rules = [rule for rule, where in made if where == here]
    approved = approved_path(files)
    looked_at = (*paths.values(), *([approved] if approved else []), *reader.files)
    return Rules((*rules, *_listed(settings.policy)), settings.policy.network_tools, looked_at)


def rules_path(place: SettingsFile) -> str:
    """The file of rules beside a settings file."""
    name = PROJECT_RULES_FILE if place.layer is Layer.PROJECT else RULES_FILE
    return os.path.join(os.path.dirname(place.path), name)


def approved_path(files: Sequence[SettingsFile]) -> str | None:
    """The file of approved commands; None for a user without a home."""
    user = next((place.path for place in files if place.layer is Layer.USER), None)
    return None if user is None else os.path.join(os.path.dirname(user), APPROVED_FILE)


def rules_from(values: Iterable[str | Mapping[str, object] | Rule]) -> Rules:
    """The rules of a caller: `deny git push *`, tables with the keys of a file, or rules. Raises ConfigError."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise ConfigError(f"{_NO_RULES_LIST}, not {shown(values)}", source="argument")
    return Rules(tuple(_from_value(value, f"rules[{index}]") for index, value in enumerate(values)))


@functools.lru_cache(maxsize=64)
def blocked(patterns: tuple[str, ...]) -> Rules:
    """The rules that deny such commands. Raises ConfigError."""
    return Rules(tuple(_from_setting("block", pattern, Verdict.DENY) for pattern in patterns))


def _from_value(value: object, name: str) -> Rule:
    if isinstance(value, Rule):
        return value
    table = _table(value, name) if isinstance(value, str) else value
    if not isinstance(table, Mapping):
        raise ConfigError(f"{_NO_RULES_LIST}, and {shown(value)} is none", source=name)
    return rule_of(Written(table=table, layer=Layer.ARGUMENT, place=name), elsewhere="", name=name)


def _table(text: str, name: str) -> Mapping[str, object]:
    verdict, _, pattern = text.strip().partition(" ")
    if verdict not in _VERDICTS.values() or not pattern.strip():
        raise ConfigError(f'{shown(text)} is no rule; write "deny", "ask" or "allow" and a pattern', source=name)
    return {"verdict": verdict, "pattern": pattern, "reason": f"matches {pattern.strip()}"}


def _written(reader: RuleReader, policy: PolicySettings, files: Sequence[SettingsFile]) -> Iterator[Written]:
    """Those of a project last, so that no file becomes a project's that is somebody else's as well."""
    places = sorted(files, key=lambda place: place.layer)
    for place in places:
        if place.layer is not Layer.PROJECT:
            yield from reader.read(rules_path(place), place.layer)
    if approved := approved_path(files):
        yield from reader.read(approved, Layer.USER)
    for path in policy.files:
        yield from reader.read(path, Layer.ARGUMENT, Source(layer=Layer.ARGUMENT, place="policy.files"))
    for place in places:
        if place.layer is Layer.PROJECT:
            yield from reader.read(rules_path(place), place.layer)


def _check_names(written: Sequence[Written]) -> None:
    """Two of a name are a mistake when one person wrote them; what a project calls its rules nobody else can know."""
    first: dict[tuple[object, ...], Written] = {}
    for each in written:
        name = each.table.get("name")
        if isinstance(name, str):
            other = first.setdefault((each.layer is Layer.PROJECT, str(each.table.get("workspace")), name), each)
            if other is not each:
                raise each.error(f"there is one of that name already ({other}); rename one of them", "name")


def _listed(policy: PolicySettings) -> Iterator[Rule]:
    for key, verdict in _VERDICTS.items():
        for text in getattr(policy, key):
            yield _from_setting(f"policy.{key}", text, verdict)


def _from_setting(name: str, text: str, verdict: Verdict) -> Rule:
    try:
        pattern = parse_pattern(text, beginning=verdict is not Verdict.ALLOW)
    except BadPatternError as error:
        raise ConfigError(f"{shown(text)} {error}", source=name) from None
    return Rule(name=name, verdict=verdict, pattern=pattern, reason=f"matches {text}, which {name} lists")
