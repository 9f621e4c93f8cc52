"""The settings as values: what limpet does when nobody says otherwise."""

from __future__ import annotations

import enum

import msgspec

MIB = 1024 * 1024
GIB = 1024 * MIB


class Home(enum.StrEnum):
    """Which directory a command sees as its home."""

    REAL = "real"
    WORKSPACE = "workspace"


class OnTimeout(enum.StrEnum):
    """What becomes of a command that reaches its time limit."""

    STOP = "stop"
    BACKGROUND = "background"


class RunSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a command is started and ended; times are seconds."""

    shell: str = ""
    """Absolute path of bash; empty looks in the usual places that only root can change."""
    timeout: float | None = 120.0
    """For a call that names none; None (in text: `none`) lets it run for as long as it likes."""
    min_timeout: float = 0.001
    """The shortest time limit a call may ask for."""
    max_timeout: float = 600.0
    """The longest time limit a call may ask for."""
    on_timeout: OnTimeout = OnTimeout.STOP
    """`background`: instead of being ended, it goes on as a background task, and the answer says so."""
    grace: float = 0.75
    """Between SIGTERM and SIGKILL."""
    drain: float = 0.2
    """What is left of the tree may go on this long after the shell itself has exited."""
    kill_wait: float = 2.0
    """How long to wait for the kernel after SIGKILL before saying that something survived."""
    parallel: int = 256
    """Commands that one shell runs at the same time; more of them wait their turn."""
    ready: int = 4
    """Most shells started ahead for commands to come, so that those need not wait for one to start; for a minute after
    many commands came at once, twice as many. Two of them stay, the others end when nobody has used them for a minute.
    0 for none."""
    max_command: int = 32 * MIB
    """Bytes of command text that are accepted."""
    setup: bool = False
    """Commands and sessions begin with what `limpet session capture` has stored of your interactive shell."""
    require_description: bool = False
    """A call without a description is refused."""


class OutputSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of the output and what is shown of it."""

    max_chars: int | None = None
    """Characters shown; None leaves it to `truncate`."""
    truncate: str = "middle"
    """`middle`, `tail`, `head` or the name of a preset."""
    disk: int = 64 * MIB
    """Bytes stored of one run."""
    clean: bool = True
    """Terminal control sequences are taken out of what is shown."""
    redact: bool = True
    """Secrets are blanked in what is shown."""
    filter: bool = False
    """Lines of well-known programs that tell of progress only are left out of what is shown."""
    keep_days: float = 7.0
    """Stored output older than this is removed."""
    keep_bytes: int = GIB
    """Past this the oldest stored output is removed."""


class EnvironmentSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a command sees of the environment."""

    allow: tuple[str, ...] = (
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TERM",
        "SHELL",
        "TMPDIR",
        "TZ",
    )
    """Names of the variables that are passed on."""
    strip: tuple[str, ...] = ()
    """Variables whose name begins so are withheld, allowed or not."""
    set: dict[str, str] = {}
    """Variables that every command gets."""
    home: Home = Home.REAL
    """Where HOME points."""
    harden: bool = True
    """Pagers, editors and prompts that would wait for a person are switched off by variables."""
    empty: bool = False
    """Nothing at all is passed on, whatever `allow` says."""


class LimitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Ceilings for a run that names none; None leaves one open."""

    cpu: float | None = None
    """CPU seconds of any one process."""
    memory: int | None = None
    """Bytes in use by all processes of the run together."""
    processes: int | None = 1024
    """Processes and threads of the run at one time."""
    file_size: int | None = None
    """Bytes of any one file it writes."""
    open_files: int | None = None
    """Descriptors of any one process."""


class TaskSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Commands in the background."""

    timeout: float | None = None
    """For one that names none; None lets it run for as long as it likes."""
    most: int = 64
    """Tasks of one workspace that run at the same time; one more is refused."""
    output: int = 64 * MIB
    """Bytes stored of one task: the newest."""
    keep_days: float = 7.0
    """A task that ended longer ago is removed, with its output."""


class SessionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Shells that stay."""

    idle: float | None = 1800.0
    """Seconds after which a named session that nobody uses is ended; None (in text: `none`) for never."""


class AuditSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The record of what was run."""

    enabled: bool = True
    """Whether there is a record."""
    required: bool = True
    """What cannot be recorded is not run."""
    keep_days: float = 90.0
    """Entries older than this are removed."""
    keep_rows: int = 1_000_000
    """Past this number the oldest entries are removed."""


class TransactionSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept so that a transaction can be undone."""

    keep_days: float = 7.0
    """What was replaced longer ago cannot be undone any more."""
    keep_bytes: int = GIB
    """Past this, neither can the oldest."""
    required: bool = True
    """A command that cannot have its transaction is not started; else it runs without, and that is said."""
    copy_bytes: int = GIB
    """Where no layer can be put above the workspace, copies are taken of it: of no more than this."""
    skip: tuple[str, ...] = ()
    """What is not copied there, and so not put back, such as `node_modules`."""
    hide: tuple[str, ...] = ()
    """Patterns as in .gitignore: changes that `limpet try` only counts. They are kept or dropped with the others."""


class EffectSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a command may change without a question, where it is judged by that (`approver="effects"`)."""

    files: int | None = 100
    """Paths that it adds, modifies, renames or deletes."""
    deletions: int | None = 10
    """Of these, how many it deletes."""
    bytes: int | None = 100 * MIB
    """By which the workspace grows."""
    only: tuple[str, ...] = ()
    """Patterns as in .gitignore: nothing else."""
    never: tuple[str, ...] = ()
    """Patterns: none of these."""
    executables: bool = True
    """Whether files may become executable."""
    dotfiles: bool = False
    """Whether names that begin with a dot may change."""
    links_outside: bool = False
    """Whether links may lead out of the workspace."""
    drop: bool = False
    """What is more than that is dropped; else somebody is asked."""


class SandboxSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a command is contained."""

    mode: str = "auto"
    """Name of a backend; `auto` takes the strongest this host has."""
    network: bool = False
    """Whether a command may reach the network."""
    require: tuple[str, ...] = ()
    """Guarantees without which nothing runs."""
    write: tuple[str, ...] = ()
    """Folders outside the workspace that contained commands may change; every file adds to them."""
    allow: tuple[str, ...] = ()
    """Paths in the workspace, such as `.git/config`, that may be changed although other programs act on them."""
    engine: str = ""
    """Absolute path of podman or docker, for the backend `container`; empty takes the first that is installed."""
    image: str = ""
    """Name of the image that containers are made from. It must be there, with bash in it: none is ever fetched."""


class PolicySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a command is judged."""

    profile: str = "workspace"
    """Name of the profile."""
    block: tuple[str, ...] = ()
    """Patterns of commands that are denied; every file adds to them."""
    ask: tuple[str, ...] = ()
    """Patterns of commands that are asked about; every file adds to them."""
    allow: tuple[str, ...] = ()
    """Patterns of commands that need no question; every file adds to them."""
    network_tools: bool = False
    """Tools may use the network without a question."""
    files: tuple[str, ...] = ()
    """More files with rules; every file adds to them."""


class ApprovalSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a person is asked."""

    patience: float = 600.0
    """Seconds that a question waits for its answer in the inbox."""


class HooksSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How agent programs are answered that ask before they run a command."""

    helper: float = 900.0
    """Seconds that the process which answers faster stays after its last call; 0 for no such process."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting, each with a value."""

    run: RunSettings = RunSettings()
    """How a command is started and ended."""
    output: OutputSettings = OutputSettings()
    """What is kept of the output and what is shown of it."""
    # A default made once would share its dictionary among all settings of the process.
    environment: EnvironmentSettings = msgspec.field(default_factory=EnvironmentSettings)
    """What a command sees of the environment."""
    limits: LimitSettings = LimitSettings()
    """What a run may spend."""
    tasks: TaskSettings = TaskSettings()
    """Commands in the background."""
    session: SessionSettings = SessionSettings()
    """Shells that stay."""
    audit: AuditSettings = AuditSettings()
    """The record of what was run."""
    sandbox: SandboxSettings = SandboxSettings()
    """How a command is contained."""
    policy: PolicySettings = PolicySettings()
    """How a command is judged."""
    approval: ApprovalSettings = ApprovalSettings()
    """How a person is asked."""
    effects: EffectSettings = EffectSettings()
    """What a command may change without a question, where it is judged by that."""
    transaction: TransactionSettings = TransactionSettings()
    """What is kept so that a transaction can be undone."""
    hooks: HooksSettings = HooksSettings()
    """How agent programs are answered that ask before they run a command."""
