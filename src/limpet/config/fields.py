"""The table of settings: what each takes, in which range, and what a project may do to it."""

from __future__ import annotations

import enum
from collections.abc import Mapping

import msgspec

from limpet.config.settings import MIB, Home, OnTimeout
from limpet.config.sizes import LARGEST
from limpet.model.guarantees import GUARANTEE_NAMES
from limpet.model.window import PRESETS, Truncate
from limpet.policy.profiles import PROFILES

YEAR = 365 * 86400.0
CENTURY_DAYS = 36_500.0


class Kind(enum.StrEnum):
    """What a value is, in the words of an error message."""

    FLAG = "true or false"
    SECONDS = "a number of seconds"
    DAYS = "a number of days"
    COUNT = "a whole number"
    SIZE = 'a number of bytes or a size such as "512 MiB"'
    PATH = "an absolute path, or empty"
    NAME = "a short name of letters, digits, '.', '_' and '-'"
    IMAGE = "the name of an image such as docker.io/library/debian:12, or empty"
    CHOICE = "a known name"
    CHOICES = "a list of known names"
    VARIABLES = "a list of variable names"
    PREFIXES = "a list of beginnings of variable names"
    PAIRS = "a table of variables, each with a text"
    PATTERNS = 'a list of patterns such as "git push *"'
    ALLOWED = 'a list of patterns such as "terraform plan *"'
    PATHS = "a list of absolute paths"
    INSIDE = "a list of paths inside the workspace, such as .envrc"


