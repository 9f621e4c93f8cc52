"""The MCP inspector against `limpet mcp`, over stdio and HTTP: what it lists, and what a command answers.

python tools/clients/inspector.py [--place DIR]

Installs the inspector with npm into .clients (some 110 MB). The status is 1 when something went otherwise than it must.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
ROOT = Path(__file__).parent.parent.parent
LIMPET = str(Path(sys.executable).parent / "limpet")
TOKEN = "only-for-this-try-0"  # noqa: S105 - opens nothing but the server started here
COMMAND = "echo seen by $((40 + 2))"
TOOLS = ("bash", "bash_session")


def installed(place: Path) -> str:
    """The inspector's program; npm is asked once."""
    folder = place / PACKAGE.replace("/", "_").replace("@", "_")
    program = folder / "node_modules" / ".bin" / "mcp-inspector"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), PACKAGE]
        subprocess.run(words, check=True, timeout=600, cwd=folder, stdout=subprocess.DEVNULL)
    return str(program)


def asked(inspector: str, target: list[str], words: tuple[str, ...], environ: dict[str, str]) -> str:
    """What it prints."""
    done = subprocess.run(
        [inspector, "--cli", *target, *words], env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def tried(name: str, inspector: str, target: list[str], environ: dict[str, str]) -> bool:
    """Whether tools are listed, and one can be called."""
    listed = asked(inspector, target, ("--method", "tools/list"), environ)
    tools = re.findall(r'^ {6}"name": "(\w+)"', listed, re.MULTILINE)
    called = ("--method", "tools/call", "--tool-arg", f"command={COMMAND}", "--tool-name")
    said = {tool: asked(inspector, target, (*called, tool), environ) for tool in TOOLS}
    good = set(TOOLS) <= set(tools) and all("seen by 42" in one for one in said.values())
    print(f"{'ok ' if good else 'NOT'} {name:6} tools: {', '.join(tools) or listed}")
    for tool, one in said.items():
        print(f"           {tool}: {json.dumps(one)[:160]}")
    return good


def main() -> int:
    """Try both."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", type=Path, default=ROOT / ".clients")
    inspector = installed(parser.parse_args().place.resolve())
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "LIMPET_STATE_DIR": f"{folder}/state", "LIMPET_MCP_TOKEN": TOKEN}
        good = tried("stdio", inspector, [LIMPET, "mcp", "--workspace", folder], environ)
        words = [LIMPET, "mcp", "--http", "0", "--workspace", folder]
        with subprocess.Popen(words, env=environ, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            url = server.stderr.readline().split()[-1]
            target = [url, "--transport", "http", "--header", f"Authorization: Bearer {TOKEN}"]
            good = tried("http", inspector, target, environ) and good
            server.terminate()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
