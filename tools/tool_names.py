"""Which module knows which tool -> src/limpet/policy/tool_names.py, so that only that one has to be loaded.

python tools/tool_names.py
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from textwrap import fill

from limpet.policy.tools import known_tools

FOLDER = Path(__file__).parent.parent / "src" / "limpet" / "policy"
HEAD = '''\
"""Table: the names of all tools, by the module that knows them. Written by `python tools/tool_names.py`."""

from __future__ import annotations

NAMES: dict[str, str] = {
'''


def homes() -> dict[str, list[str]]:
    """For each tool the smallest module that has it: the modules of families gather what others know."""
    modules = [import_module(f"limpet.policy.tools.{file.stem}") for file in sorted(FOLDER.glob("tools/[!_]*.py"))]
    tables = {module.__name__.rpartition(".")[2]: getattr(module, "TOOLS", {}) for module in modules}
    by_size = sorted(tables, key=lambda module: len(tables[module]))
    found: dict[str, list[str]] = {}
    for name, tool in sorted(known_tools().items()):
        home = next(module for module in by_size if tables[module].get(name) is tool)
        found.setdefault(home, []).append(name)
    return found


def main() -> None:
    """Write the table."""
    with (FOLDER / "tool_names.py").open("w", encoding="utf-8") as table:
        table.write(HEAD)
        for home, names in sorted(homes().items()):
            lines = fill(" ".join(names), 118, break_long_words=False, break_on_hyphens=False)
            table.write(f'    "{home}": """\n{lines}\n""",\n')
        table.write("}\n")


if __name__ == "__main__":
    main()