class Project(enum.StrEnum):
    """What a project's own file may do: it comes with the code, so nobody here has agreed to it."""

    FREE = "set it"
    LOWER = "lower it"
    FEWER = "take names away"
    MORE = "add to it"
    SAFE = "set it to the safe side"
    NEVER = "not set it"


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One setting."""

    name: str
    kind: Kind
    project: Project
    low: float = 0
    high: float = LARGEST
    optional: bool = False
    """Whether `none` is a value."""
    choices: Mapping[str, str] = {}
    """What may be written, and the value that it stands for."""
    safe: object = None
    """What a project may set it to, for `Project.SAFE`."""
    adds: bool = False
    """Whether what a layer says comes on top of what is said below it."""

    @property
    def section(self) -> str:
        """The part before the dot."""
        return self.name.partition(".")[0]

    @property
    def key(self) -> str:
        """The part after the dot."""
        return self.name.partition(".")[2]


_TRUNCATE = {name: name for name in (*(way.value for way in Truncate), *PRESETS)}
_PROFILES = {name: name for name in PROFILES}
_GUARANTEES = {name: name for name in GUARANTEE_NAMES}
_ON_TIMEOUT = {way.value: way for way in OnTimeout}
_HOMES = {home.value: home for home in Home}

_TABLE = (
    Field(name="run.shell", kind=Kind.PATH, project=Project.NEVER),
    Field(name="run.timeout", kind=Kind.SECONDS, project=Project.LOWER, low=0.001, high=YEAR, optional=True),
    # Raised, it forbids short limits; lowered, it permits useless ones: neither side is the safe one.
    Field(name="run.min_timeout", kind=Kind.SECONDS, project=Project.NEVER, low=0.001, high=YEAR),
    Field(name="run.max_timeout", kind=Kind.SECONDS, project=Project.LOWER, low=0.001, high=YEAR),
    Field(name="run.on_timeout", kind=Kind.CHOICE, project=Project.SAFE, choices=_ON_TIMEOUT, safe=OnTimeout.STOP),
    Field(name="run.grace", kind=Kind.SECONDS, project=Project.LOWER, high=600),
    Field(name="run.drain", kind=Kind.SECONDS, project=Project.LOWER, high=600),
    # Lowered, it gives up on processes that are about to be gone.
    Field(name="run.kill_wait", kind=Kind.SECONDS, project=Project.NEVER, high=600),
    Field(name="run.parallel", kind=Kind.COUNT, project=Project.LOWER, low=1, high=65_536),
    Field(name="run.ready", kind=Kind.COUNT, project=Project.LOWER, high=64),
    Field(name="run.max_command", kind=Kind.SIZE, project=Project.LOWER, low=1, high=1024 * MIB),
    # What was captured is the user's own, and reaches every command.
    Field(name="run.setup", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    Field(name="run.require_description", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="output.max_chars", kind=Kind.COUNT, project=Project.FREE, high=100_000_000, optional=True),
    Field(name="output.truncate", kind=Kind.CHOICE, project=Project.FREE, choices=_TRUNCATE),
    Field(name="output.disk", kind=Kind.SIZE, project=Project.LOWER),
    Field(name="output.clean", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="output.redact", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    # What a reader is shown is for the reader to choose.
    Field(name="output.filter", kind=Kind.FLAG, project=Project.NEVER),
    # The store is shared: lowered by one project, these would remove the output of all the others.
    Field(name="output.keep_days", kind=Kind.DAYS, project=Project.NEVER, high=CENTURY_DAYS),
    Field(name="output.keep_bytes", kind=Kind.SIZE, project=Project.NEVER),
    Field(name="environment.allow", kind=Kind.VARIABLES, project=Project.FEWER),
    Field(name="environment.strip", kind=Kind.PREFIXES, project=Project.MORE),
    # PATH, LD_PRELOAD, BASH_ENV and the like run programs of the project's choice.
    Field(name="environment.set", kind=Kind.PAIRS, project=Project.NEVER),
    Field(
        name="environment.home",
        kind=Kind.CHOICE,
        project=Project.SAFE,
        choices=_HOMES,
        safe=Home.WORKSPACE,
    ),
    Field(name="environment.harden", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="environment.empty", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="limits.cpu", kind=Kind.SECONDS, project=Project.LOWER, low=0.001, high=YEAR, optional=True),
    # Nothing runs in less; whoever writes 512 means megabytes.
    Field(name="limits.memory", kind=Kind.SIZE, project=Project.LOWER, low=MIB, optional=True),
    Field(name="limits.processes", kind=Kind.COUNT, project=Project.LOWER, low=1, high=4_194_304, optional=True),
    Field(name="limits.file_size", kind=Kind.SIZE, project=Project.LOWER, optional=True),
    Field(name="limits.open_files", kind=Kind.COUNT, project=Project.LOWER, low=8, high=2**30, optional=True),
    Field(name="tasks.timeout", kind=Kind.SECONDS, project=Project.LOWER, low=0.001, high=YEAR, optional=True),
    Field(name="tasks.most", kind=Kind.COUNT, project=Project.LOWER, high=65_536),
    Field(name="tasks.output", kind=Kind.SIZE, project=Project.LOWER),
    # Tasks of all workspaces are kept in one place.
    Field(name="tasks.keep_days", kind=Kind.DAYS, project=Project.NEVER, high=CENTURY_DAYS),
    Field(name="session.idle", kind=Kind.SECONDS, project=Project.LOWER, low=1, high=YEAR, optional=True),
    Field(name="audit.enabled", kind=Kind.FLAG, project=Project.NEVER),
    Field(name="audit.required", kind=Kind.FLAG, project=Project.NEVER),
    Field(name="audit.keep_days", kind=Kind.DAYS, project=Project.NEVER, high=CENTURY_DAYS),
    Field(name="audit.keep_rows", kind=Kind.COUNT, project=Project.NEVER, low=1),
    # A project that needs containment names what must hold, in `require`; which backend gives it is the host's affair.
    Field(name="sandbox.mode", kind=Kind.NAME, project=Project.NEVER),
    Field(name="sandbox.network", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    Field(name="sandbox.require", kind=Kind.CHOICES, project=Project.MORE, choices=_GUARANTEES),
    Field(name="sandbox.write", kind=Kind.PATHS, project=Project.NEVER, adds=True),
    Field(name="sandbox.allow", kind=Kind.INSIDE, project=Project.NEVER, adds=True),
    Field(name="sandbox.engine", kind=Kind.PATH, project=Project.NEVER),
    Field(name="sandbox.image", kind=Kind.IMAGE, project=Project.NEVER),
    Field(name="policy.profile", kind=Kind.CHOICE, project=Project.NEVER, choices=_PROFILES),
    # Were they replaced, a line of a user would undo what is blocked for the whole host.
    Field(name="policy.block", kind=Kind.PATTERNS, project=Project.MORE, adds=True),
    Field(name="policy.ask", kind=Kind.PATTERNS, project=Project.MORE, adds=True),
    Field(name="policy.allow", kind=Kind.ALLOWED, project=Project.NEVER, adds=True),
    Field(name="policy.network_tools", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    # A project has its own file of rules, which may include others.
    Field(name="policy.files", kind=Kind.PATHS, project=Project.NEVER, adds=True),
    Field(name="approval.patience", kind=Kind.SECONDS, project=Project.LOWER, low=0.001, high=YEAR),
    Field(name="effects.files", kind=Kind.COUNT, project=Project.LOWER, optional=True),
    Field(name="effects.deletions", kind=Kind.COUNT, project=Project.LOWER, optional=True),
    Field(name="effects.bytes", kind=Kind.SIZE, project=Project.LOWER, optional=True),
    Field(name="effects.only", kind=Kind.INSIDE, project=Project.NEVER),
    Field(name="effects.never", kind=Kind.INSIDE, project=Project.MORE, adds=True),
    Field(name="effects.executables", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    Field(name="effects.dotfiles", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    Field(name="effects.links_outside", kind=Kind.FLAG, project=Project.SAFE, safe=False),
    Field(name="effects.drop", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="transaction.keep_days", kind=Kind.DAYS, project=Project.NEVER, high=CENTURY_DAYS),
    Field(name="transaction.keep_bytes", kind=Kind.SIZE, project=Project.NEVER),
    Field(name="transaction.required", kind=Kind.FLAG, project=Project.SAFE, safe=True),
    Field(name="transaction.copy_bytes", kind=Kind.SIZE, project=Project.LOWER),
    Field(name="transaction.skip", kind=Kind.INSIDE, project=Project.NEVER, adds=True),
    Field(name="transaction.hide", kind=Kind.INSIDE, project=Project.NEVER, adds=True),
    Field(name="hooks.helper", kind=Kind.SECONDS, project=Project.NEVER, high=86_400),
)

FIELDS: Mapping[str, Field] = {field.name: field for field in _TABLE}
SECTIONS: Mapping[str, tuple[str, ...]] = {
    section: tuple(field.key for field in _TABLE if field.section == section)
    for section in dict.fromkeys(field.section for field in _TABLE)
}
"""The keys of each section."""
