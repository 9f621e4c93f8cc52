"""Programs that print much -> the lines of theirs that tell of progress only, and those that are known to matter.

A line of neither kind is kept. Each pattern is tried at the beginning of a line, on bytes, without its colours.
"""

from __future__ import annotations

from typing import NamedTuple


class Printer(NamedTuple):
    """A program whose output is known."""

    name: str
    programs: tuple[str, ...]
    """First words of its commands, by name, such as `pip` or `python -m pip`."""
    noise: tuple[str, ...]
    known: tuple[str, ...]


PRINTERS = (
    Printer(
        "pip",
        ("pip", "pip3", "uv", "pipx", "python -m pip", "python3 -m pip"),
        (
            r"(Collecting|Requirement already satisfied|Obtaining|Building wheels? for|Installing collected)\b",
            r" *(Downloading|Using cached|Created wheel|Stored in directory|Preparing metadata|Getting requirements)\b",
            r" *(Installing build dependencies|Building wheel for|Building editable for|Attempting uninstall)\b",
            r" *(Found existing installation|Uninstalling|Successfully uninstalled)\b",
            r" *[\u2501\u2578\u257a]{2,}",
        ),
        (
            r"Successfully (installed|built)\b",
            r"(ERROR|WARNING|DEPRECATION|error|note|hint)\b",
            r"Processing ",
            r"\[notice\]",
        ),
    ),
    Printer(
        "npm",
        ("npm", "npx", "pnpm", "yarn"),
        (
            r"npm (http|timing|sill|verb|info)\b",
            r"[\u2838\u2839\u283c\u2827\u2807\u280f\u2819\u280b\u28fe] ",
            r"(Progress: resolved|Packages: \+|\++$)",
            r"\[[1-4]/[1-4]\] ",
            r"info (fsevents|No lockfile|Direct dependencies|All dependencies)",
        ),
        (
            r"(added|removed|changed|up to date|found|audited)\b",
            r"npm (ERR!|error|warn|WARN|notice)",
            r"(error|warning|success|Done in)\b",
            r"> ",
        ),
    ),
    Printer(
        "pytest",
        ("pytest", "py.test", "tox", "python -m pytest", "python3 -m pytest"),
        (
            r"\S+::.* (PASSED|SKIPPED|XFAIL)\b.*\[ *[0-9]+%\]$",
            r"\S+\.py [.sx]+ *\[ *[0-9]+%\]$",
            r"[.sx]+ *\[ *[0-9]+%\]$",
        ),
        (
            r"[=_-]{3,}",
            r"(FAILED|ERROR|E |>)",
            r".*(FAILED|ERROR|XPASS)\b",
            r"(platform|rootdir|plugins|collected|configfile)\b",
        ),
    ),
    Printer(
        "cargo",
        ("cargo",),
        (
            r" *(Compiling|Checking|Download(ed|ing)|Fresh|Updating|Locking|Adding|Blocking|Unpacking) ",
            r"test .* \.\.\. ok$",
        ),
        (
            r"(error|warning|note|help)\b",
            r" *(Finished|Running|Doc-tests)\b",
            r"test (result:|.* \.\.\. (FAILED|ignored))",
            r"running ",
        ),
    ),
    Printer(
        "go",
        ("go",),
        (r"=== (RUN|PAUSE|CONT|NAME) ", r" *--- (PASS|SKIP):", r"go: (downloading|extracting|finding) "),
        (r" *--- FAIL:", r"(FAIL|PASS|ok|panic:|\?)\b", r"#", r"go: "),
    ),
    Printer(
        "git",
        ("git clone", "git fetch", "git pull", "git push", "git submodule"),
        (
            r"(remote: )?(Enumerating|Counting|Compressing|Receiving|Writing|Updating) (objects|files):",
            r"(remote: )?(Resolving deltas:|Total [0-9]+|Delta compression)",
        ),
        (r"(error|fatal|warning|hint|remote|From|To|Cloning into|Already|Fast-forward|Updating)\b",),
    ),
    Printer(
        "apt",
        ("apt", "apt-get", "dpkg"),
        (
            r"(Get|Hit|Ign):[0-9]+ ",
            r"(Reading (package lists|state information)|Building dependency tree|Fetched )",
            r"(Selecting previously|Preparing to unpack|Unpacking|Setting up|Processing triggers|\(Reading data)",
        ),
        (
            r"[EW]: ",
            r"(The following|[0-9]+ upgraded|After this operation|dpkg: |Err:|Need to get)",
        ),
    ),
    Printer(
        "make",
        ("make", "gmake", "ninja", "cmake"),
        (
            r"g?make(\[[0-9]+\])?: (Entering|Leaving) directory ",
            r"\[ *[0-9]+%\] (Building|Generating|Linking) ",
            r"-- (Looking for|Check|Performing Test|Detecting) ",
        ),
        (r"g?make(\[[0-9]+\])?: ", r".*\b(error|warning|undefined reference)\b", r"\[ *[0-9]+%\] Built target", r"-- "),
    ),
    Printer(
        "java",
        ("mvn", "gradle", "gradlew", "mvnw"),
        (
            r"(\[INFO\] )?(Downloading|Downloaded)( from|:)?\b",
            r"Progress \(",
            r"<[=-]*> [0-9]+% ",
            r"> Task .* (UP-TO-DATE|NO-SOURCE|FROM-CACHE)$",
        ),
        (r"\[(ERROR|WARNING|INFO)\]", r"(BUILD|FAILURE|> Task|Tests run)\b"),
    ),
    Printer(
        "docker",
        ("docker build", "docker pull", "docker buildx", "podman build", "podman pull"),
        (
            r"[0-9a-f]{12}: (Pull(ing fs layer| complete)|Waiting|Download(ing| complete)|Verifying|Extracting)",
            r"#[0-9]+ (sha256:|extracting|transferring|resolve|CACHED|DONE [0-9.]+s$)",
        ),
        (r"(ERROR|Step|Successfully|Digest|Status|#[0-9]+ )",),
    ),
)

SILENT = frozenset(
    ("cd", "export", "set", "source", ".", "mkdir", "true", "test", "[", "[[", "sleep", "unset", "local", "declare",
     "shopt", "trap", "umask", "exit", "wait", "touch", "rm", "cp", "mv", "ln", "chmod")
)  # fmt: skip
"""Programs that print nothing but complaints, which no filter leaves out."""
