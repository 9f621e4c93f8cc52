"""The full name of something in a Python module -> whether it is harmless, and if not, what it can do."""

from __future__ import annotations

from limpet.policy.code.finding import Finding, connects, evaluates, opaque, spawns
from limpet.policy.code.python.functions import FUNCTIONS
from limpet.policy.code.python.methods import METHODS
from limpet.policy.code.python.modules import (
    DUNDERS,
    EVALUATING,
    EXCEPT,
    HARMLESS,
    LEADING_ON,
    NETWORK,
    PARTLY,
    SPAWNING,
    is_standard,
    words,
)

_L = "python"
_MILD = frozenset(("replace", "open", "read_text", "read_bytes", "extract", "save", "rename"))
"""Methods that many harmless things have, too."""
_STRONG = frozenset(METHODS) - _MILD
_NAMES_ONLY = words("""
    subprocess.PIPE subprocess.DEVNULL subprocess.STDOUT subprocess.CalledProcessError subprocess.TimeoutExpired
    subprocess.CompletedProcess subprocess.SubprocessError pickle.HIGHEST_PROTOCOL pickle.dumps pickle.dump
    marshal.dumps os._exit os.abort os.wait os.waitpid os.WEXITSTATUS shutil.copyfileobj
""")


def meaning(name: str, *, bare: bool) -> Finding | None:
    """What using a name can do; `bare`: nothing of it is taken, it is handed on as it is."""
    parts = name.split(".")
    if name.startswith(".") or name in _NAMES_ONLY:
        return None
    if parts[0] not in NETWORK and _leads_on(parts):
        return opaque(_L, f"reaches something powerful through {name}")
    module = _module(parts)
    if module is not None:
        rest = parts[module.count(".") + 1 :]
        if not rest:
            return opaque(_L, f"hands on the module {name}") if bare else None
        if rest[0] in PARTLY[module] and rest[-1] not in _STRONG:
            return None
    return _powerful(name, parts)


def strange_attribute(name: str) -> bool:
    """Whether an attribute leads from any object to powerful ones."""
    hidden = name.startswith("__") and name.endswith("__") and name not in DUNDERS
    return hidden or name in LEADING_ON or name in _STRONG


def _leads_on(parts: list[str]) -> bool:
    standard = is_standard(parts[0])
    for index, part in enumerate(parts[1:], 1):
        known = ".".join(parts[: index + 1]) in PARTLY
        if (part in LEADING_ON and not known) or (part == "io" and standard):
            return True
        if part.startswith("__") and part.endswith("__") and part not in DUNDERS:
            return parts[0] != "builtins" or index > 1
    private = any(part.startswith("_") and part not in DUNDERS for part in parts[1:])
    return standard and private and parts[0] != "builtins"


def _module(parts: list[str]) -> str | None:
    """The longest beginning that names a module of which parts are known."""
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        if module in PARTLY:
            return module
    return None


def _powerful(name: str, parts: list[str]) -> Finding | None:
    top, last = parts[0], parts[-1]
    only_named = len(parts) > 1 and last in DUNDERS
    if top in HARMLESS:
        return opaque(_L, f"uses {name}") if name in EXCEPT or last in _STRONG else None
    if only_named and name not in FUNCTIONS:
        return None
    for modules, make in ((NETWORK, connects), (SPAWNING, spawns), (EVALUATING, evaluates)):
        if top in modules and len(parts) > 1:
            return make(_L)
    if len(parts) == 1 and not is_standard(top):
        return None
    if is_standard(top):
        return opaque(_L, f"uses {name}, which is not known to be harmless")
    return opaque(_L, f"uses {name}") if last in _STRONG else None
